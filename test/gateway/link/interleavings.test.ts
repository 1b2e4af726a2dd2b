// Rollouts of one task on one seed, interleaved at random: a question goes to the rollout that asked it, or to none.
import { describe, expect, it } from 'vitest';
import { AGENT, ENVIRONMENT } from '../../../src/shared/events/actor.ts';
import type { LogEvent } from '../../../src/shared/events/vocabulary.ts';
import { fold } from '../../../src/shared/episode/fold.ts';
import { emptyRecord, type EpisodeRecord } from '../../../src/shared/episode/record.ts';
import {
  historyOf,
  quotedIn,
  type QuotedHistory,
  type QuotedMessage,
} from '../../../src/main/gateway/link/history.ts';
import { matchHistory } from '../../../src/main/gateway/link/match.ts';
import { ended, reset, started } from '../../support/log.ts';

const INTERLEAVINGS = 4_000;
const TASK = 'Rename the second workflow.';

/** Numbers in [0, 1) that are the same for the same seed. */
function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Made = { tool: string; args: Record<string, unknown>; result: string };
type Rollout = { record: EpisodeRecord; made: Made[]; open: Made | null };

function add(rollout: Rollout, event: LogEvent): void {
  const { record } = rollout;
  const n = record.n + 1;
  rollout.record = fold(record, { seq: n, stream: record.id, n, at: n, actor: AGENT, event });
}

function begin(id: string): Rollout {
  const rollout: Rollout = { record: emptyRecord(id), made: [], open: null };
  add(rollout, started({ source: 'tap' }));
  add(rollout, reset({ task: TASK }));
  return rollout;
}

/** The world answers every rollout alike: what the same calls give is the same. */
function drawCall(draw: () => number, before: number): Made {
  const id = 1 + Math.floor(draw() * 4);
  const kind = Math.floor(draw() * 4);
  if (kind === 0) return { tool: 'list_workflows', args: {}, result: '[{"id": 1}, {"id": 2}, {"id": 17}]' };
  if (kind === 1)
    return {
      tool: 'get_workflow',
      args: { id },
      result: `{"id": ${String(id)}, "name": "Flow \\"${String(id)}\\""}`,
    };
  if (kind === 2)
    return { tool: 'get_step', args: { id, after: before }, result: 'Status code: 404. not found' };
  return { tool: 'rename_workflow', args: { id, name: 'B' }, result: 'ok' };
}

function send(rollout: Rollout, call: Made): void {
  const turn = (rollout.record.turns.at(-1)?.turn ?? 0) + 1;
  const move = {
    type: 'call_tool' as const,
    tool_name: call.tool,
    arguments: call.args as Record<string, number>,
  };
  add(rollout, {
    kind: 'move.proposed',
    turn,
    call: `t${String(turn)}`,
    move,
    repairs: [],
    ignored_calls: 0,
    sent: true,
  });
  rollout.open = call;
}

function returned(rollout: Rollout): void {
  const call = rollout.open;
  if (call === null) return;
  const isError = call.result.startsWith('Status');
  const { record } = rollout;
  const n = record.n + 1;
  rollout.record = fold(record, {
    seq: n,
    stream: record.id,
    n,
    at: n,
    actor: ENVIRONMENT,
    event: {
      kind: 'call.returned',
      call: record.turns.at(-1)?.callId ?? '',
      frame: '',
      reward_type: isError ? 'server_error' : 'tool_call_ok',
      reward: 0,
      done: false,
      text: isError ? null : call.result,
      error: isError ? call.result : null,
      latency_ms: 1,
    },
  });
  rollout.made.push(call);
  rollout.open = null;
}

const message = (role: string, text: string): QuotedMessage => ({ role, text, toolCallId: null, calls: [] });
const worded = ({ tool, args, result }: Made): string =>
  `I called ${tool}(${JSON.stringify(args)}) and got: ${result}`;

/** What an agent writes that tells of its own calls: as messages, in words, partly, with a call it only thinks of. */
const SHAPES: ((made: readonly Made[], draw: () => number) => QuotedHistory)[] = [
  (made) =>
    quotedIn([
      message('user', TASK),
      ...made.flatMap(({ tool, args, result }, i): QuotedMessage[] => [
        {
          ...message('assistant', ''),
          calls: [{ id: String(i), name: tool, arguments: JSON.stringify(args) }],
        },
        {
          ...message('tool', result.startsWith('Status') ? `Error: ${result}` : result),
          toolCallId: String(i),
        },
      ]),
    ]),
  (made) =>
    quotedIn([
      message('user', TASK),
      ...made.flatMap(({ tool, args, result }) => [
        message('assistant', `<tool_call>\n${JSON.stringify({ name: tool, arguments: args })}\n</tool_call>`),
        message('user', `Tool response:\n${result}`),
      ]),
    ]),
  (made) => quotedIn([message('user', `${TASK}\n${made.map(worded).join('\n')}\nWhat now?`)]),
  (made) => quotedIn([message('user', JSON.stringify({ task: TASK, context: JSON.stringify(made) }))]),
  (made) => quotedIn([message('user', `${TASK} ${made.slice(-1).map(worded).join('')}`)]),
  (made, draw) => {
    const { tool, args } = drawCall(draw, made.length);
    const thought = `Should I call ${tool}(${JSON.stringify(args)}) now?`;
    return quotedIn([message('user', `${TASK}\n${made.map(worded).join('\n')}\n${thought}`)]);
  },
];

type Tally = { asked: number; right: number; wrong: number };

function play(seed: number, tally: Tally): void {
  const draw = draws(seed);
  let names = 0;
  const fresh = (): Rollout => begin(`e${String((names += 1))}`);
  const live = Array.from({ length: 2 + Math.floor(draw() * 7) }, fresh);
  const over: Rollout[] = [];
  for (let step = 0; step < 40; step += 1) {
    const at = Math.floor(draw() * live.length);
    const rollout = live[at] as Rollout;
    const what = draw();
    if (rollout.open !== null && what < 0.6) returned(rollout);
    else if (rollout.open !== null) continue;
    else if (what < 0.6) send(rollout, drawCall(draw, rollout.made.length));
    else if (what < 0.68) {
      add(rollout, ended({ outcome: 'interrupted' }));
      over.push(rollout);
      live[at] = fresh();
      // Its client may ask once more, too late.
      ask(rollout, null, draw, [...live, ...over], tally);
    } else if (rollout.made.length > 0) ask(rollout, rollout.record.id, draw, [...live, ...over], tally);
  }
}

function ask(
  rollout: Rollout,
  right: string | null,
  draw: () => number,
  all: readonly Rollout[],
  tally: Tally,
): void {
  const shape = SHAPES[Math.floor(draw() * SHAPES.length)] ?? (SHAPES[0] as (typeof SHAPES)[number]);
  const quoted = shape(rollout.made, draw);
  const histories = all.map(({ record }) => historyOf(record));
  // The same request again is the same question.
  for (let tries = draw() < 0.2 ? 2 : 1; tries > 0; tries -= 1) {
    const { episode } = matchHistory(histories, quoted);
    tally.asked += 1;
    if (episode !== null && episode === right) tally.right += 1;
    else if (episode !== null) tally.wrong += 1;
  }
}

describe('thousands of interleavings of rollouts of one task', () => {
  it('never link a question to another rollout, and link most that can be told apart', () => {
    const tally: Tally = { asked: 0, right: 0, wrong: 0 };

    for (let seed = 1; seed <= INTERLEAVINGS; seed += 1) play(seed, tally);

    expect(tally.asked).toBeGreaterThan(INTERLEAVINGS);
    expect(tally.wrong).toBe(0);
    expect(tally.right / tally.asked).toBeGreaterThan(0.3);
  });
});
