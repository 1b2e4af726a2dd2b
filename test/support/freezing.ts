// Where text from outside comes in, and texts that make a careless reader go over them again and again.
import { readMove } from '../../src/main/agent/readMove.ts';
import { readConfidence } from '../../src/main/agent/readConfidence.ts';
import { createNames, nativeNames } from '../../src/main/agent/toolNames.ts';
import { readPlain } from '../../src/main/advisor/planRules.ts';
import { searchWords } from '../../src/main/desk/similarAdvice.ts';
import { snippetOf } from '../../src/main/log/search.ts';
import { coverRequest } from '../../src/main/gateway/expert/coverRequest.ts';
import { criteriaIn, isAnalysis } from '../../src/main/gateway/expert/criteria.ts';
import { taskIn } from '../../src/main/gateway/expert/task.ts';
import { readChat } from '../../src/main/gateway/expert/request.ts';
import { modelFailure, statusFailure } from '../../src/main/llm/failures.ts';
import { toolLines } from '../../src/main/llm/toolText.ts';
import { withoutThinking } from '../../src/main/llm/thinking.ts';
import { heard, parseFrame, isSessionGone, refusalText } from '../../src/main/openenv/failures.ts';
import { observationText } from '../../src/main/openenv/observationText.ts';
import { personalChecks } from '../../src/main/dataset/export/preflight/personal.ts';
import { secretChecks } from '../../src/main/dataset/export/preflight/secrets.ts';
import { seenRow } from '../../src/main/dataset/export/preflight/seenRow.ts';
import { signatureOf } from '../../src/main/dataset/export/preflight/nearTasks.ts';
import { leakOf } from '../../src/shared/leak.ts';
import { factsInText, normalizeText, numbersIn } from '../../src/shared/literals.ts';
import { parsePlan, locatePlan } from '../../src/shared/plan.ts';
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
import { errorInWords } from '../../src/shared/sentences/errorInWords.ts';
import { resultSentence } from '../../src/shared/sentences/resultSentence.ts';
import { collectNames } from '../../src/shared/sentences/names.ts';
import { callSentence } from '../../src/shared/sentences/sentence.ts';
import { titleOf } from '../../src/shared/sentences/title.ts';
import { isFormatError } from '../../src/shared/episode/formatError.ts';
import { attemptSentence } from '../../src/shared/sentences/attemptSentence.ts';
import { markWords } from '../../src/shared/scenarioSearch.ts';
import { normalized as undrifted } from '../../src/shared/drift.ts';
import { stretches, countInvisible } from '../../src/shared/invisible.ts';
import { nearest } from '../../src/shared/nearest.ts';
import { checkValue } from '../../src/shared/schema/checkValue.ts';
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
  const row = {
    messages: [
      { role: 'user', content: text },
      { role: 'assistant', content: text },
    ],
  };
  return seenRow(row, JSON.stringify(row));
};

/** Each way in, by what the text is. */
export const ENTRIES: Readonly<Record<string, (text: string) => unknown>> = {
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
  reply: (text) => readMove(reply(text), { protocol: 'xml', tools }),
  'reply in tag': (text) => readMove(reply(`<tool_call>${text}`), { protocol: 'xml', tools }),
  'reply in closed tag': (text) =>
    readMove(reply(`<tool_call>{"name": "${text}</tool_call>`), { protocol: 'xml', tools }),
  'reply as function': (text) => readMove(reply(`<function=a>${text}`), { protocol: 'xml', tools }),
  'reply with args': (text) => readMove(reply(`<tool_call>a<arg_key>${text}`), { protocol: 'xml', tools }),
  'reply, native': (text) => readMove(withCall(text), { protocol: 'native', tools }),
  'reply, native, in a string': (text) =>
    readMove(withCall(`{"name":'${text}`), { protocol: 'native', tools }),
  'marked reply': (text) => readMove(reply(`[TOOL_CALLS]a${text}`), { protocol: 'xml', tools }),
  confidence: (text) => readConfidence(reply(text), tools),
  'confidence argument': (text) => readConfidence(withCall(JSON.stringify({ confidence: text })), tools),
  thinking: (text) => withoutThinking(text),
  'tool description': (text) => toolLines([{ name: text, description: text, input_schema: {} }]),
  'tool names': (text) => createNames([{ name: text, description: '', input_schema: {} }]).find(text),
  'plan by rules': (text) => readPlain(text, tools),
  'plan by rules, tool named': (text) => readPlain(`update_workflow_state ${text} workflow`, tools),
  plan: (text) => parsePlan(text),
  'plan place': (text) => locatePlan(text),
  leak: (text) => leakOf(text, LOCKED, ['known words 103']),
  'leak, known': (text) => leakOf('order 4711 and AB-77', LOCKED, [text]),
  'leak, secrets': (text) => leakOf('order 4711 and AB-77 of Anna Berg', [text], []),
  facts: (text) => factsInText(text),
  'normal form': (text) => numbersIn(normalizeText(text)),
  question: (text) => {
    const body = { model: 'expert', messages: [{ role: 'user', content: text }] };
    readChat(body);
    taskIn([{ role: 'user', text }]);
    isAnalysis([{ role: 'user', text }], []);
    return coverRequest(body, []);
  },
  criteria: (text) => criteriaIn(`criteria ${text}`, [text.slice(0, 30)]),
  'criteria after code': (text) => criteriaIn(`${text}\ndef verify():\n  1${text}`),
  'analysis after code': (text) =>
    isAnalysis([{ role: 'user', text: `${text}\ndef verify():\n  1${text}` }], []),
  'told help': (text) =>
    readToldHelp(
      JSON.stringify([
        { role: 'user', content: text },
        { role: 'assistant', content: text },
      ]),
      new Set(['a']),
    ),
  'error in words': (text) => errorInWords(text),
  'error in words, json': (text) => errorInWords(json(text)),
  'error in words, open': (text) => errorInWords(`{"detail": "${text}`),
  'error in words, detail': (text) => errorInWords(JSON.stringify({ detail: text })),
  'error in words, problem': (text) =>
    errorInWords(JSON.stringify({ detail: [{ loc: ['body', text], msg: text, type: text, input: text }] })),
  'error in words, pattern': (text) =>
    errorInWords(
      JSON.stringify({
        detail: [{ loc: ['body', 'a'], msg: text, type: 'string_pattern_mismatch', ctx: { pattern: text } }],
      }),
    ),
  'error in words, called': (text) => errorInWords(`Error calling ${text}`),
  result: (text) => resultSentence({ tool: 'search_workflows', text }),
  'result, json': (text) =>
    resultSentence({ tool: text, text: JSON.stringify({ [text]: text, name: text }) }),
  names: (text) =>
    collectNames([{ tool: text.slice(0, 100), text: JSON.stringify([{ id: 1, name: text }]) }]),
  call: (text) => callSentence({ name: text, description: text }, { [text]: text, a: text }),
  'call, described': (text) =>
    callSentence(
      { name: 'update_workflow_state', description: text, input_schema: tools[0]?.input_schema ?? {} },
      { workflow_id: 1, state: text },
    ),
  title: (text) => titleOf(text),
  attempt: (text) =>
    attemptSentence({ tool_name: 'a', arguments: text, fate: 'failed', error: text } as unknown as Parameters<
      typeof attemptSentence
    >[0]),
  'format error': (text) =>
    isFormatError([], { type: 'call_tool', tool_name: text, arguments: {} }, null, {
      error: text,
      reward_type: 'tool_not_found',
    }),
  'schema pattern': (text) => checkValue({ pattern: text.slice(0, 300) }, text),
  'schema value': (text) =>
    checkValue({ type: 'object', properties: { a: { pattern: '(a|b)*c', format: 'email' } } }, { a: text }),
  'row checks': (text) => {
    const row = rowOf(text);
    for (const { finds } of [...secretChecks, ...personalChecks])
      finds(row, {} as never, { id: 'sft' } as never);
  },
  'near tasks': (text) => signatureOf(text),
  'similar words': (text) => searchWords(text),
  'marked words': (text) => markWords(text, ['a', 'work']),
  drift: (text) => undrifted(text),
  invisible: (text) => [stretches(text), countInvisible(text)],
  nearest: (text) => nearest(text, ['update_workflow_state', 'a']),
  'search snippet': (text) => snippetOf(text, 'a work'),
  'search query': (text) => snippetOf('a work', text.slice(0, 400)),
  'ten thousand tools of one name': (text) =>
    nativeNames(
      Array.from({ length: 10_000 }, (_, at) => ({
        name: `${'.'.repeat(64)}${String(at)}${text.slice(0, 10)}`,
        description: '',
        input_schema: {},
      })),
    ),
  'limit words': (text) => limitWords(text),
};
