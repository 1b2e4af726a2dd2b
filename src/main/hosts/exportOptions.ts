// The flags of `interject export`, and the rules they make.
import { existsSync, readFileSync } from 'node:fs';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { z } from 'zod';
import { Doubtful, ExportFormat, ExportRules, Preset, Verdict } from '../../shared/contract/export.ts';
import { heldOutTasks, SplitManifest, type HeldOutTask } from '../../shared/split.ts';
import { EpisodeFilter } from '../../shared/contract/library.ts';
import { ActorType } from '../../shared/events/actor.ts';
import { Condition, Outcome, Source } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { goesOnFrom, readManifest, type ExportManifest } from '../dataset/export/manifest.ts';
import { fromCaller } from './paths.ts';

/** Not rows but the log itself, the files it was imported from, or what reviewers said. */
export const LOG_FORMATS = ['events', 'source', 'annotations'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export type ExportOptions = {
  format: ExportFormat | LogFormat;
  out?: string;
  force?: boolean;
  data?: string;
  check?: boolean;
  despite?: string[];
  files: 'jsonl' | 'parquet';
  kit?: 'trl';
} & RuleOptions;

/** As the library narrows its list. */
export type NarrowOptions = {
  environment?: string;
  scenario?: string;
  run?: string;
  tag?: string;
  source?: Source;
  outcome?: Outcome;
  sinceDate?: number;
  untilDate?: number;
};

type RuleOptions = NarrowOptions & {
  rules?: string;
  since?: string;
  episode?: string[];
  condition?: Condition[];
  completed?: boolean;
  verified?: boolean;
  any?: boolean;
  minReward?: number;
  actor?: ActorType[];
  privilege?: ExportRules['privilege'];
  include?: Doubtful[];
  cap?: number;
  validation?: number;
  seed?: number;
  split?: string;
  preset?: Preset;
  arguments?: ExportRules['arguments'];
  reasoning: boolean;
  failedCalls?: ExportRules['failed_calls'];
  words?: ExportRules['words'];
};

const NARROW_PREFIX = 'narrow: ';
type OptionParsers = { whole: (least: number) => (text: string) => number; number: (text: string) => number };

/** Adds the flags; `read` says how numbers are read, with the words that wrong ones get. */
export function exportFlags(command: Command, read: OptionParsers): Command {
  return narrowing(command)
    .addOption(choiceOption('--condition <who...>', `${NARROW_PREFIX}who could advise`, Condition.options))
    .addOption(choiceOption('--format <name>', 'what to write', formats()).makeOptionMandatory())
    .addOption(choiceOption('--preset <name>', 'what rows of sft teach instead', Preset.options))
    .option('--out <dir>', 'an empty folder (without --check)')
    .option('--force', 'write into a folder that holds something')
    .addOption(choiceOption('--files <kind>', 'kind of data files', ['jsonl', 'parquet']).default('jsonl'))
    .addOption(choiceOption('--kit <name>', 'beside the data, a project that trains on it', ['trl']))
    .option('--check', 'look only: counts and findings, no files')
    .option('--despite <check...>', 'write although these checks refuse it')
    .option('--rules <file>', 'rules.json of an earlier export, to be changed by the flags')
    .option('--since <folder>', 'go on from an earlier export: its rules, and only what ended since')
    .option('--completed', 'episodes the verifier called complete')
    .option('--verified', 'episodes that a verifier judged')
    .option('--any', 'episodes that ended, whatever became of them')
    .option(
      '--min-reward <n>',
      `${NARROW_PREFIX}least reward; unless it is given, formats of completed episodes take those without a verifier above 0`,
      read.number,
    )
    .addOption(choiceOption('--actor <who...>', 'whose acts the rows teach', ActorType.options))
    .addOption(
      choiceOption('--privilege <how>', 'rows whose author had seen of the answer', [
        'flag',
        'leak-free',
        'strip',
      ]),
    )
    .addOption(
      choiceOption(
        '--include <what...>',
        'what is else left out: asks that ran out of time, advice that came late, results that a person made up, pairs and replies that an outcome or another row contradicts, rows that say the same as one before',
        Doubtful.options,
      ),
    )
    .option('--cap <n>', 'rows of a task, at most', read.whole(1))
    .option('--validation <share>', 'share of the tasks for validation', read.number)
    .option('--seed <n>', 'which tasks those are', read.whole(0))
    .option('--split <file>', 'a pinned split: nothing of its `val` tasks is written')
    .addOption(choiceOption('--arguments <shape>', 'form of the arguments of calls', ['object', 'string']))
    .option('--no-reasoning', 'leave out what the agent thought, where a format has it')
    .addOption(choiceOption('--failed-calls <how>', 'calls that the environment refused', ['skip', 'keep']))
    .addOption(choiceOption('--words <whose>', 'words beside a person’s call', ['none', 'reason', 'agent']));
}

const choiceOption = (flag: string, what: string, choices: readonly string[]): Option =>
  new Option(flag, what).choices([...choices]);

/** The flags that choose episodes, for every command that reads recorded ones. */
export function narrowing(command: Command): Command {
  return command
    .option('--environment <name>', `${NARROW_PREFIX}environment (scenarios of several may have one name)`)
    .option('--scenario <name>', `${NARROW_PREFIX}scenario`)
    .option('--run <name>', `${NARROW_PREFIX}a trainer’s run`)
    .option('--tag <tag>', `${NARROW_PREFIX}tag`)
    .addOption(choiceOption('--source <where>', `${NARROW_PREFIX}where episodes come from`, Source.options))
    .addOption(choiceOption('--outcome <what>', `${NARROW_PREFIX}how they ended`, Outcome.options))
    .option('--since-date <date>', `${NARROW_PREFIX}started at or after (a date, UTC)`, dateOf)
    .option('--until-date <date>', `${NARROW_PREFIX}started before (a date, UTC)`, dateOf)
    .option('--episode <id...>', `${NARROW_PREFIX}these episodes alone`);
}

const formats = (): string[] => [...new Set([...ExportFormat.options, ...LOG_FORMATS])];

function dateOf(text: string): number {
  const at = Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (Number.isNaN(at)) throw new InvalidArgumentError('a date is needed, like 2026-01-31.');
  return at;
}

/** Rules of a file or an earlier folder, changed by the flags that were given. Throws `bad_input`. */
export function rulesFrom(options: RuleOptions): ExportRules {
  const since = options.since === undefined ? null : readManifest(fromCaller(options.since));
  const base = options.rules === undefined ? since?.rules : rulesIn(fromCaller(options.rules));
  const rules = base ?? ExportRules.parse({});
  const parsed = ExportRules.safeParse({ ...rules, ...changes(options, rules, since) });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Failure(
    'bad_input',
    `${issue?.path.join('.') ?? 'a rule'}: ${issue?.message ?? 'not understood'}`,
  );
}

function changes(
  options: RuleOptions,
  rules: ExportRules,
  since: ExportManifest | null,
): Partial<ExportRules> {
  const filter = givenOptions({ ...filterFrom(options), reward_min: options.minReward });
  const verdict = verdictOption(options);
  const { validation, seed } = options;
  return givenOptions({
    filter: parseFilter({ ...rules.filter, ...filter }),
    verdict,
    episodes: options.episode,
    conditions: options.condition,
    actors: options.actor,
    privilege: options.privilege === undefined ? undefined : privilegeOption(options.privilege),
    include: options.include,
    cap_per_task: options.cap,
    preset: options.preset,
    validation:
      validation !== undefined || seed !== undefined
        ? {
            share: validation ?? rules.validation?.share ?? DEFAULT_SHARE,
            seed: seed ?? rules.validation?.seed ?? 0,
          }
        : undefined,
    held_out: options.split === undefined ? undefined : heldOutOf(fromCaller(options.split)),
    after_seq: since === null ? undefined : goesOnFrom(since),
    arguments: options.arguments,
    reasoning: options.reasoning ? undefined : false,
    failed_calls: options.failedCalls,
    words: options.words,
  }) as Partial<ExportRules>;
}

export const filterFrom = (options: NarrowOptions): EpisodeFilter => {
  const { environment, scenario, run, tag, source, outcome, sinceDate: since, untilDate: until } = options;
  return parseFilter(givenOptions({ environment, scenario, run, tag, source, outcome, since, until }));
};

/** Throws `bad_input` where flags contradict each other. */
function verdictOption({ completed, verified, any }: RuleOptions): ExportRules['verdict'] | undefined {
  const said = Object.entries({ completed, verified, any }).flatMap(([name, isSaid]) =>
    isSaid ? [name] : [],
  );
  if (said.length < 2) return Verdict.optional().parse(said[0]);
  throw new Failure('bad_input', `--${said.join(' and --')} contradict each other`, {
    next: 'Name one of them.',
  });
}

function parseFilter(filter: Record<string, unknown>): EpisodeFilter {
  const parsed = EpisodeFilter.safeParse(filter);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Failure(
    'bad_input',
    `--${issue?.path.join('.') ?? 'a filter'}: ${issue?.message ?? 'not understood'}`,
  );
}

const DEFAULT_SHARE = 0.1;
const privilegeOption = (given: string) => (given === 'leak-free' ? 'leak_free' : given);

const givenOptions = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** Of a folder that was exported, or of a file that holds the rules, whole or among other things. */
function rulesIn(path: string): ExportRules {
  const manifest = Manifestlike.safeParse(readJsonOption(path));
  if (manifest.success) return manifest.data.rules;
  const bare = ExportRules.safeParse(readJsonOption(path));
  if (bare.success) return bare.data;
  return readManifest(path).rules;
}

const Manifestlike = z.object({ rules: ExportRules });

function readJsonOption(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

const SplitFile = SplitManifest.pick({ meta: true, val: true });

/** The tasks that a pinned split keeps for evaluation. */
function heldOutOf(path: string): HeldOutTask[] {
  const parsed = existsSync(path) ? SplitFile.safeParse(readJsonOption(path)) : null;
  if (parsed?.success === true) return heldOutTasks(parsed.data);
  throw new Failure('bad_input', `${path} is no split`, {
    next: 'It is JSON with "val": [["scenario", task number], …].',
  });
}
