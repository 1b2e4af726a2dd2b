// Writes the data card: front matter that Hugging Face can load, then what the data set holds, by which rules, and
// what was left out.
import type { ExportReport, ExportRules, Doubtful } from '../../../shared/contract/export.ts';
import { dropWords } from '../../../shared/export/dropWords.ts';
import type { SplitData } from './dataFiles.ts';
import type { FormatColumn, Format } from './format.ts';
import type { TaskOrigin } from './collectedRows.ts';
import { sortedCounts } from './rowIndex.ts';
import { FORMATS } from '../../../shared/export/formats.ts';

type CardInput = {
  format: Format;
  rules: ExportRules;
  despite: readonly string[];
  report: ExportReport;
  origins: Readonly<Record<TaskOrigin, number>>;
  hasPeople: boolean;
  data: readonly SplitData[];
  /** Of everything under `data/`. */
  content: string;
  /** Makes the same again. */
  command: string;
  /** What lies beside the rows. */
  beside: readonly string[];
};

const DTYPES: Record<FormatColumn['type'], string> = {
  string: 'string',
  int64: 'int64',
  float64: 'float64',
  bool: 'bool',
  json: 'json',
};

function feature({ name, type, isList }: FormatColumn, isParquet: boolean): string {
  // In Parquet a list of JSON is one text, which is read back as the list.
  return isList === true && !isParquet
    ? `  - {name: ${name}, list: json}`
    : `  - {name: ${name}, dtype: ${DTYPES[type]}}`;
}

function licence({ builtin, awm, other }: CardInput['origins']): string {
  if (other > 0) return 'other';
  return awm > 0 ? 'cc-by-4.0' : builtin > 0 ? 'mit' : 'other';
}

const SIZE_CATEGORIES: readonly (readonly [number, string])[] = [
  [1e3, 'n<1K'],
  [1e4, '1K<n<10K'],
  [1e5, '10K<n<100K'],
  [1e6, '100K<n<1M'],
  [1e7, '1M<n<10M'],
];

/** README.md of an export. JSON columns need `datasets` 4.7 or newer. */
export function datasetCard(parts: CardInput): string {
  return `---\n${frontMatter(parts).join('\n')}\n---\n\n${body(parts)}`;
}

function frontMatter({ format, report, origins, hasPeople, data, content }: CardInput): string[] {
  const isParquet = data.some(({ path }) => path.endsWith('.parquet'));
  const files = data.map(({ split, path }) => `{split: ${split}, path: ${path}}`).join(', ');
  const columns = format.columns ?? format.cardColumns ?? null;
  return [
    'pretty_name: Expert interventions',
    `license: ${licence(origins)}`,
    'tags: [trl, tool-use, human-feedback, interject]',
    ...(hasPeople ? ['annotations_creators: [expert-generated]'] : []),
    'task_categories: [text-generation]',
    `size_categories: [${SIZE_CATEGORIES.find(([below]) => report.rows < below)?.[1] ?? '10M<n<100M'}]`,
    ...(origins.awm > 0 ? ['source_datasets: [Snowflake/AgentWorldModel-1K]'] : []),
    // Readers take no split without a row.
    ...(report.rows === 0
      ? []
      : [
          'configs:',
          `- config_name: ${format.id}`,
          '  default: true',
          `  data_files: [${files}]`,
          // A field of the configuration: what `datasets` keeps of an earlier content is not loaded for this one.
          `  description: sha256 ${content}`,
        ]),
    ...(columns === null || report.rows === 0
      ? []
      : [
          'dataset_info:',
          `- config_name: ${format.id}`,
          '  features:',
          ...columns.map((column) => feature(column, isParquet)),
        ]),
  ];
}

function body({ format, rules, despite, report, origins, data, beside, command }: CardInput): string {
  const { rows, episodes, log_from: from, log_to: to } = report;
  const range = from === null ? 'no event' : `events ${String(from)} to ${String(to)} of the log`;
  return `# Expert interventions: ${format.id}

${formatCount(rows)} rows from ${formatCount(episodes.kept)} of ${formatCount(episodes.read)} ended episodes (${range}), written by Interject.

${format.says}

\`actor\` says who acted: \`human\`, \`model\`, \`scripted\` (an answers file or a rule) or \`agent\`. \`privilege\` names
what the author had seen of the answer; only \`leak_free\` rows come from authors who had seen nothing. Evaluate
without an expert.${unjudged(format)}

## Files

| file | rows | sha256 |
| --- | --- | --- |
${data.map(({ path, sha256, rows: count }) => `| ${path} | ${formatCount(count)} | \`${sha256}\` |`).join('\n')}

${beside.map((line) => `- ${line}`).join('\n')}

## Rules

${ruleSentences(rules, format)
  .map((line) => `- ${line}`)
  .join('\n')}
${despite.length === 0 ? '' : `- Written although a check refused it: ${despite.join(', ')}\n`}
\`${command}\` makes the same bytes of the same log.

## Left out

${markdownTable(
  ['why', 'count'],
  Object.entries(sortedCounts(report.dropped)).map(([rule, count]) => [
    `${dropWords(rule).words} (\`${rule}\`)`,
    count,
  ]),
)}

## Checks

${
  report.findings.length === 0
    ? 'Nothing was found.'
    : report.findings.map(({ check, level, message }) => `- ${level}: ${message} (\`${check}\`)`).join('\n')
}

## Rights

${rights(origins).join('\n\n')}
`;
}

/** Columns have a value on every row, so that one schema reads them all. */
const unjudged = ({ columns }: Format): string =>
  columns?.some(({ name }) => name === 'reward_type') === true
    ? '\n\n`reward_type` is empty where nobody judged the episode; its `reward` then says nothing.'
    : '';

const formatCount = (value: number): string => value.toLocaleString('en');

const markdownTable = (head: readonly string[], rows: readonly (readonly [string, number])[]): string =>
  rows.length === 0
    ? 'Nothing.'
    : [
        `| ${head.join(' | ')} |`,
        `| ${head.map(() => '---').join(' | ')} |`,
        ...rows.map(([name, count]) => `| ${name} | ${formatCount(count)} |`),
      ].join('\n');

function rights({ builtin, awm, other }: CardInput['origins']): string[] {
  return [
    ...(awm > 0
      ? [
          `Tasks, tools and data of ${formatCount(awm)} episodes derive from [AgentWorldModel-1K](https://huggingface.co/datasets/Snowflake/AgentWorldModel-1K) by Snowflake, licensed under [CC BY 4.0](https://creativecommons.org/licenses/by/4.0/); what agents and experts did in them was added.`,
        ]
      : []),
    ...(builtin > 0
      ? [
          `Tasks, tools and data of ${formatCount(builtin)} episodes come from the worlds that Interject brings along (MIT licence).`,
        ]
      : []),
    ...(other > 0
      ? [
          `${formatCount(other)} episodes come from another environment or from files of another tool: their rights are those of their source. Say here which licence holds before you publish.`,
        ]
      : []),
    'What people wrote is theirs: see that you may publish it.',
  ];
}

const VERDICT_SENTENCES = {
  completed: 'Episodes the verifier called complete.',
  verified: 'Episodes that a verifier judged, whatever it said.',
  any: 'Episodes that ended, whatever became of them.',
} as const;
const PRIVILEGE = {
  flag: 'Rows whose author had seen something of the answer are kept and say so.',
  leak_free: 'No row whose author had seen anything of the answer.',
  strip:
    'The expert is taken out of the conversations: asks with their answers, advice, notes, calls that were turned down, the tool to ask with. Rows still say what the advice had come from. Where a person acted in the environment the row is left out.',
} as const;

/** Every rule that narrows, one sentence each. */
function ruleSentences(
  rules: ExportRules,
  format: Pick<Format, 'id' | 'verdict' | 'isVerdictFixed'>,
): string[] {
  const isIn = (doubtful: Doubtful): boolean => rules.include.includes(doubtful);
  const hasStyle = FORMATS[format.id].hasStyle === true;
  const { filter, episodes, validation, held_out: heldOut } = rules;
  const narrowed = Object.entries(filter).map(([name, value]) => `${name} ${String(value)}`);
  const some = (words: string, isThere: boolean): string[] => (isThere ? [words] : []);
  return [
    ...some(`Rows of the preset ${String(rules.preset)}.`, rules.preset !== null),
    VERDICT_SENTENCES[rules.verdict ?? format.verdict],
    ...some(
      `Where an environment has no verifier, episodes that ended with a reward ${filter.reward_min === undefined ? 'above 0' : `of at least ${String(filter.reward_min)}`}.`,
      rules.verdict === null && format.verdict === 'completed' && format.isVerdictFixed !== true,
    ),
    ...some(`Narrowed by ${narrowed.join(', ')}.`, narrowed.length > 0),
    ...some(`Of ${String(episodes?.length ?? 0)} episodes that were chosen one by one.`, episodes !== null),
    ...some(`Conditions: ${rules.conditions?.join(', ') ?? ''}.`, rules.conditions !== null),
    ...some(`Acts of: ${rules.actors?.join(', ') ?? ''}.`, rules.actors !== null),
    PRIVILEGE[rules.privilege],
    outOrIn(rules),
    ...some(
      isIn('contrary')
        ? 'Pairs are kept whatever became of their sides.'
        : 'No pair whose chosen side led to a failed episode, or whose rejected side is known to complete the task.',
      format.id === 'preference',
    ),
    ...some(
      isIn('contrary')
        ? 'Replies are kept with both labels where they have both.'
        : 'No reply whose label another row contradicts.',
      format.id === 'kto',
    ),
    'Turns that a person changed for a client’s agent never train.',
    isIn('duplicates')
      ? 'Rows that say the same are all kept.'
      : 'Rows that say the same as one before are left out.',
    ...some(`At most ${String(rules.cap_per_task)} rows of a task.`, rules.cap_per_task !== null),
    validation === null
      ? 'No validation split.'
      : `A share of ${String(validation.share)} of the tasks is for validation, drawn by scenario and task (seed ${String(validation.seed)}): no task is on both sides.`,
    ...some(`${String(heldOut.length)} tasks of a pinned split are held out.`, heldOut.length > 0),
    ...some(`Only what ended after event ${String(rules.after_seq)}.`, rules.after_seq !== null),
    ...some('Arguments of calls are strings.', rules.arguments === 'string' && hasStyle),
    ...some('Without what the agent thought.', !rules.reasoning && hasStyle),
    ...some('Calls that the environment refused train.', rules.failed_calls === 'keep' && hasStyle),
    ...some(
      `Words beside a call that a person chose, and in pairs: ${rules.words}.`,
      rules.words !== 'none' && hasStyle,
    ),
  ];
}

function outOrIn(rules: ExportRules): string {
  const kinds = [
    ['timeouts', 'timeouts'],
    ['late', 'late advice'],
    ['fabricated', 'fabricated results'],
  ] as const;
  const named = (isIn: boolean): string[] =>
    kinds.flatMap(([doubtful, label]) => (rules.include.includes(doubtful) === isIn ? [label] : []));
  const out = named(false);
  const inside = named(true);
  const words = [
    ...(out.length === 0 ? [] : [`left out: ${out.join(', ')}`]),
    ...(inside.length === 0 ? [] : [`kept: ${inside.join(', ')}`]),
  ].join('; ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
