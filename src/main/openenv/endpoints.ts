// Asks a running server over HTTP what OpenEnv's own `validate` asks. An episode needs none of it but `/schema`.
import { isRecord, tryJson } from '../../shared/json.ts';
import type { Address } from './address.ts';
import { askHttp } from './http.ts';

/** `expected`: what should be there, in words. */
export type Endpoint = { id: string; expected: string; isThere: boolean };

const LIMIT_MS = 5_000;
const CHARS_MAX = 4_000_000;

/** Asks each endpoint once. Never fails: what does not answer is not there. */
export async function askEndpoints(address: Address, signal: AbortSignal): Promise<Endpoint[]> {
  const ask = (path: string): Promise<Record<string, unknown>> => askJson(address, path, signal);
  const [openApi, health, metadata, schema, mcp] = await Promise.all([
    ask('/openapi.json'),
    ask('/health'),
    ask('/metadata'),
    ask('/schema'),
    askJson(address, '/mcp', signal, {}),
  ]);
  return [
    endpoint(
      'openapi_version_available',
      'a version in /openapi.json',
      isText(recordOf(openApi['info'])['version']),
    ),
    endpoint('health_endpoint', 'status "healthy" at /health', health['status'] === 'healthy'),
    endpoint(
      'metadata_endpoint',
      'a name and a description in /metadata',
      isText(metadata['name']) && isText(metadata['description']),
    ),
    endpoint(
      'schema_endpoint',
      'schemas of action, observation and state in /schema',
      ['action', 'observation', 'state'].every((key) => isRecord(schema[key])),
    ),
    endpoint('mcp_endpoint', 'JSON-RPC at POST /mcp', mcp['jsonrpc'] === '2.0'),
    endpoint(
      'mode_endpoint_consistency',
      'all or none of /reset, /step and /state in /openapi.json',
      areConsistent(openApi['paths']),
    ),
  ];
}

const endpoint = (id: string, expected: string, isThere: boolean): Endpoint => ({ id, expected, isThere });
const isText = (value: unknown): boolean => typeof value === 'string';
const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

/** A server to train on has all three; one for production has none. */
function areConsistent(paths: unknown): boolean {
  if (!isRecord(paths) || Object.keys(paths).length === 0) return false;
  const there = ['/reset', '/step', '/state'].map((path) => Object.hasOwn(paths, path));
  return there.every((one) => one === there[0]);
}

/** The object that a path answers with; empty for anything else. */
async function askJson(
  address: Address,
  path: string,
  signal: AbortSignal,
  body?: object,
): Promise<Record<string, unknown>> {
  try {
    const asked = { timeoutMs: LIMIT_MS, charsMax: CHARS_MAX, signal };
    const { status, text } = await askHttp(address, path, body === undefined ? asked : { ...asked, body });
    return status === 200 ? recordOf(tryJson(text)) : {};
  } catch {
    return {};
  }
}
