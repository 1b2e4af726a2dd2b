// Where text from outside comes in, and texts that make a careless reader go over them again and again.
import { readMove } from '../../src/main/agent/readMove.ts';
import { readConfidence } from '../../src/main/agent/readConfidence.ts';
import { createNames, nativeNames } from '../../src/main/agent/toolNames.ts';
import { readPlain } from '../../src/main/advisor/makePlan.ts';
import { searchWords } from '../../src/main/desk/similarAdvice.ts';
import { snippetOf } from '../../src/main/log/searchIndex.ts';
import { coverRequest, criteriaIn, isAnalysis } from '../../src/main/gateway/expert/coverRequest.ts';
import { taskIn } from '../../src/main/gateway/expert/door.ts';
import { readChat } from '../../src/main/gateway/expert/request.ts';
import { REPLY_MAX } from '../../src/main/llm/port.ts';
import { modelFailure, statusFailure } from '../../src/main/llm/failures.ts';
import { toolLines } from '../../src/main/llm/toolText.ts';
import { withoutThinking } from '../../src/main/llm/thinking.ts';
import { heard, isSessionGone, parseFrame, refusalText } from '../../src/main/openenv/failures.ts';
import { observationText } from '../../src/main/openenv/observationText.ts';
import type { Format } from '../../src/main/dataset/export/format.ts';
import { eventMarks } from '../../src/main/dataset/export/preflight/privacy.ts';
import { createRowChecks } from '../../src/main/dataset/export/preflight/checks.ts';
import { seenRow, type SeenRow } from '../../src/main/dataset/export/preflight/seenRow.ts';
import { signatureOf } from '../../src/main/dataset/export/preflight/nearTasks.ts';
import type { ExportRules } from '../../src/shared/contract/export.ts';
import { leakOf } from '../../src/shared/leak.ts';
import { factsInText, normalizeText, numbersIn } from '../../src/shared/literals.ts';
import { locatePlan, parsePlan } from '../../src/shared/plan.ts';
import { readToldHelp } from '../../src/shared/episode/toldHelp.ts';
import { shownAddress } from '../../src/shared/redact/address.ts';
import { createCover } from '../../src/shared/redact/cover.ts';
import {
  coverEchoes,
  echoesOf,
  redactJson,
  redactMessage,
  redactText,
  withoutMarks,
} from '../../src/shared/redact/redact.ts';
import { isSecretName } from '../../src/shared/redact/names.ts';
import { attemptSentence, errorInWords } from '../../src/shared/sentences/errorInWords.ts';
import { resultSentence } from '../../src/shared/sentences/resultSentence.ts';
import { collectNames } from '../../src/shared/sentences/names.ts';
import { callSentence } from '../../src/shared/sentences/sentence.ts';
import { titleOf } from '../../src/shared/sentences/words.ts';
import { isFormatError } from '../../src/shared/episode/turns.ts';
import { markWords } from '../../src/shared/scenarioSearch.ts';
import { normalized as undrifted } from '../../src/shared/drift.ts';
import { countInvisible, stretches } from '../../src/shared/invisible.ts';
import { nearest } from '../../src/shared/nearest.ts';
import { checkValue } from '../../src/shared/schema/checkValue.ts';
import { READ_MAX } from '../../src/shared/truncate.ts';
import { imageOf } from '../../src/shared/observation.ts';
import { limitWords } from '../../src/shared/episode/baseline.ts';

/** What a text of one alphabet is made of; each is repeated to the length that is asked for. */
export const ALPHABETS: Readonly<Record<string, string>> = {
  spaces: ' ',
  backslashes: '\\',
  quotes: '"',
  brackets: '[',
  digits: '0',
  letters: 'a',
};

/** Mixes that begin what some reader looks for, and never end it. */
export const MIXES: readonly string[] = [
  ['\n', '\t', '{', '}', '(', '<', '_', '-', '.', '/', '?', '@', '“', "'", '`', 'A', 'é', '😀', '\ud83d'],
  [
    'a ',
    'Aa ',
    '=:',
    '\\"',
    '"\\',
    '{"',
    '[{',
    '{"a":',
    '[1,',
    '{"plan":',
    'a@',
    'a@a.',
    'a=',
    'a: ',
    'a(',
    'a({',
  ],
  [
    'A0',
    '0a',
    '0 ',
    '0,',
    '0.',
    '-0',
    '+1 ',
    ' \n',
    '\\n',
    '\\u0061',
    '- ',
    '1. ',
    '&a=',
    '?a=',
    '://',
    'a://',
    '/home/a',
  ],
  [
    '```',
    '```json\n{',
    '"""',
    '<tool_call>{',
    '<function=a>',
    '<parameter=a>',
    '<arg_key></arg_key><arg_value>',
  ],
  ['<invoke name="a">', '<parameter name="a"', '<think>', '<confidence> ', '"confidence":', 'confidence '],
  [
    '-----BEGIN PRIVATE KEY-----\\',
    'sk-',
    'xai-a',
    '-eyJaaaaaaaa',
    'Bearer ',
    'password=',
    'password: ',
    '"token":"',
    'key="',
    "pwd='",
    '://a:b@',
    '"password":"ab12cd34",',
  ],
  [
    'Server=a;',
    'user=',
    'host=a password=',
    'invite.',
    'Q~',
    '[redacted:1',
    '⟦covered 1.',
    'task: ',
    'criteria:\n\n',
  ],
  ['def verify(\n', '<rubric>', 'Error calling a:', '[\n', 'status', 'for url ', '[{"loc":["a"],"msg":"a"},'],
  [
    'workflow ',
    'name “',
    'Name Name ',
    '_ª0',
    '### Responses',
    '[\\A',
    'Traceback (most recent call last)\n',
  ],
].flat();

/** A text of about so many characters. */
export const repeated = (unit: string, length: number): string =>
  // Flat, as what was received is.
  Buffer.from(unit.repeat(Math.ceil(length / unit.length)), 'utf16le').toString('utf16le');

/** The processor time this thread took, in milliseconds: how busy the machine is does not count. */
export function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const TOOLS = [
  {
    name: 'update_workflow_state',
    description: 'Update the state of a workflow.',
    input_schema: {
      type: 'object',
      properties: {
        workflow_id: { type: 'integer' },
        state: { type: 'string', enum: ['paused', 'live'] },
        name: { type: 'string' },
      },
      required: ['workflow_id'],
    },
  },
] as const;
const tools = TOOLS as unknown as Parameters<typeof readPlain>[1];
const config = {
  apiKey: 'sk-test-1234567890abcdef',
  baseUrl: 'http://user:pass123@localhost/v1',
} as unknown as Parameters<typeof modelFailure>[0];
const address = { base: 'ws://a', secrets: ['hunter22'], connect: { ca: null } } as unknown as Parameters<
  typeof parseFrame
>[1];
const quiet = (run: () => unknown): void => {
  try {
    run();
  } catch {
    /* a failure is an answer */
  }
};
const reply = (content: string) =>
  ({
    content,
    reasoning: null,
    toolCalls: [],
    stopReason: 'stop',
    usage: null,
    model: 'm',
  }) as unknown as Parameters<typeof readMove>[0];
const withCall = (args: string) => ({
  ...reply(''),
  toolCalls: [{ id: '1', name: 'update_workflow_state', arguments: args }],
});
const knowing = createCover(Array.from({ length: 64 }, (_, n) => `Zz9-longer/secret-${String(n)}`));
const cover = createCover(['hunter2hunter2', 'Zz9-longer-secret']);
const LOCKED: readonly string[] = [
  'The customer "Anna Berg" must have order 4711 with code AB-77 and total 12.50.',
  '{"workflow_id": 103, "state": "paused"}',
];
const json = (text: string) => JSON.stringify({ a: text });
const rowOf = (text: string) => {
  const row = { messages: [{ role: 'user', content: text }] };
  return seenRow(row, JSON.stringify(row));
};

type Read = (text: string) => unknown;
/** The processor time that a text of 1 and of 8 MiB may take, in milliseconds; null where the longer one goes elsewhere. */
type Limits = { oneMib: number; eightMib: number | null };
/** `pause` is where others have their turn. */
type LimitedRead = {
  prepare: Read;
  read: (given: unknown, pause: () => Promise<void>) => unknown;
  limits: Limits;
};
/** A way in: what is done with a text, and for how long it may hold main where that is not `COVERED_ON_A_WORKER`. */
export type WayIn = Read | LimitedRead;

const LIMITS: Limits = { oneMib: 50, eightMib: 100 };
/** What is longer is covered on a worker. Of every way in that says nothing else. */
export const COVERED_ON_A_WORKER: Limits = { oneMib: 50, eightMib: null };
/** An export looks at the whole of what was said, however long. */
const READ_WHOLE: Limits = { oneMib: 50, eightMib: null };

/** `prepare` makes of the text what comes in; the time for that is not counted. */
const prepared = <Given>(
  prepare: (text: string) => Given,
  read: (given: Given, pause: () => Promise<void>) => unknown,
  limits = LIMITS,
): LimitedRead => ({ prepare, read: (given, pause) => read(given as Given, pause), limits });
const limited = (read: Read, limits = LIMITS): LimitedRead =>
  prepared(
    (text) => text,
    (text) => read(text),
    limits,
  );

/** How long a way in took with a text, and the longest time for which it held main. */
export async function timed(way: WayIn, text: string): Promise<{ whole: number; longest: number }> {
  const given = typeof way === 'function' ? text : way.prepare(text);
  const laps: number[] = [];
  let from = processorTime();
  const lap = (): void => {
    laps.push(processorTime() - from);
    from = processorTime();
  };
  const pause = (): Promise<void> => {
    lap();
    return Promise.resolve();
  };
  await (typeof way === 'function' ? way(text) : way.read(given, pause));
  lap();
  return { whole: laps.reduce((sum, one) => sum + one, 0), longest: Math.max(...laps) };
}

const checkRow = (row: SeenRow, pause: () => Promise<void>): Promise<number> =>
  createRowChecks({ id: 'sft', columns: null } as Format, {} as ExportRules, pause)(row);

/** Each way in, by what the text is. */
export const ENTRIES: Readonly<Record<string, WayIn>> = {
  'redact text': (text) => redactText(text),
  'redact message': (text) => redactMessage(text, ['hunter22']),
  'redact json': (text) => redactJson({ a: text, list: [text] }),
  'redact json name': (text) => redactJson({ [text]: text, name: text, value: text }),
  'redact list': (text) => redactJson(['--api-key', text, text]),
  'json in json': (text) => redactJson({ a: `{"a": ${JSON.stringify(text)}}` }),
  'open json': (text) => redactJson({ a: `{"a": ${text}` }),
  'without marks': (text) => withoutMarks({ a: text }),
  'secret name': (text) => isSecretName(text),
  cover: (text) => createCover([]).cover({ a: text }),
  'cover, json': (text) => createCover([]).cover({ result: json(text) }),
  'cover, open json': (text) => createCover([]).cover({ result: `{"a":${text}` }),
  'cover, arguments': (text) => createCover([]).cover({ arguments: { a: text } }),
  'cover, arguments in a text': (text) => createCover([]).cover({ arguments: json(text) }),
  'cover, named arguments': (text) => createCover([]).coverArguments({ password: text, a: text }),
  'cover, many values': (text) => {
    const step = Math.ceil(text.length / 10_000);
    const list = Array.from({ length: Math.ceil(text.length / step) }, (_, n) =>
      text.slice(n * step, n * step + step),
    );
    return createCover([]).cover({ list });
  },
  'cover, 64 echoes': (text) => knowing.cover({ a: text }),
  reveal: (text) => knowing.reveal({ a: `${text}[redacted:19]` }),
  'cover, reveal': (text) => cover.reveal(cover.cover({ a: text })),
  'cover echoes': (text) => coverEchoes(text, echoesOf([text.slice(0, 50), 'hunter22'])),
  'echoes of': (text) => coverEchoes('x', echoesOf([text])),
  'shown address': (text) => shownAddress(`http://a/${text}`),
  'model failure': (text) => modelFailure(config, 'model_bad_request', 'x', { detail: text, next: '' }),
  'model status': (text) =>
    statusFailure(config, { status: 400, code: '', param: '', message: text, retryAfterMs: null }),
  'model param': (text) =>
    statusFailure(config, { status: 400, code: text, param: text, message: text, retryAfterMs: null }),
  'environment said': (text) => heard(address, text),
  'environment frame': (text) => quiet(() => parseFrame(text, address)),
  'environment frame of another shape': (text) =>
    quiet(() => parseFrame(JSON.stringify({ type: text }), address)),
  'session gone': (text) => isSessionGone(text),
  'refusal text': (text) => refusalText({ message: text, errors: [{ loc: [text], msg: text }] }),
  observation: (text) => observationText({ a: text, b: [text], c: { d: text } }),
  image: (text) => imageOf(text),
  reply: limited((text) => readMove(reply(text), { protocol: 'xml', tools })),
  'reply in tag': limited((text) => readMove(reply(`<tool_call>${text}`), { protocol: 'xml', tools })),
  'reply in closed tag': limited((text) =>
    readMove(reply(`<tool_call>{"name": "${text}</tool_call>`), { protocol: 'xml', tools }),
  ),
  'reply as long as is read': limited((text) =>
    readMove(reply(`<tool_call>{"name": "${text}`.slice(0, REPLY_MAX - 12) + '</tool_call>'), {
      protocol: 'xml',
      tools,
    }),
  ),
  'reply as function': limited((text) => readMove(reply(`<function=a>${text}`), { protocol: 'xml', tools })),
  'reply with args': limited((text) =>
    readMove(reply(`<tool_call>a<arg_key>${text}`), { protocol: 'xml', tools }),
  ),
  'reply, native': limited((text) => readMove(withCall(text), { protocol: 'native', tools })),
  'reply, native, in a string': limited((text) =>
    readMove(withCall(`{"name":'${text}`.slice(0, REPLY_MAX - 100)), { protocol: 'native', tools }),
  ),
  'reply, native, whole': limited((text) =>
    readMove(withCall(`{"name":'${text.slice(0, REPLY_MAX - 100)}'}`), { protocol: 'native', tools }),
  ),
  'marked reply': limited((text) => readMove(reply(`[TOOL_CALLS]a${text}`), { protocol: 'xml', tools })),
  confidence: limited((text) => readConfidence(reply(text), tools)),
  'confidence argument': prepared(
    (text) => withCall(JSON.stringify({ confidence: text }).slice(0, REPLY_MAX)),
    (given) => readConfidence(given, tools),
  ),
  thinking: limited((text) => withoutThinking(text)),
  'tool description': (text) => toolLines([{ name: text, description: text, input_schema: {} }]),
  'tool names': limited((text) =>
    createNames([{ name: text, description: '', input_schema: {} }]).find(text),
  ),
  'plan by rules': limited((text) => readPlain(text, tools)),
  'plan by rules, tool named': limited((text) => readPlain(`update_workflow_state ${text} workflow`, tools)),
  plan: limited((text) => parsePlan(text)),
  'plan as long as is read': limited((text) => parsePlan(text.slice(0, READ_MAX))),
  'plan place': limited((text) => locatePlan(text.slice(0, READ_MAX))),
  leak: limited((text) => leakOf(text, LOCKED, ['known words 103'])),
  'leak, known': limited((text) => leakOf('order 4711 and AB-77', LOCKED, [text])),
  'leak, secrets': limited((text) => leakOf('order 4711 and AB-77 of Anna Berg', [text], [])),
  facts: limited((text) => factsInText(text), READ_WHOLE),
  'normal form': limited((text) => numbersIn(normalizeText(text)), READ_WHOLE),
  question: limited((text) => {
    readChat({ model: 'expert', messages: [{ role: 'user', content: text }] });
    taskIn([{ role: 'user', text }]);
    return isAnalysis([{ role: 'user', text }], []);
  }),
  'question, covered': limited(
    (text) => coverRequest({ model: 'expert', messages: [{ role: 'user', content: text }] }, []),
    COVERED_ON_A_WORKER,
  ),
  criteria: limited((text) => criteriaIn(`criteria ${text}`, [text.slice(0, 30)]), COVERED_ON_A_WORKER),
  'criteria after code': limited(
    (text) => criteriaIn(`${text}\ndef verify():\n  1${text}`),
    COVERED_ON_A_WORKER,
  ),
  'analysis after code': limited((text) =>
    isAnalysis([{ role: 'user', text: `${text}\ndef verify():\n  1${text}` }], []),
  ),
  'told help': prepared(
    (text) =>
      JSON.stringify([
        { role: 'user', content: text },
        { role: 'assistant', content: text },
      ]),
    (messages) => readToldHelp(messages, new Set(['a'])),
  ),
  'error in words': limited((text) => errorInWords(text)),
  'error in words, json': prepared(json, errorInWords),
  'error in words, open': limited((text) => errorInWords(`{"detail": "${text}`)),
  'error in words, detail': prepared((text) => JSON.stringify({ detail: text }), errorInWords),
  'error in words, problem': prepared(
    (text) => JSON.stringify({ detail: [{ loc: ['body', text], msg: text, type: text, input: text }] }),
    errorInWords,
  ),
  'error in words, pattern': prepared(
    (text) =>
      JSON.stringify({
        detail: [{ loc: ['body', 'a'], msg: text, type: 'string_pattern_mismatch', ctx: { pattern: text } }],
      }),
    errorInWords,
  ),
  'error in words, called': limited((text) => errorInWords(`Error calling ${text}`)),
  result: limited((text) => resultSentence({ tool: 'search_workflows', text })),
  'result, json': prepared(
    (text) => ({ tool: text, text: JSON.stringify({ [text]: text, name: text }) }),
    resultSentence,
  ),
  'result, json as long as is read': prepared((text) => {
    const part = text.slice(0, READ_MAX / 12);
    return { tool: part, text: JSON.stringify({ [part]: part, name: part, b: part, c: part }) };
  }, resultSentence),
  names: prepared(
    (text) => [{ tool: text.slice(0, 100), text: JSON.stringify([{ id: 1, name: text }]) }],
    collectNames,
  ),
  call: limited((text) => callSentence({ name: text, description: text }, { [text]: text, a: text })),
  'call, described': limited((text) =>
    callSentence(
      { name: 'update_workflow_state', description: text, input_schema: tools[0]?.input_schema ?? {} },
      { workflow_id: 1, state: text },
    ),
  ),
  title: limited((text) => titleOf(text)),
  attempt: limited((text) =>
    attemptSentence({ tool_name: 'a', arguments: text, fate: 'failed', error: text } as unknown as Parameters<
      typeof attemptSentence
    >[0]),
  ),
  'format error': limited((text) =>
    isFormatError([], { type: 'call_tool', tool_name: text, arguments: {} }, null, {
      error: text,
      reward_type: 'tool_not_found',
    }),
  ),
  'schema pattern': limited((text) => checkValue({ pattern: text.slice(0, 300) }, text)),
  'schema value': limited((text) =>
    checkValue({ type: 'object', properties: { a: { pattern: '(a|b)*c', format: 'email' } } }, { a: text }),
  ),
  'row checks': prepared(rowOf, checkRow),
  'event checks': prepared(
    (text) => [{ n: 1, body: json(text) }],
    (rows, pause) => eventMarks(rows, (body) => body, pause),
  ),
  'near tasks': limited((text) => signatureOf(text)),
  'similar words': limited((text) => searchWords(text)),
  'marked words': limited((text) => markWords(text, ['a', 'work'])),
  drift: limited((text) => undrifted(text)),
  invisible: limited((text) => [stretches(text), countInvisible(text)]),
  nearest: limited((text) => nearest(text, ['update_workflow_state', 'a'])),
  'search snippet': limited((text) => snippetOf(text, 'a work')),
  'search query': limited((text) => snippetOf('a work', text.slice(0, 400))),
  'ten thousand tools of one name': prepared(
    (text) =>
      Array.from({ length: 10_000 }, (_, at) => ({
        name: `${'.'.repeat(64)}${String(at)}${text.slice(0, 10)}`,
        description: '',
        input_schema: {},
      })),
    nativeNames,
  ),
  'limit words': limited((text) => limitWords(text)),
};
