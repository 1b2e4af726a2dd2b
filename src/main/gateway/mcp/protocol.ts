// JSON-RPC as MCP speaks it over streamable HTTP: messages in, responses and errors out. Must not know: any tool.
import { z } from 'zod';

const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
const LATEST = VERSIONS[0];

const RequestId = z.union([z.string(), z.number()]);
export type RequestId = z.infer<typeof RequestId>;
export const McpMessage = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: RequestId.optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
});
export type McpMessage = z.infer<typeof McpMessage>;
export type RpcRequest = { id: RequestId; method: string; params: Record<string, unknown> };

export const RPC = {
  parse: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
} as const;

export type RpcResponse = { jsonrpc: '2.0'; id: RequestId | null } & (
  { result: unknown } | { error: { code: number; message: string } }
);

export const success = (id: RequestId, result: unknown): RpcResponse => ({ jsonrpc: '2.0', id, result });
export const failure = (id: RequestId | null, code: number, message: string): RpcResponse => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

export const isKnownVersion = (version: unknown): boolean => VERSIONS.some((one) => one === version);

/** The version both sides speak: the client's, where we know it. */
export const agreedVersion = (asked: unknown): string =>
  VERSIONS.find((version) => version === asked) ?? LATEST;

export const jsonResponse = (
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  });

export const isRequest = (message: McpMessage): message is McpMessage & { id: RequestId; method: string } =>
  message.id !== undefined && message.method !== undefined;
