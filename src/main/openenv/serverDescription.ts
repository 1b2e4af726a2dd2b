// A server's description of itself over HTTP: its name, what it is about, and the schema of its actions.
import { tryJson, isRecord } from '../../shared/json.ts';
import type { Address } from './address.ts';
import { askHttp } from './http.ts';
import { taskApiName } from './taskApi.ts';
import { readActionSpace, type ActionSpace } from './actionSpace.ts';

export type ServerDescription = {
  name: string | null;
  /** Null where the server says no more than its name. */
  about: string | null;
  /** Null where the environment is one of tools, or says nothing about its actions. */
  actions: ActionSpace | null;
  /** `/schema` verbatim; empty where there is none. */
  schema: string;
  /** The name under which the server lists its tasks; null where it lists none. */
  taskApi: string | null;
};

export const UNDESCRIBED: ServerDescription = {
  name: null,
  about: null,
  actions: null,
  schema: '',
  taskApi: null,
};

/** Descriptions are small; a server that is slower than this is asked for nothing more. */
const DESCRIBE_MS = 5_000;
const DESCRIPTION_CHARS_MAX = 4_000_000;

/** Asks `/schema`, `/metadata` and whether there are tasks to list. Never fails: a server without them is one of tools and has no name. */
export async function describeServer(address: Address, signal?: AbortSignal): Promise<ServerDescription> {
  const get = (path: string): Promise<string> => fetchText(address, path, signal);
  const [schema, metadata, taskApi] = await Promise.all([get('/schema'), get('/metadata'), taskApiName(get)]);
  const shapes = tryJson(schema);
  const facts = tryJson(metadata);
  const said = (key: string): string | null => {
    const value = isRecord(facts) ? facts[key] : null;
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  };
  const name = said('name');
  const about = said('description');
  return {
    name,
    // What OpenEnv fills in where an environment says nothing.
    about: about === `${name ?? ''} environment` ? null : about,
    actions: isRecord(shapes) ? readActionSpace(shapes['action']) : null,
    schema: isRecord(shapes) ? schema : '',
    taskApi,
  };
}

async function fetchText(address: Address, path: string, signal?: AbortSignal): Promise<string> {
  try {
    const { status, text } = await askHttp(address, path, {
      timeoutMs: DESCRIBE_MS,
      charsMax: DESCRIPTION_CHARS_MAX,
      ...(signal === undefined ? {} : { signal }),
    });
    return status >= 200 && status < 300 ? text : '';
  } catch {
    return '';
  }
}
