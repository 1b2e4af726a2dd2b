// Reads the run folder of Snowflake's Agent World Model agent: its trajectory, verdict and databases.
import { readFile } from 'node:fs/promises';
import {
  metadataOf,
  keySet,
  jsonText,
  jsonFrom,
  recordFrom,
  listIn,
  listFrom,
  indexedSteps,
  ownValue,
  parseValue,
  rewardFrom,
  textFrom,
  wholeOf,
  textFromAny,
  type JsonRecord,
} from './values.ts';
import { LIMITS } from './limits.ts';
import { nativeCall } from './moves.ts';
import { createNotes } from './importNotes.ts';
import {
  blankEpisode,
  EPISODE_DONE,
  type CompanionFile,
  type EpisodeEnd,
  type ImportInput,
  type ImportedEpisode,
  type FormatReader,
} from './formatReader.ts';
import { createEpisodeBuilder, type EpisodeBuilder, NO_RESULT } from './episodeBuilder.ts';
import { readDocumentTree } from './documents.ts';

const SNOWFLAKE_NOT_RECORDED = [
  'times of single steps',
  'tool schemas',
  'rewards and labels of single calls',
  'token counts',
  'the reset',
];
/** The address of a model on someone's machine is kept out of the log. */
const SNOWFLAKE_KEYS = keySet('messages trajectory task scenario task_id model api_url');
/** This harness's mark of a failed call. */
const ERROR = 'Error: ';

/** One episode a file; `verify.code.json` or `verify.sql.json` beside it holds the verdict. */
export const readSnowflake: FormatReader = async function* (input) {
  const notes = createNotes(input.notes);
  const tree = await readDocumentTree(input.chunks(), {
    wish: (path) =>
      path.length === 0 || (path.length === 1 && (path[0] === 'trajectory' || path[0] === 'messages'))
        ? 'into'
        : 'take',
    notes,
  });
  const builder = createEpisodeBuilder(notes);
  const model = textFrom(tree['model']);
  for (const message of listIn(tree, 'messages', '', notes)) {
    const role = ownValue(message, 'role');
    if (role === 'assistant') break;
    if (role === 'system' || role === 'user')
      builder.message(role, textFromAny(ownValue(message, 'content')));
  }
  const steps = indexedSteps(tree, 'trajectory', '', notes).map(({ step }) => step);
  for (const step of steps) tellIteration(builder, step, model);
  const answer = builder.finish(ownValue(steps.at(-1), 'is_final') === true);
  const verdict = await readVerdict(builder, input);
  yield {
    ...blankEpisode(0, notes),
    scenario: textFrom(tree['scenario']),
    task_idx: wholeOf(tree['task_id']),
    task: textFrom(tree['task']),
    model,
    protocol: 'xml',
    startedAt: startOf(tree, builder),
    body: builder.entries,
    end: { ...snowflakeEnd(tree, steps), ...verdict.end, final_answer: answer },
    notRecorded: verdict.file === null ? [...SNOWFLAKE_NOT_RECORDED, 'the verdict'] : SNOWFLAKE_NOT_RECORDED,
    companions: companionsOf(input, verdict.file),
    extra: metadataOf(tree, SNOWFLAKE_KEYS, notes),
    sources: [{ value: tree }],
  };
};

function tellIteration(builder: EpisodeBuilder, step: unknown, model: string | null): void {
  // Of several calls in a reply this harness carries out the first.
  const [first, ...ignored] = listFrom(ownValue(step, 'tool_calls'));
  if (ignored.length > 0)
    builder.notes.note('calls_not_made', 'calls after the first of a reply were not carried out');
  const calls =
    first === undefined
      ? []
      : [
          nativeCall(
            textFrom(ownValue(first, 'id')) ?? '',
            textFrom(ownValue(first, 'name')) ?? '',
            ownValue(first, 'arguments'),
          ),
        ];
  const bare = { reasoning: null, stopReason: null, usage: null, latency_ms: null, at: null };
  builder.turn({ ...bare, content: textFromAny(ownValue(step, 'content')), calls, model });
  const response = ownValue(step, 'tool_response');
  if (response === undefined || response === null || calls.length === 0) return;
  const text = textFromAny(ownValue(response, 'content'));
  const isError = text.startsWith(ERROR);
  builder.result(null, {
    ...NO_RESULT,
    text: isError ? null : text,
    error: isError ? text.slice(ERROR.length) : null,
    frame: jsonText(response),
    read: { text, name: null },
  });
}

/** `%Y%m%d_%H%M%S`, on a clock whose zone is not recorded. */
function startOf(tree: JsonRecord, builder: EpisodeBuilder): number | null {
  const match = /^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)$/.exec(textFrom(tree['timestamp']) ?? '');
  if (match === null) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  builder.notes.note('time_without_zone', 'the start has no time zone; read as UTC', '/timestamp');
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function snowflakeEnd(tree: JsonRecord, steps: readonly unknown[]): EpisodeEnd {
  const limit = wholeOf(tree['max_iterations']);
  const used = wholeOf(tree['total_iterations']) ?? steps.length;
  const isFinal = ownValue(steps.at(-1), 'is_final') === true;
  return !isFinal && limit !== null && used >= limit
    ? { ...EPISODE_DONE, outcome: 'limit', reason: 'turns' }
    : EPISODE_DONE;
}

async function readVerdict(
  builder: EpisodeBuilder,
  { beside }: ImportInput,
): Promise<{ end: Partial<EpisodeEnd>; file: CompanionFile | null }> {
  const file = ['verify.code.json', 'verify.sql.json']
    .map((name) => beside.find((one) => one.name === name))
    .find((one) => one !== undefined);
  if (file === undefined || file.bytes > LIMITS.valueBytes) return { end: {}, file: null };
  const bytes = await readFile(file.path);
  const read = recordFrom(parseValue(bytes, `${file.name}`, builder.notes));
  const reward_type = textFrom(read['reward_type']);
  const reward = rewardFrom(read['reward']);
  builder.verdict({
    mode: textFrom(read['mode']) ?? (file.name === 'verify.sql.json' ? 'sql' : 'code'),
    final_answer: null,
    reward_type,
    reward,
    result: jsonFrom(read['verify_result']),
    error: null,
    frame: bytes.toString('utf8'),
    at: null,
  });
  return { end: { reward_type, reward }, file };
}

function companionsOf({ beside }: ImportInput, verdict: CompanionFile | null): ImportedEpisode['companions'] {
  const roles = { 'initial.db': 'initial_database', 'final.db': 'final_database' } as const;
  const databases = Object.entries(roles).flatMap(([name, role]) => {
    const file = beside.find((one) => one.name === name);
    return file === undefined ? [] : [{ role, file }];
  });
  return verdict === null ? databases : [...databases, { role: 'verdict', file: verdict }];
}
