// Owns: recorded episodes for the tests of what views share, built event by event as main would write them.
import type { Actor } from '../../../src/shared/events/actor.ts';
import { AGENT, ENVIRONMENT, SYSTEM } from '../../../src/shared/events/actor.ts';
import type { Fallback } from '../../../src/shared/events/lifecycle.ts';
import type { JsonObject, Move } from '../../../src/shared/events/turns.ts';
import { Recorded, type EventOf, type LogEvent } from '../../../src/shared/events/vocabulary.ts';
import { foldAll } from '../../../src/shared/episode/fold.ts';
import type { EpisodeRecord } from '../../../src/shared/episode/record.ts';
import {
  generated,
  held,
  returned,
  started,
  reset,
  proposed,
  asked,
  drafted,
  ended,
} from '../../support/log.ts';

export const EXPERT: Actor = { type: 'human', id: 'seat-1' };
/** A person takes over, between turns. */
export const TAKEN_OVER: EventOf<'phase.changed'> = {
  kind: 'phase.changed',
  from: 'autonomous',
  to: 'correcting',
  cause: 'person',
  reason: null,
  at_once: false,
};
export const T0 = 1_760_000_000_000;

export const TOOLS = [
  {
    name: 'get_order',
    description: 'One order with its lines.',
    input_schema: {
      type: 'object',
      properties: { order_id: { type: 'integer', description: 'Id of the order' } },
      required: ['order_id'],
    },
  },
  {
    name: 'list_orders',
    description: 'Orders of a customer.',
    input_schema: {
      type: 'object',
      properties: {
        customer_id: { type: 'integer' },
        status: { type: 'string', enum: ['open', 'sent', 'closed'] },
        limit: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: 20 },
      },
      required: ['customer_id'],
    },
  },
  {
    name: 'update_order_status',
    description: 'Moves an order to another status.',
    input_schema: {
      type: 'object',
      properties: {
        order_id: { type: 'integer' },
        status: { type: 'string', enum: ['open', 'sent', 'closed'] },
      },
      required: ['order_id', 'status'],
    },
  },
];

export type Builder = {
  events: Recorded[];
  add: (actor: Actor, event: LogEvent, gapMs?: number) => Builder;
  /** started, connected, reset, tools. */
  open: (overrides?: Partial<Extract<LogEvent, { kind: 'episode.started' }>>) => Builder;
  /** One turn that calls a tool and what came back. */
  call: (tool: string, args: JsonObject, back: { text?: string; error?: string; label?: string }) => Builder;
  turn: (move: Move, content?: string, reasoning?: string | null) => Builder;
  /** The newest call waits for a person. */
  hold: () => Builder;
  ask: (question: string, options?: { deadline_ms?: number; fallback?: Fallback }) => Builder;
  draft: (text: string) => Builder;
  approve: (act: 'accept' | 'edit' | 'send', text: string, actor?: Actor) => Builder;
  deliver: (as: 'advice' | 'draft' | 'declined' | 'timed_out', text: string, full_length?: number) => Builder;
  end: (label: 'complete' | 'incomplete') => Builder;
  record: () => EpisodeRecord;
};

/** An episode that grows by calls. */
export function episode(id = 'e1'): Builder {
  const events: Recorded[] = [];
  let [turn, asks, calls] = [0, 0, 0];
  const builder: Builder = {
    events,
    add(actor, event, gapMs = 400) {
      const at = (events.at(-1)?.at ?? T0 - gapMs) + gapMs;
      events.push(
        Recorded.parse({ seq: events.length + 1, stream: id, n: events.length + 1, at, actor, event }),
      );
      return builder;
    },
    open: (overrides = {}) => opened(builder, overrides),
    turn(move, content = 'I will do this. Then that.', reasoning = null) {
      turn += 1;
      calls += 1;
      return builder
        .add(AGENT, generated({ turn, content, reasoning, latency_ms: 320 }))
        .add(AGENT, proposed({ turn, call: `k${String(calls)}`, move }));
    },
    call(tool, args, { text, error, label }) {
      builder.turn({ type: 'call_tool', tool_name: tool, arguments: args }, `Calling ${tool}. Let us see.`);
      const call = `k${String(calls)}`;
      return builder.add(AGENT, { kind: 'call.sent', call, tool_name: tool, arguments: args }).add(
        ENVIRONMENT,
        returned({
          call,
          frame: JSON.stringify({ type: 'observation', data: { tool_result: text ?? null } }),
          reward_type: label ?? (error === undefined ? 'tool_call_ok' : 'invalid_args'),
          reward: error === undefined ? 0 : -1,
          text: text ?? null,
          error: error ?? null,
        }),
      );
    },
    hold: () => builder.add(SYSTEM, held({ call: `k${String(calls)}`, turn })),
    ask(question, { deadline_ms, fallback = 'wait' } = {}) {
      builder.turn(
        {
          type: 'ask_expert',
          task: 'Close the order',
          available_tools: null,
          context: question,
          arguments: {},
        },
        'I am stuck.',
      );
      asks += 1;
      const at = events.at(-1)?.at ?? T0;
      return builder.add(
        AGENT,
        asked({
          consultation: `${id}:c${String(asks)}`,
          turn,
          call: `k${String(calls)}`,
          task: 'Close the order',
          available_tools: null,
          question,
          deadline_at: deadline_ms === undefined ? null : at + deadline_ms,
          fallback,
        }),
      );
    },
    draft: (text) =>
      builder.add(
        SYSTEM,
        drafted({
          consultation: `${id}:c${String(asks)}`,
          draft: `${id}:d${String(asks)}`,
          text,
          latency_ms: 4,
        }),
      ),
    approve: (act, text, actor = EXPERT) =>
      builder.add(
        actor,
        {
          kind: 'advice.approved',
          human_act: null,
          consultation: `${id}:c${String(asks)}`,
          act,
          text,
          draft: act === 'send' ? null : `${id}:d${String(asks)}`,
          privilege: ['reference'],
          seen_seq: events.length,
          timing: { first_seen_at: T0, active_ms: 9000 },
        },
        20_000,
      ),
    deliver: (as, text, full_length = text.length) =>
      builder.add(SYSTEM, {
        kind: 'advice.delivered',
        consultation: `${id}:c${String(asks)}`,
        as,
        text,
        full_length,
        delivered_length: text.length,
        privilege: ['reference'],
        to: 'agent',
      }),
    end: (label) => withEnd(builder, label),
    record: () => foldAll(id, events),
  };
  return builder;
}

function opened(
  builder: Builder,
  overrides: Partial<Extract<LogEvent, { kind: 'episode.started' }>>,
): Builder {
  return builder
    .add(
      SYSTEM,
      started({
        environment: { id: 'builtin', name: 'Built-in worlds', url: 'ws://127.0.0.1:1/ws', builtin: true },
        scenario: 'orders_1',
        agent: { policy: 'rehearsal', protocol: 'xml', model: null },
        limits: { turns: 15, consultations: 3, time_ms: 600_000, stall_steps: 5, delivered_chars: 24_000 },
        seed: 7,
        ...overrides,
      }),
    )
    .add(ENVIRONMENT, { kind: 'connection.changed', state: 'open', failure: null })
    .add(
      ENVIRONMENT,
      reset({
        request: { scenario: 'orders_1', task_idx: 0 },
        frame: '{"type":"observation"}',
        scenario: 'orders_1',
        task: 'Close the newest open order of customer 12 and tell the number of its lines.',
        num_tools: TOOLS.length,
        latency_ms: 30,
      }),
    )
    .add(ENVIRONMENT, { kind: 'tools.listed', call: null, tools: TOOLS, frame: '{}', latency_ms: 2 });
}

function withEnd(builder: Builder, label: 'complete' | 'incomplete'): Builder {
  const reward = label === 'complete' ? 1 : 0.1;
  return builder
    .turn(
      { type: 'final', text: 'The order is closed. It has 3 lines.' },
      'The order is closed. It has 3 lines.',
    )
    .add(ENVIRONMENT, {
      kind: 'verifier.ran',
      verifier_mode: 'code',
      final_answer: 'The order is closed. It has 3 lines.',
      frame: '{"type":"observation"}',
      reward_type: label,
      reward,
      verify_result: { result: label },
      error: null,
      latency_ms: 9,
    })
    .add(SYSTEM, ended({ final_answer: 'The order is closed. It has 3 lines.', reward_type: label, reward }));
}

export const PLAN = JSON.stringify(
  {
    plan: [
      { tool: 'get_order', args: { order_id: 12 }, purpose: 'Check it is open' },
      { tool: 'update_order_status', args: { order_id: 12, status: 'closed' }, purpose: 'Close it' },
    ],
    success_state: 'Order 12 is closed',
  },
  null,
  2,
);

/** A whole episode: an error, an ask, an edited draft that is followed, a verdict. */
export const assisted = (id = 'e1'): Builder =>
  episode(id)
    .open()
    .call('get_order', { order_id: 'twelve' }, { error: 'order_id: not a whole number' })
    .call(
      'list_orders',
      { customer_id: 12, status: 'open' },
      { text: '{"orders":[{"order_id":12},{"order_id":15}]}' },
    )
    .ask('There are two open orders. Which one is the newest?')
    .draft(PLAN.replaceAll('12', '15'))
    .approve('edit', PLAN)
    .deliver('advice', PLAN)
    .call('get_order', { order_id: 12 }, { text: '{"order_id":12,"lines":3}' })
    .call('update_order_status', { status: 'closed', order_id: 12 }, { text: '{"ok":true}' })
    .end('complete');

/** An episode that ended with a reward which nothing of ours judged, as a file may tell it. */
export const unjudged = (): EpisodeRecord =>
  episode()
    .open({ source: 'import' })
    .add(SYSTEM, ended({ final_answer: null, reward_type: null }))
    .record();
