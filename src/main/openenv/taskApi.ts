// OpenEnv's Task API: environments that draw on data sets list their splits and the tasks of each over HTTP. A task is
// chosen at reset by `split` and `index`. Source: OpenEnv core `env_server` (`TaskProvider`), since 0.8.
import { isRecord, tryJson } from '../../shared/json.ts';
import type { Address } from './address.ts';
import { askHttp } from './http.ts';
import type { CatalogScenario } from './catalog.ts';
import type { Json } from '../../shared/events/lifecycle.ts';

/** Listing a split may build an environment first. */
const TASKS_MS = 30_000;
const ANSWER_CHARS_MAX = 50_000_000;
/** More tasks than these are counted, not listed. */
const TASKS_MAX = 20_000;
const SPLITS_MAX = 50;

/** The name under which a server lists tasks; null where it lists none. `get` resolves with an empty text for a failure. */
export async function taskApiName(get: (path: string) => Promise<string>): Promise<string | null> {
  const listed = tryJson(await get('/list_environments'));
  const name: unknown = Array.isArray(listed) ? listed[0] : null;
  if (typeof name !== 'string' || name === '') return null;
  return Array.isArray(tryJson(await get(`/${encodeURIComponent(name)}/splits`))) ? name : null;
}

/** Its splits as scenarios. One that cannot be listed has no tasks to choose from, and can still be named. */
export async function fetchSplits(
  address: Address,
  environment: string,
  signal?: AbortSignal,
): Promise<CatalogScenario[]> {
  const ask = async (path: string, body?: object): Promise<unknown> => {
    try {
      const { status, text } = await askHttp(address, `/${encodeURIComponent(environment)}${path}`, {
        timeoutMs: TASKS_MS,
        charsMax: ANSWER_CHARS_MAX,
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      });
      return status >= 200 && status < 300 ? tryJson(text) : null;
    } catch {
      return null;
    }
  };
  const splits = await ask('/splits');
  const named = (Array.isArray(splits) ? (splits as unknown[]) : []).filter(isRecord).slice(0, SPLITS_MAX);
  return Promise.all(
    named.map(async ({ name, type }) => {
      const split = String(name);
      const [listed, counted] = await Promise.all([ask('/tasks', { split }), ask('/num_tasks', { split })]);
      const tasks = isRecord(listed) && Array.isArray(listed['tasks']) ? (listed['tasks'] as unknown[]) : [];
      const count = isRecord(counted) ? Number(counted['num_tasks']) : 0;
      const texts = tasks.slice(0, TASKS_MAX).map(taskText);
      return {
        name: split,
        description: typeof type !== 'string' || type === split ? 'split' : `split (${type})`,
        // A long split may list a part of its tasks alone.
        tasks: Array.from(
          { length: Math.max(texts.length, Math.min(count, TASKS_MAX)) || 0 },
          (_, index) => texts[index] ?? `Task ${String(index)}`,
        ),
      };
    }),
  );
}

/** Reset arguments for a task where the server has the Task API. */
export const splitArguments = (
  { taskApi }: { taskApi: string | null },
  { scenario, task_idx }: Record<string, Json>,
): Record<string, Json> => ({
  ...(taskApi !== null && typeof scenario === 'string' ? { split: scenario } : {}),
  ...(taskApi !== null && typeof task_idx === 'number' ? { index: task_idx } : {}),
});

/** The keys of a task's text, by the names data sets use. */
const TEXT_KEYS = ['task', 'question', 'instruction', 'prompt', 'description', 'goal', 'name', 'id'];

function taskText(task: unknown): string {
  if (typeof task === 'string') return task;
  if (!isRecord(task)) return JSON.stringify(task) ?? '';
  const key = TEXT_KEYS.find((one) => typeof task[one] === 'string' && task[one] !== '');
  return key === undefined ? JSON.stringify(task) : String(task[key]);
}
