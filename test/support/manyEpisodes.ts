// Episodes as they lie in a log by the thousand: told by calls, results and, in every second one, an ask with advice.
import type { Actor } from '../../src/shared/events/actor.ts';
import type { EventOf, LogEvent } from '../../src/shared/events/vocabulary.ts';
import type { TimedEntry } from '../../src/main/log/eventLog.ts';
import { AGENT, ended, HUMAN, reset, started, SYSTEM } from './log.ts';

type Shape = {
  scenario: string;
  task_idx: number;
  /** Told apart by it; two of the same number say the same. */
  number: number;
  calls: number;
  isAdvised: boolean;
  task: string;
  end: Partial<EventOf<'episode.ended'>>;
  privilege: EventOf<'advice.approved'>['privilege'];
  condition: EventOf<'episode.started'>['condition'];
};

const RESULT_ROWS = 6;
const TOOLS = ['find_order', 'change_order', 'cancel_order', 'find_customer', 'ask_expert'].map((name) => ({
  name,
  description: `${name.replace('_', ' ')} of the shop, by its number or by the customer’s name.`,
  input_schema: {
    type: 'object',
    properties: { id: { type: 'integer' }, customer: { type: 'string' } },
    required: ['id'],
  },
}));

const message = (
  role: 'system' | 'user' | 'tool',
  content: string,
  turn: number,
  origin: EventOf<'message.added'>['origin'],
  call: { id: string; name: string } | null = null,
): LogEvent => ({
  kind: 'message.added',
  role,
  content,
  origin,
  turn,
  tool_call_id: call?.id ?? null,
  name: call?.name ?? null,
  segments: [],
  full_length: content.length,
});

/** One whole episode's events, to be imported or appended. */
export function episodeEntries(id: string, at: number | null, over: Partial<Shape> = {}): TimedEntry[] {
  const shape: Shape = {
    scenario: 'shop_1',
    task_idx: 0,
    number: 1,
    calls: 3,
    isAdvised: false,
    task: 'Change the address of the order that Ada placed, and tell her so.',
    end: {},
    privilege: [],
    condition: 'human',
    ...over,
  };
  const { scenario, task_idx, number, calls, task } = shape;
  const entries: TimedEntry[] = [];
  const add = (actor: Actor, event: LogEvent): void => void entries.push({ at, actor, event });
  add(SYSTEM, started({ scenario, task_idx, condition: shape.condition }));
  add(SYSTEM, reset({ scenario, task_idx, task, request: { scenario, task_idx } }));
  add(SYSTEM, { kind: 'tools.offered', tools: TOOLS });
  add(
    SYSTEM,
    message('system', 'You work for a shop. Use its tools; ask an expert when you are stuck.', 0, 'prompt'),
  );
  add(SYSTEM, message('user', task, 0, 'prompt'));
  let turn = 0;
  for (let i = 0; i < calls; i += 1) {
    if (shape.isAdvised && i === 1) turn = addAsk(add, id, turn + 1, shape);
    turn += 1;
    addCall(add, `${id}:t${String(turn)}`, turn, number * 10 + i);
  }
  add(AGENT, generated(turn + 1, `The address of order ${String(number)} is changed.`, []));
  add(AGENT, {
    kind: 'move.proposed',
    turn: turn + 1,
    call: `${id}:t${String(turn + 1)}`,
    move: { type: 'final', text: 'Done.' },
    repairs: [],
    ignored_calls: 0,
  });
  add(SYSTEM, ended(shape.end));
  return entries;
}

const generated = (
  turn: number,
  content: string,
  calls: EventOf<'turn.generated'>['tool_calls'],
): LogEvent => ({
  kind: 'turn.generated',
  turn,
  content,
  reasoning: null,
  tool_calls: calls,
  model: 'm',
  stop_reason: 'stop',
  usage: null,
  latency_ms: 1,
});

type Add = (actor: Actor, event: LogEvent) => void;

function addCall(add: Add, call: string, turn: number, order: number): void {
  const args = { id: order, customer: 'Ada' };
  const text = JSON.stringify({
    orders: Array.from({ length: RESULT_ROWS }, (_, i) => ({
      id: order + i,
      customer: 'Ada',
      state: 'placed',
      address: `${String(i)} Corner Street`,
    })),
  });
  const native = { id: `c${String(turn)}`, name: 'find_order', arguments: JSON.stringify(args) };
  add(AGENT, generated(turn, 'I look for the order before I change anything.', [native]));
  add(AGENT, {
    kind: 'move.proposed',
    turn,
    call,
    move: { type: 'call_tool', tool_name: 'find_order', arguments: args },
    repairs: [],
    ignored_calls: 0,
  });
  add(SYSTEM, { kind: 'call.sent', call, tool_name: 'find_order', arguments: args });
  add(
    { type: 'environment', id: null },
    {
      kind: 'call.returned',
      call,
      frame: text,
      reward_type: 'tool_call_ok',
      reward: 0,
      done: false,
      text,
      error: null,
      latency_ms: 2,
    },
  );
  add(SYSTEM, message('tool', text, turn, 'environment', native));
}

/** The turn the ask took. */
function addAsk(add: Add, id: string, turn: number, { number, privilege }: Shape): number {
  const call = `${id}:t${String(turn)}`;
  const consultation = `${id}:c1`;
  const native = { id: `c${String(turn)}`, name: 'ask_expert', arguments: '{"task":"Change it"}' };
  const advice = `Change order ${String(number)}: find_order({"id": ${String(number * 10 + 1)}}).`;
  const timing = { first_seen_at: null, active_ms: 1000 };
  add(AGENT, generated(turn, '', [native]));
  add(AGENT, {
    kind: 'move.proposed',
    turn,
    call,
    move: { type: 'ask_expert', task: 'Change it', available_tools: null, context: null, arguments: {} },
    repairs: [],
    ignored_calls: 0,
  });
  add(AGENT, {
    kind: 'consultation.asked',
    consultation,
    turn,
    call,
    trigger: 'agent_call',
    task: 'Change it',
    available_tools: null,
    question: 'Which order is meant?',
    answered_by: 'human',
    deadline_at: null,
    fallback: 'wait',
    via: 'loop',
    request: null,
    link: null,
  });
  add(HUMAN, {
    kind: 'advice.approved',
    consultation,
    act: 'send',
    text: advice,
    draft: null,
    privilege,
    seen_seq: 0,
    timing,
    human_act: null,
  });
  add(SYSTEM, {
    kind: 'advice.delivered',
    consultation,
    as: 'advice',
    text: advice,
    full_length: advice.length,
    delivered_length: advice.length,
    privilege,
    to: 'agent',
  });
  add(SYSTEM, message('tool', advice, turn, 'advice', native));
  return turn;
}
