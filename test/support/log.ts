// A real log in memory or on disk, a clock that moves when told, and short ways to write an episode's events.
import type { Actor } from '../../src/shared/events/actor.ts';
import type { EventOf, LogEvent } from '../../src/shared/events/vocabulary.ts';
import { openDatabase } from '../../src/main/log/database.ts';
import type { StartThread } from '../../src/main/log/checkpoints.ts';
import { createEventLog, type EventLog } from '../../src/main/log/eventLog.ts';

export const SYSTEM: Actor = { type: 'system', id: null };
export const AGENT: Actor = { type: 'agent', id: null };
export const HUMAN: Actor = { type: 'human', id: 'seat-one' };

export function createClock(start = 1_000_000) {
  let now = start;
  const timers = new Map<number, { at: number; run: () => void }>();
  let lastId = 0;
  let jumped = 0;
  return {
    clock: (): number => now + jumped,
    monotonic: (): number => now,
    /** Sets the wall clock forward, or back; nothing is due for that. */
    setWallClock: (byMs: number): void => {
      jumped += byMs;
    },
    schedule: (delayMs: number, run: () => void): (() => void) => {
      lastId += 1;
      const id = lastId;
      timers.set(id, { at: now + delayMs, run });
      return () => timers.delete(id);
    },
    /** Moves time on and runs what is due, in order. */
    advance: (ms: number): void => {
      const until = now + ms;
      for (;;) {
        const due = [...timers]
          .filter(([, timer]) => timer.at <= until)
          .toSorted(([, a], [, b]) => a.at - b.at)[0];
        if (due === undefined) break;
        timers.delete(due[0]);
        now = Math.max(now, due[1].at);
        due[1].run();
      }
      now = until;
    },
  };
}

export function openLog(
  path = ':memory:',
  clock: () => number = () => 1_000_000,
  busyMs?: number,
  startThread?: StartThread,
): EventLog & { close(): void } {
  const db = openDatabase(path, busyMs === undefined ? {} : { busyMs });
  const errors: unknown[] = [];
  const log = createEventLog({ db, clock, onListenerError: (thrown) => errors.push(thrown), startThread });
  return { ...log, close: () => db.close() };
}

export const started = (over: Partial<EventOf<'episode.started'>> = {}): LogEvent => ({
  kind: 'episode.started',
  environment: { id: 'builtin', name: 'Built-in worlds', url: 'http://127.0.0.1:1', builtin: true },
  scenario: 'loomline_workflows',
  task_idx: 0,
  condition: 'human+draft',
  agent: { policy: 'rehearsal', protocol: 'native', model: null },
  limits: { turns: 15, consultations: 3, time_ms: 60_000, stall_steps: 5, delivered_chars: 24_000 },
  deadline_ms: null,
  fallback: 'wait',
  seed: 0,
  repeat: 0,
  group: null,
  prompt_sha256: null,
  source: 'run',
  trainer: null,
  ...over,
});

export const reset = (over: Partial<EventOf<'environment.reset'>> = {}): LogEvent => ({
  kind: 'environment.reset',
  request: { scenario: 'loomline_workflows', task_idx: 0 },
  frame: '{}',
  reward_type: 'reset_ok',
  reward: null,
  done: false,
  scenario: 'loomline_workflows',
  task: 'Rename the workflow.',
  task_idx: 0,
  num_tools: 2,
  warning: null,
  latency_ms: 3,
  ...over,
});

export const asked = (over: Partial<EventOf<'consultation.asked'>> = {}): LogEvent => ({
  kind: 'consultation.asked',
  consultation: 'e1:c1',
  turn: 1,
  call: 't1',
  trigger: 'agent_call',
  task: 'Rename it',
  available_tools: 'rename_workflow',
  question: 'Which one is meant?',
  answered_by: 'human',
  deadline_at: null,
  fallback: 'wait',
  via: 'loop',
  request: null,
  link: null,
  ...over,
});

export const drafted = (over: Partial<EventOf<'advice.drafted'>> = {}): LogEvent => ({
  kind: 'advice.drafted',
  consultation: 'e1:c1',
  draft: 'd1',
  text: 'rename_workflow({"id":1})',
  generator: 'rule',
  model: null,
  privilege: ['reference'],
  usage: null,
  latency_ms: 1,
  ...over,
});

export const generated = (over: Partial<EventOf<'turn.generated'>> = {}): EventOf<'turn.generated'> => ({
  kind: 'turn.generated',
  turn: 1,
  content: '',
  reasoning: null,
  tool_calls: [],
  model: null,
  stop_reason: null,
  usage: null,
  latency_ms: null,
  ...over,
});

export const proposed = (
  over: Partial<EventOf<'move.proposed'>> & Pick<EventOf<'move.proposed'>, 'move'>,
): EventOf<'move.proposed'> => ({
  kind: 'move.proposed',
  turn: 1,
  call: 't1',
  repairs: [],
  ignored_calls: 0,
  ...over,
});

export const held = (over: Partial<EventOf<'call.held'>> = {}): EventOf<'call.held'> => ({
  kind: 'call.held',
  call: 't1',
  turn: 1,
  why: 'rule',
  rule: '*: ask',
  deadline_at: null,
  fallback: 'wait',
  ...over,
});

export const returned = (over: Partial<EventOf<'call.returned'>> = {}): EventOf<'call.returned'> => ({
  kind: 'call.returned',
  call: 't1',
  frame: '{}',
  reward_type: 'tool_call_ok',
  reward: 0,
  done: false,
  text: '{}',
  error: null,
  latency_ms: 1,
  ...over,
});

export const ended = (over: Partial<EventOf<'episode.ended'>> = {}): LogEvent => ({
  kind: 'episode.ended',
  outcome: 'done',
  reason: null,
  failure: null,
  final_answer: 'Done.',
  reward_type: 'complete',
  reward: 1,
  ...over,
});

/** An episode that has been reset and has one question waiting. */
export function openQuestion(
  log: EventLog,
  id = 'e1',
  over: Partial<EventOf<'consultation.asked'>> = {},
): void {
  log.append(id, SYSTEM, started());
  log.append(id, SYSTEM, reset());
  log.append(id, AGENT, asked({ consultation: `${id}:c1`, ...over }));
}
