// Owns: reading the run folder of Snowflake's Agent World Model agent: its trajectory, verdict and databases.
import { readFile } from 'node:fs/promises';
import { LIMITS } from './limits.ts';
import { nativeCall } from './moves.ts';
import { createNotes } from './notes.ts';
import {
  blankEpisode,
  DONE,
  type Beside,
  type End,
  type Input,
  type ReadEpisode,
  type Reader,
} from './read.ts';
import { createTelling, type Telling } from './telling.ts';
import { NO_RESULT } from './told.ts';
import { readTree } from './tree.ts';
import {
  asJson,
  fieldsOf,
  listIn,
  listOf,
  stepsIn,
  numberOf,
  own,
  parseValue,
  rewardOf,
  textOf,
  wholeOf,
  wordsOf,
  type Fields,
} from './values.ts';

const NOT_RECORDED = [
  'times of single steps',
  'tool schemas',
  'rewards and labels of single calls',
  'token counts',
  'the reset',
];
/** How this harness marks a failed call. */
const ERROR = 'Error: ';

/** One episode a file; `verify.code.json` or `verify.sql.json` beside it holds the verdict. */
export const readSnowflake: Reader = async function* (input) {
  if (input.isKnown(0)) return;
  const notes = createNotes(input.notes);
  const tree = await readTree(input.chunks(), {
    wish: (path) =>
      path.length === 0 || (path.length === 1 && (path[0] === 'trajectory' || path[0] === 'messages'))
        ? 'into'
        : 'take',
    notes,
  });
  const telling = createTelling(notes);
  const model = textOf(tree['model']);
  for (const message of listIn(tree, 'messages', '', notes)) {
    const role = own(message, 'role');
    if (role === 'assistant') break;
    if (role === 'system' || role === 'user') telling.message(role, wordsOf(own(message, 'content')));
  }
  const steps = stepsIn(tree, 'trajectory', '', notes).map(({ step }) => step);
  for (const step of steps) tellIteration(telling, step, model);
  const answer = telling.finish(own(steps.at(-1), 'is_final') === true);
  const verdict = await readVerdict(telling, input);
  yield {
    ...blankEpisode(0, notes),
    scenario: textOf(tree['scenario']),
    taskIdx: wholeOf(tree['task_id']),
    task: textOf(tree['task']),
    model,
    protocol: 'xml',
    startedAt: startOf(tree, telling),
    body: telling.entries,
    end: { ...endOf(tree, steps), ...verdict.end, finalAnswer: answer },
    notRecorded: verdict.file === null ? [...NOT_RECORDED, 'the verdict'] : NOT_RECORDED,
    companions: companionsOf(input, verdict.file),
    extra: {
      ...(numberOf(tree['temperature']) === null ? {} : { temperature: numberOf(tree['temperature']) }),
      ...(wholeOf(tree['max_iterations']) === null
        ? {}
        : { max_iterations: wholeOf(tree['max_iterations']) }),
    },
  };
};

function tellIteration(telling: Telling, step: unknown, model: string | null): void {
  // Of several calls in a reply this harness carries out the first.
  const [first, ...ignored] = listOf(own(step, 'tool_calls'));
  if (ignored.length > 0)
    telling.notes.note('calls_not_made', 'calls after the first of a reply were not carried out');
  const calls =
    first === undefined
      ? []
      : [
          nativeCall(
            textOf(own(first, 'id')) ?? '',
            textOf(own(first, 'name')) ?? '',
            own(first, 'arguments'),
          ),
        ];
  const bare = { reasoning: null, stopReason: null, usage: null, latencyMs: null, at: null };
  telling.turn({ ...bare, content: wordsOf(own(step, 'content')), calls, model });
  const response = own(step, 'tool_response');
  if (response === undefined || response === null || calls.length === 0) return;
  const text = wordsOf(own(response, 'content'));
  const isError = text.startsWith(ERROR);
  telling.result(null, {
    ...NO_RESULT,
    text: isError ? null : text,
    error: isError ? text.slice(ERROR.length) : null,
    frame: JSON.stringify(response),
    read: { text, name: null },
  });
}

/** `%Y%m%d_%H%M%S`, on a clock whose zone is not recorded. */
function startOf(tree: Fields, telling: Telling): number | null {
  const match = /^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)$/.exec(textOf(tree['timestamp']) ?? '');
  if (match === null) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  telling.notes.note('time_without_zone', 'the start has no time zone; read as UTC', '/timestamp');
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function endOf(tree: Fields, steps: readonly unknown[]): End {
  const limit = wholeOf(tree['max_iterations']);
  const used = wholeOf(tree['total_iterations']) ?? steps.length;
  const isFinal = own(steps.at(-1), 'is_final') === true;
  return !isFinal && limit !== null && used >= limit ? { ...DONE, outcome: 'limit', reason: 'turns' } : DONE;
}

async function readVerdict(
  telling: Telling,
  { beside }: Input,
): Promise<{ end: Partial<End>; file: Beside | null }> {
  const file = ['verify.code.json', 'verify.sql.json']
    .map((name) => beside.find((one) => one.name === name))
    .find((one) => one !== undefined);
  if (file === undefined || file.bytes > LIMITS.valueBytes) return { end: {}, file: null };
  const bytes = await readFile(file.path);
  const read = fieldsOf(parseValue(bytes, `${file.name}`, telling.notes));
  const rewardType = textOf(read['reward_type']);
  const reward = rewardOf(read['reward']);
  telling.verdict({
    mode: textOf(read['mode']) ?? (file.name === 'verify.sql.json' ? 'sql' : 'code'),
    finalAnswer: null,
    rewardType,
    reward,
    result: asJson(read['verify_result']),
    error: null,
    frame: bytes.toString('utf8'),
    at: null,
  });
  return { end: { rewardType, reward }, file };
}

function companionsOf({ beside }: Input, verdict: Beside | null): ReadEpisode['companions'] {
  const roles = { 'initial.db': 'initial_database', 'final.db': 'final_database' } as const;
  const databases = Object.entries(roles).flatMap(([name, role]) => {
    const file = beside.find((one) => one.name === name);
    return file === undefined ? [] : [{ role, file }];
  });
  return verdict === null ? databases : [...databases, { role: 'verdict', file: verdict }];
}
