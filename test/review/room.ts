// A review room over a real log on a disk or in memory, with finished episodes to review.
import type { Caller, Handlers, Inputs, Outputs } from '../../src/shared/contract/contract.ts';
import type { ProjectRow } from '../../src/shared/contract/review.ts';
import { checkMethod } from '../../src/shared/contract/roles.ts';
import { STARTER } from '../../src/shared/review/taxonomy.ts';
import type { LogEvent } from '../../src/shared/events/vocabulary.ts';
import { reviewCommands } from '../../src/main/commands/review.ts';
import { createReview } from '../../src/main/review/review.ts';
import { AGENT, createClock, ended, openLog, reset, started, SYSTEM } from '../support/log.ts';

export const OWNER: Caller = { seat: 'seat-owner' };
export const ONE: Caller = { seat: 'seat-one', invite: 'i1' };
export const TWO: Caller = { seat: 'seat-two', invite: 'i2' };
export const NO_TIME = { first_seen_at: null, active_ms: null };
export const took = (ms: number) => ({ first_seen_at: 1, active_ms: ms });

const turn = (n: number, tool: string): LogEvent[] => [
  {
    kind: 'turn.generated',
    turn: n,
    content: `I shall call ${tool}.`,
    reasoning: null,
    tool_calls: [],
    model: 'small',
    stop_reason: null,
    usage: null,
    latency_ms: null,
  },
  {
    kind: 'move.proposed',
    turn: n,
    call: `t${String(n)}`,
    move: { type: 'call_tool', tool_name: tool, arguments: { id: n } },
    repairs: [],
    ignored_calls: 0,
  },
];

type AnnotateMethod = Extract<keyof Handlers, `${'project' | 'queue' | 'annotation'}.${string}`>;

export function openRoom(path = ':memory:') {
  const time = createClock();
  const log = openLog(path, time.clock);
  let last = 0;
  const newId = (): string =>
    `id${String((last += 1)).padStart(6, '0')}${path === ':memory:' ? '' : String(time.clock())}`;
  const review = createReview({
    log,
    clock: time.clock,
    monotonic: time.monotonic,
    newId,
  });
  const handlers = reviewCommands({ log, review });
  const as =
    (caller: Caller) =>
    async <M extends AnnotateMethod>(method: M, input: Inputs[M]): Promise<Outputs[M]> => {
      checkMethod(method, caller);
      const handler = handlers[method] as (input: Inputs[M], caller: Caller) => Promise<Outputs[M]>;
      return handler(input, caller);
    };
  return {
    ...time,
    log,
    review,
    as,
    /** A finished episode of two turns. */
    episode: (id: string, over: { reward?: number; task_idx?: number } = {}): void => {
      const { reward = 1, task_idx = 0 } = over;
      log.append(id, SYSTEM, started({ task_idx }));
      log.append(id, SYSTEM, reset({ task_idx }));
      for (const event of [...turn(1, 'find_workflow'), ...turn(2, 'rename_workflow')])
        log.append(id, AGENT, event);
      const result = reward === 1 ? 'complete' : 'others';
      log.append(id, SYSTEM, ended({ reward, reward_type: result }));
    },
    /** A project of the starter schema with one queue over the given episodes. */
    queue: async (
      episodes: string[],
      over: Partial<Inputs['queue.make']> = {},
    ): Promise<{ project: string; queue: string }> => {
      const { project } = await as(OWNER)('project.create', {
        name: 'Failures',
        instructions: '',
        dimensions: [...STARTER],
      });
      const { queue } = await as(OWNER)('queue.make', {
        ...plainQueue(project),
        from: { type: 'episodes', episodes },
        ...over,
      });
      return { project, queue };
    },
    /** A project as a seat finds it among its projects. */
    project: async (caller: Caller, id: string): Promise<ProjectRow> => {
      const { projects } = await as(caller)('project.list', {});
      const found = projects.find(({ project }) => project === id);
      if (found === undefined) throw new Error(`${id} is not listed`);
      return found;
    },
    close: (): void => {
      review.close();
      log.close();
    },
  };
}

const plainQueue = (project: string): Omit<Inputs['queue.make'], 'from'> => ({
  project,
  name: 'First round',
  reviewers_per_item: 2,
  seats: [],
  is_blind: true,
  hides_outcome: true,
  lease_minutes: 10,
});
