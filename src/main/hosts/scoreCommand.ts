// `interject score`: what recorded episodes are worth by a profile or by numbers of a file, a line an episode. Reads
// and scores as the reward lab does.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { ScoredFrom } from '../../shared/contract/rewards.ts';
import { csvLine, type CsvCell } from '../../shared/csv.ts';
import { Condition } from '../../shared/events/lifecycle.ts';
import { DEFAULT_PROFILE, PROFILE_STREAM } from '../../shared/events/rewards.ts';
import { Failure, failureFrom } from '../../shared/failure.ts';
import type { Breakdown } from '../../shared/rewards/breakdown.ts';
import { COMPONENT_NAMES, type RewardSettings } from '../../shared/rewards/settings.ts';
import { createScoreSets, type ScoreSet, type ScoreSets } from '../commands/rewardSets.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { ScoredEntry } from '../reward/columns.ts';
import { profileNamed } from '../reward/profiles.ts';
import { breakdownOf } from '../reward/reward.ts';
import { checkRewards } from '../reward/settings.ts';
import { newId, schedule } from './edges.ts';
import { choiceOption, filterFrom, narrowing, type NarrowOptions } from './exportOptions.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller } from './paths.ts';
import { print } from './readers.ts';
import { withLog } from './withLog.ts';

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
  return withLog({ data: options.data, output }, async ({ log }) => {
    const by = file ?? profileOf(log, options.profile ?? DEFAULT_PROFILE);
    if (options.printSettings === true) {
      await print(`${JSON.stringify(by.settings, null, 2)}\n`, 'jsonl');
      return 0;
    }
    const sets = createScoreSets({ log, newId, schedule, clock: Date.now });
    try {
      const set = sets.open(from);
      await untilSetRead(sets, set, output);
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

const LOOK_EVERY_MS = 20;
const SCORE_PROGRESS_MS = 2000;

async function untilSetRead(
  { pause }: Pick<ScoreSets, 'pause'>,
  set: ScoreSet,
  output: CommandOutput,
): Promise<void> {
  let saidAt = performance.now();
  while (set.state === null) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    await pause();
    if (performance.now() - saidAt < SCORE_PROGRESS_MS) continue;
    saidAt = performance.now();
    output.say(`${set.done.toLocaleString('en')} of ${set.total.toLocaleString('en')} episodes`);
  }
  if (set.failure !== null) throw failureFrom(set.failure);
}

async function writeAll(entries: readonly ScoredEntry[], by: By, format: 'jsonl' | 'csv'): Promise<void> {
  if (format === 'csv') await print(csvLine([...CSV_COLUMNS]), 'csv');
  for (const entry of entries) {
    const scored = breakdownOf(entry.known, by.settings);
    const line = format === 'csv' ? csvLine(cellsOf(entry, scored, by)) : jsonOfScore(entry, scored, by);
    await print(line, format);
  }
}

const jsonOfScore = (entry: ScoredEntry, scored: Breakdown, { name, version }: By): string => {
  const { episode, scenario, taskIdx: task_idx, condition, group } = entry;
  const place = { type: 'score', episode, scenario, task_idx, condition, group };
  return `${JSON.stringify({ ...place, profile: name, version, ...scored })}\n`;
};

const CSV_COLUMNS = [
  'episode',
  'scenario',
  'task_idx',
  'condition',
  'group',
  'profile',
  'version',
  'verifier_label',
  'verifier_reward',
  'pattern',
  'shaped',
  'shaped_base',
  'shaped_modifier',
  'rubric',
  ...COMPONENT_NAMES,
  'gate',
  'format_error_rate',
] as const;

const cellsOf = (
  entry: ScoredEntry,
  { verifier, shaped, rubric, format_error_rate }: Breakdown,
  by: By,
): CsvCell[] => [
  entry.episode,
  entry.scenario,
  entry.taskIdx,
  entry.condition,
  entry.group,
  by.name,
  by.version,
  verifier.label,
  verifier.reward,
  shaped.pattern,
  shaped.total,
  shaped.base,
  shaped.modifier,
  rubric.total,
  ...COMPONENT_NAMES.map((name) => rubric.components[name] ?? null),
  rubric.gate,
  format_error_rate,
];

/** The headline is the verifier's; a shaped mean is none. */
function summary({ entries, total }: ScoreSet, { name, version }: By): string {
  const by = version === null ? name : `${name}, version ${String(version)}`;
  const count = (value: number): string => value.toLocaleString('en');
  const verified = entries.filter(({ known }) => known.facts.label !== null);
  const complete = verified.filter(({ known }) => known.facts.label === 'complete').length;
  const left = total - entries.length;
  return [
    entries.length === 0
      ? 'no ended episode fits'
      : `${count(entries.length)} episodes scored by ${by}; the verifier calls ${count(complete)} of ${count(verified.length)} complete`,
    ...(left > 0 ? [`${count(left)} left out: erased, or not ended`] : []),
  ].join('; ');
}
