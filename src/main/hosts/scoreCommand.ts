// `interject score`: what recorded episodes are worth by a profile or by numbers of a file, a line an episode. Reads
// and scores as the reward lab does.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { ScoredFrom } from '../../shared/contract/rewards.ts';
import { csvLine, type CsvCell } from '../../shared/csv.ts';
import { Condition } from '../../shared/events/lifecycle.ts';
import { DEFAULT_PROFILE, PROFILE_STREAM } from '../../shared/events/rewards.ts';
import { countText } from '../../shared/countText.ts';
import { Failure, failureFrom } from '../../shared/failure.ts';
import { COMPONENT_NAMES, type RewardSettings } from '../../shared/rewards/settings.ts';
import { createScoreSets, type ScoreSet } from '../commands/rewardSets.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { ScoredEntry } from '../reward/comparedEpisodes.ts';
import { profileNamed } from '../reward/profiles.ts';
import { breakdownOf } from '../reward/reward.ts';
import { checkRewards } from '../reward/settings.ts';
import { newId, schedule } from './edges.ts';
import { choiceOption, filterFrom, narrowing, type NarrowOptions } from './exportOptions.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller } from './paths.ts';
import { print } from './readers.ts';
import { withCommandLog } from './commandLog.ts';

export type ScoreOptions = NarrowOptions & {
  profile?: string;
  settings?: string;
  printSettings?: boolean;
  format: 'jsonl' | 'csv';
  query?: string;
  condition?: Condition;
  episode?: string[];
  data?: string;
};

export const scoreFlags = (command: Command): Command =>
  narrowing(command)
    .description(
      'what recorded episodes are worth by a profile or by your numbers: a line an episode on stdout',
    )
    .option('--profile <name>', 'numbers that were saved in the reward lab (default: default)')
    .option('--settings <file>', 'numbers of a JSON file')
    .option('--print-settings', 'the numbers themselves, to begin a file with; no episode is scored')
    .addOption(choiceOption('--format <name>', 'how lines are written', ['jsonl', 'csv']).default('jsonl'))
    .option('--query <words>', 'narrow: words of scenario, task, model or id')
    .addOption(choiceOption('--condition <who>', 'narrow: who could advise', Condition.options));

/** By which numbers: a profile as it is now, or a file. */
type By = { name: string; version: number | null; settings: RewardSettings };

/** Resolves with the exit code. Nothing is written to the log. */
export async function scoreCommand(options: ScoreOptions, output: CommandOutput): Promise<number> {
  if (options.profile !== undefined && options.settings !== undefined) {
    throw new Failure('bad_input', 'either --profile or --settings', {
      next: 'A file of numbers has no need of a profile: leave one of them out.',
    });
  }
  // What is wrong with the words is said before the data folder is looked at.
  const from = scoredFrom(options);
  const file = options.settings === undefined ? null : settingsIn(options.settings);
  return withCommandLog({ data: options.data, output, isReading: true }, async ({ log }) => {
    const by = file ?? profileOf(log, options.profile ?? DEFAULT_PROFILE);
    if (options.printSettings === true) {
      await print(`${JSON.stringify(by.settings, null, 2)}\n`, 'jsonl');
      return 0;
    }
    const sets = createScoreSets({ log, newId, schedule, clock: Date.now });
    try {
      const set = sets.open(from);
      await untilSetRead(set, output);
      await writeAll(set.entries, by, options.format);
      output.say(summary(set, by));
    } finally {
      sets.close();
    }
    return 0;
  });
}

function scoredFrom({ episode: episodes, query = '', condition, ...narrow }: ScoreOptions): ScoredFrom {
  const filter = filterFrom(narrow);
  if (episodes === undefined) return { query, condition: condition ?? null, filter };
  if (query === '' && condition === undefined && Object.keys(filter).length === 0) return { episodes };
  throw new Failure('bad_input', '--episode names episodes one by one: nothing narrows them further', {
    next: 'Leave the other flags out, or --episode.',
  });
}

function profileOf(log: EventLog, name: string): By {
  const { version, settings } = profileNamed(log.read(PROFILE_STREAM), name);
  return { name, version, settings };
}

function settingsIn(given: string): By {
  const path = fromCaller(given);
  return { name: given, version: null, settings: checkRewards(readJsonFile(path)) };
}

function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown;
  } catch (cause) {
    throw new Failure('bad_input', `cannot read ${path} as JSON`, {
      cause,
      next: 'Begin with the numbers of a profile: interject score --print-settings > FILE.',
    });
  }
}

const SCORE_PROGRESS_MS = 2000;

async function untilSetRead(set: ScoreSet, output: CommandOutput): Promise<void> {
  const progress = setInterval(() => {
    output.say(`${set.done.toLocaleString('en')} of ${set.total.toLocaleString('en')} episodes`);
  }, SCORE_PROGRESS_MS);
  await set.whenRead;
  clearInterval(progress);
  if (set.failure !== null) throw failureFrom(set.failure);
}

async function writeAll(entries: readonly ScoredEntry[], by: By, format: 'jsonl' | 'csv'): Promise<void> {
  if (format === 'csv') await print(csvLine(Object.keys(CSV_COLUMNS)), 'csv');
  for (const entry of entries) {
    const line = scoreLine(entry, by);
    const cells = Object.values(CSV_COLUMNS).map((cellOf) => withoutNoise(cellOf(line)));
    await print(format === 'csv' ? csvLine(cells) : `${JSON.stringify(line)}\n`, format);
  }
}

/** Sums of fractions end in digits that mean nothing: six decimals are enough for a table. */
const withoutNoise = (cell: CsvCell): CsvCell =>
  typeof cell === 'number' && Number.isFinite(cell) ? Math.round(cell * 1e6) / 1e6 : cell;

const scoreLine = ({ known, origin, ...place }: ScoredEntry, { name, version, settings }: By) => ({
  type: 'score',
  ...place,
  ...origin,
  profile: name,
  version,
  ...breakdownOf(known, settings),
});

type CsvColumn = (line: ReturnType<typeof scoreLine>) => CsvCell;
const CSV_COLUMNS: Readonly<Record<string, CsvColumn>> = {
  episode: ({ episode }) => episode,
  scenario: ({ scenario }) => scenario,
  task_idx: ({ task_idx: task }) => task,
  condition: ({ condition }) => condition,
  group: ({ group }) => group,
  profile: ({ profile }) => profile,
  version: ({ version }) => version,
  verifier_label: ({ verifier }) => verifier.label,
  verifier_reward: ({ verifier }) => verifier.reward,
  pattern: ({ shaped }) => shaped.pattern,
  shaped: ({ shaped }) => shaped.total,
  shaped_base: ({ shaped }) => shaped.base,
  shaped_modifier: ({ shaped }) => shaped.modifier,
  rubric: ({ rubric }) => rubric.total,
  ...Object.fromEntries(
    COMPONENT_NAMES.map((name): [string, CsvColumn] => [
      name,
      ({ rubric }) => rubric.components[name] ?? null,
    ]),
  ),
  gate: ({ rubric }) => rubric.gate,
  format_error_rate: ({ format_error_rate: rate }) => rate,
  run: ({ run }) => run,
  file: ({ file }) => file,
  imported_reward: ({ imported_reward: reward }) => reward,
};

/** The headline is the verifier's; a shaped mean is none. */
function summary({ entries, total, continuations, probes }: ScoreSet, { name, version }: By): string {
  const by = version === null ? name : `${name}, version ${String(version)}`;
  const count = (value: number): string => value.toLocaleString('en');
  const verified = entries.filter(({ known }) => known.facts.label !== null);
  const complete = verified.filter(({ known }) => known.facts.label === 'complete').length;
  const left = total - entries.length;
  return [
    entries.length === 0
      ? 'no ended episode fits'
      : `${countText(entries.length, 'episode')} scored by ${by}; the verifier calls ${count(complete)} of ${count(verified.length)} complete`,
    ...(continuations > 0
      ? [`${count(continuations)} left out: continuations of a lift (--run scores them)`]
      : []),
    ...(probes > 0 ? [`${count(probes)} left out: probes of a split (--run scores them)`] : []),
    ...(left > 0 ? [`${count(left)} left out: erased, or not ended`] : []),
  ].join('; ');
}
