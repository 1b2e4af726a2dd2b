// The same export as a command: what flags say, and a rules file where they cannot say it. Pure.
import type { ExportFormat, ExportRules } from '../../../shared/contract/export.ts';
import type { EpisodeFilter } from '../../../shared/contract/library.ts';
import { FORMATS } from '../../../shared/export/formats.ts';
import { changedRules, DEFAULT_RULES, type RuleName } from './rulesModel.ts';

export type CommandRequest = {
  format: ExportFormat;
  rules: ExportRules;
  files: 'jsonl' | 'parquet';
  hasKit: boolean;
  despite?: readonly string[];
};

/** Where the command finds rules that no flag says. */
export const RULES_FILE = 'rules.json';

/** As a rules file holds them. */
export const rulesText = (rules: ExportRules): string => JSON.stringify(rules, null, 2);

/** A word as a shell takes it for one. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

const flag = (name: string, ...values: readonly (string | number)[]): string =>
  [`--${name}`, ...values.map((value) => quoted(String(value)))].join(' ');

/** More than a person would read in a command. */
const COMMAND_EPISODES_MAX = 20;

/** The flags that say a rule; null where none do. */
type Says = { [Name in RuleName]: (value: ExportRules[Name]) => string[] | null };
const SAYS: Says = {
  filter: (filter) => filterFlags(filter),
  episodes: (ids) =>
    ids === null || ids.length === 0 || ids.length > COMMAND_EPISODES_MAX ? null : [flag('episode', ...ids)],
  verdict: (verdict) => (verdict === null ? null : [flag(verdict)]),
  conditions: (conditions) => (conditions === null ? null : [flag('condition', ...conditions)]),
  actors: (actors) => (actors === null ? null : [flag('actor', ...actors)]),
  privilege: (how) => [flag('privilege', how.replaceAll('_', '-'))],
  include: (doubtful) => [flag('include', ...doubtful)],
  cap_per_task: (cap) => (cap === null ? null : [flag('cap', cap)]),
  validation: (split) =>
    split === null || split.seed < 0 ? null : [flag('validation', split.share), flag('seed', split.seed)],
  held_out: () => null,
  after_seq: () => null,
  preset: (preset) => (preset === null ? null : [flag('preset', preset)]),
  arguments: (form) => [flag('arguments', form)],
  reasoning: (isIn) => (isIn ? null : [flag('no-reasoning')]),
};

/** What of a filter has a flag, by the flag's name. */
function filterFlags(filter: EpisodeFilter): string[] | null {
  const {
    environment,
    scenario,
    run,
    tag,
    source,
    outcome,
    since,
    until,
    reward_min: least,
    ...rest
  } = filter;
  if (Object.values(rest).some((value) => value !== undefined)) return null;
  const at = (ms: number | undefined): string | undefined =>
    ms === undefined ? undefined : new Date(ms).toISOString();
  const narrowing = Object.entries({
    environment,
    scenario,
    run,
    tag,
    source,
    outcome,
    'since-date': at(since),
    'until-date': at(until),
  }).flatMap(([name, value]) => (value === undefined ? [] : [flag(name, value)]));
  // With a sign of its own a number would look like a flag.
  return least === undefined ? narrowing : [...narrowing, `--min-reward=${String(least)}`];
}

const ruleFlags = <Name extends RuleName>(name: Name, rules: ExportRules): string[] | null =>
  SAYS[name](rules[name]);

/** The command, and whether it reads the rules from a file that has to be made first. */
export function commandLine(asked: CommandRequest): { command: string; needsFile: boolean } {
  const { format, rules, files, hasKit, despite = [] } = asked;
  const flags = changedRules(rules).map((name) => ruleFlags(name, rules));
  // Without a rules file the command writes the bare log of `events`, not the folder. What a format has no use for is a
  // rule still, which the folder names; as a flag it is refused.
  const hasIdle =
    FORMATS[format].hasStyle !== true && (rules.arguments !== DEFAULT_RULES.arguments || !rules.reasoning);
  const needsFile = format === 'events' || hasIdle || flags.includes(null);
  const args = [
    'interject export',
    flag('format', format),
    ...(needsFile ? [flag('rules', RULES_FILE)] : flags.flatMap((one) => one ?? [])),
    ...(files === 'jsonl' ? [] : [flag('files', files)]),
    ...(hasKit ? [flag('kit', 'trl')] : []),
    ...(despite.length === 0 ? [] : [flag('despite', ...despite)]),
    flag('out', `${format}-data`),
  ];
  return { command: args.join(' '), needsFile };
}
