// A client's episode: its calls are seen on the wire, its words are told by the client.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExportFormat, ExportRules } from '../../../src/shared/contract/export.ts';
import { ENVIRONMENT } from '../../../src/shared/events/actor.ts';
import type { JsonObject } from '../../../src/shared/events/turns.ts';
import type { LogEvent } from '../../../src/shared/events/vocabulary.ts';
import { AGENT, ended, HUMAN, openLog, SYSTEM } from '../../support/log.ts';
import { openTapped } from '../../support/tapped.ts';
import { callsOf, rowsOf, type Row } from './episodes.ts';

const ID = 'e1';
const TIMING = { first_seen_at: null, active_ms: null };
const DECIDED = { seen_seq: 1, timing: TIMING };
let log: ReturnType<typeof openLog>;
beforeEach(() => {
  log = openLog();
  openTapped(log, { id: ID });
});
afterEach(() => log.close());

const put = (actor: typeof SYSTEM, ...events: LogEvent[]): void => {
  for (const event of events) log.append(ID, actor, event);
};
const proposed = (turn: number, tool: string, args: JsonObject): void =>
  put(AGENT, {
    kind: 'move.proposed',
    turn,
    call: `t${String(turn)}`,
    move: { type: 'call_tool', tool_name: tool, arguments: args },
    repairs: [],
    ignored_calls: 0,
  });
const returned = (turn: number, tool: string, args: JsonObject): void => {
  const call = `t${String(turn)}`;
  put(AGENT, { kind: 'call.sent', call, tool_name: tool, arguments: args });
  put(ENVIRONMENT, {
    kind: 'call.returned',
    call,
    frame: '{}',
    reward_type: 'tool_call_ok',
    reward: 0,
    done: false,
    text: 'ok',
    error: null,
    latency_ms: 1,
  });
};
/** A call of the client's agent as the wire had it. */
const made = (turn: number, tool: string, args: JsonObject = {}): void => {
  proposed(turn, tool, args);
  returned(turn, tool, args);
};
const touched = (turn: number, touch: 'edited' | 'answered' | 'note_in_result'): void =>
  put(SYSTEM, { kind: 'turn.touched', turn, touch });

type Told = Record<string, unknown> & { role: string };
const said = (content: string, ...calls: [string, JsonObject][]): Told => ({
  role: 'assistant',
  content,
  ...(calls.length === 0
    ? {}
    : {
        tool_calls: calls.map(([name, args], i) => ({
          id: `${name}${String(i)}`,
          type: 'function',
          function: { name, arguments: JSON.stringify(args) },
        })),
      }),
});
const gave = (content: string, id?: string): Told => ({
  role: 'tool',
  content,
  ...(id === undefined ? {} : { tool_call_id: id }),
});
const TASK: Told[] = [
  { role: 'system', content: 'Act.' },
  { role: 'user', content: 'Rename the second workflow.' },
];
/** Tells the conversation and ends the episode as completed. */
const tell = (...messages: Told[]): void => {
  put(AGENT, {
    kind: 'conversation.told',
    messages: JSON.stringify([...TASK, ...messages]),
    tools: null,
    by: 'client',
  });
  put(SYSTEM, ended());
};
const rows = (format: ExportFormat, over: Partial<ExportRules> = {}) => rowsOf(format, { log, id: ID }, over);
const taught = (found: readonly Row[]): string[][] => found.map(({ completion }) => callsOf(completion));

describe('a client’s conversation', () => {
  it('makes the rows an episode of our own would, with results that answer the calls in their order', () => {
    made(1, 'find', { q: 'second' });
    made(2, 'rename', { id: 2 });
    tell(
      said('I look.', ['find', { q: 'second' }]),
      gave('id 2'),
      said('', ['rename', { id: 2 }]),
      gave('ok'),
      said('Done.'),
    );

    const [row] = rows('sft').rows;

    expect(row).toMatchObject({ act: 'unknown', actor: 'agent', episode: ID });
    expect(row?.prompt.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(callsOf(row?.completion ?? [])).toEqual(['find {"q":"second"}', 'rename {"id":2}', 'Done.']);
    expect(row?.completion.flatMap(({ tool_call_id: id }) => id ?? [])).toEqual(['find0', 'rename0']);
  });

  it('that nobody told makes no rows for trainers, and records of its calls', () => {
    made(1, 'find');
    put(SYSTEM, ended());

    expect(rows('sft')).toMatchObject({ rows: [], dropped: { no_transcript: 1 } });
    expect(JSON.stringify(rows('atif').rows[0]?.['steps'])).toContain('"function_name":"find"');
  });

  it('that is broken makes none either', () => {
    made(1, 'find');
    put(AGENT, { kind: 'conversation.told', messages: '[{"role": 1}]', tools: null, by: 'client' });
    put(SYSTEM, ended());

    expect(rows('sft')).toMatchObject({ rows: [], dropped: { no_transcript: 1 } });
  });
});

describe('a turn that a person changed for a client’s agent', () => {
  it('never trains: what stands before and after it does', () => {
    made(1, 'find', { q: 'a' });
    made(2, 'rename', { id: 1 });
    touched(2, 'edited');
    tell(
      said('', ['find', { q: 'a' }]),
      gave('1, 2'),
      said('', ['rename', { id: 1 }]),
      gave('ok'),
      said('Done.'),
    );

    expect(taught(rows('sft').rows)).toEqual([['find {"q":"a"}'], ['Done.']]);
  });

  it('is not mistaken for a call that the client refused itself before', () => {
    made(1, 'rename', { id: 2 });
    touched(1, 'edited');
    tell(
      said('', ['rename', { id: 9 }]),
      gave('no such id'),
      said('', ['rename', { id: 2 }]),
      gave('ok'),
      said('Done.'),
    );

    expect(taught(rows('sft').rows)).toEqual([['rename {"id":9}'], ['Done.']]);
  });

  it('leaves the whole episode out where nobody can say which reply it was', () => {
    made(1, 'find');
    made(2, 'rename');
    touched(2, 'edited');
    tell(said('', ['find', {}]), gave('ok'), said('Done.'));

    expect(rows('sft')).toMatchObject({ rows: [], dropped: { touched_turn_not_found: 1 } });
  });

  it('is found where the client itself names its turns', () => {
    made(1, 'find');
    made(2, 'rename');
    touched(2, 'edited');
    tell({ ...said('', ['other_name', {}]), turn: 2 }, gave('ok'), said('Done.'));

    expect(taught(rows('sft').rows)).toEqual([['Done.']]);
  });

  it('keeps the calls beside it in the same reply from training', () => {
    made(1, 'find', { q: 'a' });
    made(2, 'rename', { id: 2 });
    touched(2, 'edited');
    tell(
      said('', ['find', { q: 'a' }], ['rename', { id: 2 }]),
      gave('1', 'find0'),
      gave('ok', 'rename1'),
      said('Done.'),
    );

    expect(taught(rows('sft').rows)).toEqual([['Done.']]);
  });

  it('is no environment’s result where a person gave it: it is left out unless it is asked for', () => {
    proposed(1, 'find', { q: 'a' });
    put(HUMAN, {
      kind: 'call.answered',
      call: 't1',
      text: '2',
      is_error: false,
      privilege: ['criteria'],
      ...DECIDED,
    });
    touched(1, 'answered');
    tell(said('', ['find', { q: 'a' }]), gave('2'), said('Done.'));

    const made = rows('sft');

    expect(made.rows).toMatchObject([{ act: 'answered', actor: 'human', privilege: 'unknown' }]);
    expect(made.facts.map(({ hasFabricated }) => hasFabricated)).toEqual([true]);
  });
});

const advice = (text: string): void => {
  const consultation = `${ID}:c1`;
  put(SYSTEM, {
    kind: 'consultation.asked',
    consultation,
    turn: 1,
    call: null,
    trigger: 'agent_call',
    task: 'Rename it.',
    available_tools: null,
    question: 'Which?',
    answered_by: 'human',
    deadline_at: null,
    fallback: 'wait',
    via: 'mcp',
    request: null,
    link: null,
  });
  put(HUMAN, {
    kind: 'advice.approved',
    consultation,
    act: 'send',
    text,
    draft: null,
    privilege: [],
    ...DECIDED,
    human_act: null,
  });
  put(SYSTEM, {
    kind: 'advice.delivered',
    consultation,
    as: 'advice',
    text,
    full_length: text.length,
    delivered_length: text.length,
    privilege: [],
    to: 'agent',
  });
};

describe('advice that a client’s agent read', () => {
  it('cuts the conversation where it stands, not where a result happens to hold the same words', () => {
    made(1, 'find', { q: 'a' });
    advice('Take 2');
    made(2, 'rename', { id: 2 });
    tell(
      said('', ['find', { q: 'a' }]),
      gave('1, 2. Take 2 or 1.'),
      said('', ['ask_expert', { question: 'Which?' }]),
      gave('Take 2'),
      said('', ['rename', { id: 2 }]),
      gave('ok'),
      said('Done.'),
    );

    const made1 = rows('sft').rows;

    expect(made1).toMatchObject([
      { act: 'send', actor: 'human', consultation: `${ID}:c1`, leak_free: false },
    ]);
    expect(taught(made1)).toEqual([['rename {"id":2}', 'Done.']]);
  });

  it('is taken out with its question where the expert is to be stripped', () => {
    advice('Take 2');
    made(1, 'rename', { id: 2 });
    tell(
      said('', ['ask_expert', { question: 'Which?' }]),
      gave('Take 2'),
      said('', ['rename', { id: 2 }]),
      gave('ok'),
      said('Done.'),
    );

    const [row] = rows('sft', { privilege: 'strip' }).rows;

    expect(JSON.stringify([row?.prompt, row?.completion])).not.toContain('Take 2');
    expect(callsOf(row?.completion ?? [])).toEqual(['rename {"id":2}', 'Done.']);
  });

  it('and a note inside of a result go alone: the result stays', () => {
    made(1, 'find', { q: 'a' });
    put(HUMAN, { kind: 'note.interjected', note: 'n1', text: 'Look twice.', privilege: [], timing: TIMING });
    put(SYSTEM, { kind: 'note.delivered', note: 'n1', turn: 1 });
    tell(said('', ['find', { q: 'a' }]), gave('1, 2\n\nLook twice.'), said('Done.'));

    const [plain] = rows('sft').rows;
    const [row] = rows('sft', { privilege: 'strip' }).rows;

    expect(plain).toMatchObject({ act: 'note', actor: 'human' });
    expect(row?.prompt.at(-1)).toMatchObject({ role: 'tool', content: '1, 2', tool_call_id: 'find0' });
  });
});
