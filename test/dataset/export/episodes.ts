// Owns: real episodes of every kind a person can step into, for formats to be made of.
import { attachAnswers } from '../../../src/main/desk/scriptedAnswers.ts';
import type { EventLog } from '../../../src/main/log/eventLog.ts';
import type { EpisodeInput } from '../../../src/main/dataset/export/format.ts';
import { profilesIn } from '../../../src/main/reward/profiles.ts';
import type { ExportRules } from '../../../src/shared/contract/export.ts';
import type { Saw } from '../../../src/shared/events/actor.ts';
import type { ItemRecord } from '../../../src/shared/review/record.ts';
import type { EpisodeRecord } from '../../../src/shared/episode/record.ts';
import { foldAll } from '../../../src/shared/episode/fold.ts';
import { asked, type RowKind } from '../../support/exporting.ts';
import { createFlow, spec, type serveEnvironment } from '../../support/flow.ts';
import { asking, ME, native, replies, reply, startStepIn } from '../../support/stepIn.ts';

export type Made = { log: EventLog; id: string };
type Environment = Awaited<ReturnType<typeof serveEnvironment>>;
const TIMING = { first_seen_at: null, active_ms: null };
export const GOOD = 'rename_workflow({"id": 2})';

/** What a format reads of an episode. */
export const tell = ({ log, id }: Made, reviews: readonly ItemRecord[] = []): EpisodeInput => ({
  record: foldAll(id, log.read(id)),
  loadText: (text) => log.texts.loadText(text),
  events: () => log.read(id),
  reviews: () => reviews,
  profiles: () => profilesIn([]),
  late: () => log.read(`late/${id}`).flatMap(({ event }) => (event.kind === 'advice.late' ? [event] : [])),
});

export const rowsOf = (
  kind: RowKind,
  played: Made,
  over: Partial<ExportRules> = {},
  reviews: readonly ItemRecord[] = [],
) => {
  const { made, rules } = asked(kind, over);
  const { rows, dropped } = made.rows(tell(played, reviews), rules);
  return {
    rows: rows.map(({ row }) => row as Row),
    facts: rows.map(({ facts }) => facts),
    dropped,
    made: rows,
  };
};
export type Said = {
  role: string;
  content: string;
  tool_calls?: { id: string; function: { name: string; arguments: unknown } }[];
  tool_call_id?: string;
  weight?: number;
};
export type Row = Record<string, unknown> & {
  prompt: Said[];
  completion: Said[];
  chosen: Said[];
  rejected: Said[];
  messages: Said[];
  tools: { function: { name: string } }[];
};

/** Every call of a conversation in short: `rename_workflow {"id":2}`; words without a call as they are. */
export const callsOf = (messages: readonly Said[]): string[] =>
  messages.flatMap(({ role, content, tool_calls: calls }) =>
    role !== 'assistant'
      ? []
      : (calls ?? []).length === 0
        ? [content]
        : (calls ?? []).map(({ function: { name, arguments: args } }) =>
            `${name} ${typeof args === 'string' ? args : JSON.stringify(args)}`.trim(),
          ),
  );

/** The rehearsal agent tries, asks, and does what it is told. */
export async function advised(
  environment: Environment,
  line: Parameters<typeof attachAnswers>[1][number] | null,
  over: Parameters<typeof spec>[1] = {},
): Promise<Made> {
  const { log, desk, supervisor } = createFlow({ places: 1 });
  const undo = attachAnswers({ log, desk }, line === null ? [] : [line]);
  const { id, ended } = supervisor.start(spec(environment.url, { fallback: 'proceed', ...over }));
  await ended;
  undo();
  return { log, id };
}

type Flow = ReturnType<typeof startStepIn>;

/** A call of the agent's waits, and a person decides. */
async function held(flow: Flow, decide: (flow: Flow) => Promise<unknown>): Promise<Made> {
  await flow.held();
  await decide(flow);
  await flow.ended;
  return { log: flow.log, id: flow.id };
}
const RENAME_ONLY = asking([{ glob: 'rename_*', argument: null, does: 'first', count: 1 }]);

export const edited = (environment: Environment, protocol: 'native' | 'xml' = 'native'): Promise<Made> => {
  const call =
    protocol === 'native'
      ? { ...native('rename_workflow', { id: 1 }), content: 'I rename it.' }
      : reply({
          content:
            'I rename it.\n<tool_call>\n{"name": "call_tool", "arguments": {"tool_name": "rename_workflow", "arguments": {"id": 1}}}\n</tool_call>',
        });
  const agent = { policy: 'rehearsal' as const, protocol, model: null };
  const flow = startStepIn(environment.url, replies(call), { agent, ...RENAME_ONLY });
  return held(flow, ({ commands, about }) =>
    commands['call.decide'](
      {
        act: 'edit',
        ...about('t1'),
        tool_name: 'rename_workflow',
        arguments: { id: 2 },
        reason: 'the second is meant',
        is_unchecked: false,
      },
      ME,
    ),
  );
};

export const rejected = (environment: Environment): Promise<Made> => {
  const policy = replies(native('rename_workflow', { id: 1 }), native('rename_workflow', { id: 2 }));
  return held(startStepIn(environment.url, policy, RENAME_ONLY), ({ commands, about }) =>
    commands['call.decide']({ act: 'reject', ...about('t1'), reason: 'that is the first one' }, ME),
  );
};

export const approved = (environment: Environment): Promise<Made> =>
  held(
    startStepIn(environment.url, replies(native('rename_workflow', { id: 2 })), RENAME_ONLY),
    ({ commands, about }) => commands['call.decide']({ act: 'approve', ...about('t1'), similar: false }, ME),
  );

export const answered = (environment: Environment): Promise<Made> => {
  const rules = asking([{ glob: 'find_*', argument: null, does: 'ask', count: null }]);
  const policy = replies(native('find_workflow', { id: 2 }), native('rename_workflow', { id: 2 }));
  return held(startStepIn(environment.url, policy, rules), ({ commands, about }) =>
    commands['call.decide']({ act: 'answer', ...about('t1'), text: '{"id": 2}', is_error: false }, ME),
  );
};

/** A call nobody decided about in time. */
export async function expired(environment: Environment): Promise<Made> {
  const approval = { rules: RENAME_ONLY.approval.rules, deadline_ms: 5, fallback: 'approve' as const };
  const flow = startStepIn(environment.url, replies(native('rename_workflow', { id: 2 })), { approval });
  await flow.ended;
  return { log: flow.log, id: flow.id };
}

/** The agent tries, a person takes over for one call, the agent ends it. */
export async function takenOver(
  environment: Environment,
  isDiscarded = false,
  saw: readonly Saw[] = [],
): Promise<Made> {
  const flow = startStepIn(environment.url, replies(native('find_workflow', { id: 1 })), asking());
  await flow.held();
  await flow.control('take_over');
  flow.desk.noteSeen(ME.seat, flow.id, saw);
  const move = (tool: string, id: number) =>
    flow.commands['takeover.move'](
      {
        episode: flow.id,
        move: { type: 'call_tool', tool_name: tool, arguments: { id } },
        say: 'I do it.',
        is_unchecked: false,
      },
      ME,
    );
  const turn = await move('rename_workflow', 2);
  await flow.until(({ turns }) => turns.find((one) => one.turn === turn.turn)?.call?.returned);
  await flow.control('hand_back', {
    is_discarded: isDiscarded,
    note: isDiscarded ? null : 'It is renamed now.',
  });
  await flow.ended;
  return { log: flow.log, id: flow.id };
}

/** A live label on each of the two calls: the first is wrong, the second right. */
export async function labelled(environment: Environment): Promise<Made> {
  const policy = replies(native('find_workflow', { id: 1 }), native('rename_workflow', { id: 2 }));
  const flow = startStepIn(
    environment.url,
    policy,
    asking([{ glob: 'rename_*', argument: null, does: 'ask', count: null }]),
  );
  await flow.held();
  const call = (tool_name: string, id: number) => ({
    type: 'call_tool' as const,
    tool_name,
    arguments: { id },
  });
  const give = (turn: number, move: ReturnType<typeof call>) =>
    flow.commands['label.give']({ episode: flow.id, turn, move, timing: TIMING }, ME);
  await give(1, call('find_workflow', 2));
  await give(2, call('rename_workflow', 2));
  await flow.commands['call.decide']({ act: 'approve', ...flow.about('t2'), similar: false }, ME);
  await flow.ended;
  return { log: flow.log, id: flow.id };
}

/** One malformed reply, then the right call. */
export async function stumbled(environment: Environment): Promise<Made> {
  const bad = reply({
    content: 'Look:',
    toolCalls: [{ id: 'x1', name: 'rename_workflow', arguments: '{"id": ' }],
  });
  const flow = startStepIn(environment.url, replies(bad, native('rename_workflow', { id: 2 })));
  await flow.ended;
  return { log: flow.log, id: flow.id };
}

export async function solo(environment: Environment): Promise<Made> {
  const flow = startStepIn(environment.url, replies(native('rename_workflow', { id: 2 })));
  await flow.ended;
  return { log: flow.log, id: flow.id };
}

/** One reply makes two calls, which are carried out in order. */
export async function severalCalls(environment: Environment): Promise<Made> {
  const toolCalls = [
    { id: 'call-one', name: 'find_workflow', arguments: '{"id": 2}' },
    { id: 'call-two', name: 'rename_workflow', arguments: '{"id": 2}' },
  ];
  const agent = {
    policy: 'chat' as const,
    protocol: 'native' as const,
    model: null,
  };
  const said = reply({ content: 'I look, and rename it.', toolCalls });
  const flow = startStepIn(environment.url, replies(said), { agent });
  await flow.ended;
  return { log: flow.log, id: flow.id };
}

export const recordOf = ({ log, id }: Made): EpisodeRecord => log.record(id);
