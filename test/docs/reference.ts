// The reference pages that are made from code: docs/commands.md from the command line's own definitions, docs/keys.md
// from the key map, docs/formats.md from the formats and rules of exports, docs/settings.md from the settings' schemas.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command, Option } from 'commander';
import { z } from 'zod';
import { exportFormat } from '../../src/main/dataset/export/formats.ts';
import type { Format } from '../../src/main/dataset/export/format.ts';
import { PROVENANCE } from '../../src/main/dataset/export/rowFacts.ts';
import { GATEWAY_DEFAULTS } from '../../src/shared/contract/gateway.ts';
import { Doubtful, ExportFormat, type ExportRules, Preset } from '../../src/shared/contract/export.ts';
import { SettingsPatch } from '../../src/shared/contract/settings.ts';
import { DROPS, dropWords } from '../../src/shared/export/dropWords.ts';
import { rowTexts } from '../../src/shared/export/formats.ts';
import { EMPTY_ROSTER } from '../../src/shared/experts/roster.ts';
import { REWARD_DEFAULTS } from '../../src/shared/rewards/settings.ts';
import { keyRows, KEY_GROUPS, type KeyGroup } from '../../src/renderer/state/keys.ts';
import { chordKeys } from '../../src/renderer/ui/Kbd.tsx';

const root = resolve(import.meta.dirname, '../..');

/** An option of this many commands is told of once. */
const SHARED_FROM = 3;
/** An option and a value are code, as they would be typed. */
const code = (text: string): string => `\`${text}\``;

/** Every command a person can type, with the words that name it. */
export function commandsOf(program: Command, path: readonly string[] = []): [string, Command][] {
  return program.commands.flatMap((command): [string, Command][] => {
    const here = [...path, command.name()];
    const below = commandsOf(command, here);
    // One with subcommands may be a command itself.
    const isCommand = below.length === 0 || command.options.length > 0;
    return [...(isCommand ? [[here.join(' '), command] satisfies [string, Command]] : []), ...below];
  });
}

/** Prose of one line: `<` would begin a tag in Markdown. */
const plain = (text: string): string => text.replaceAll('<', '\\<').replaceAll('*', '\\*');

const optionLine = (option: Option): string => {
  const { argChoices, defaultValue, negate } = option;
  const extra = [
    ...(argChoices === undefined ? [] : [`one of ${argChoices.map(code).join(', ')}`]),
    ...(['string', 'number'].includes(typeof defaultValue) && !negate
      ? [`default ${code(String(defaultValue))}`]
      : []),
  ];
  return `- ${code(option.flags)}: ${plain(option.description)}${extra.length > 0 ? ` (${extra.join('; ')})` : ''}`;
};

const argumentWords = (command: Command): string =>
  command.registeredArguments
    .map((argument) => {
      const name = `${argument.name()}${argument.variadic ? '…' : ''}`;
      return argument.required ? ` <${name}>` : ` [${name}]`;
    })
    .join('');

const argumentLines = (command: Command): string[] =>
  command.registeredArguments
    .filter(({ description }) => description !== '')
    .map((argument) => `- ${code(argument.name())}: ${plain(argument.description)}`);

function commandSection(name: string, command: Command, isShared: (line: string) => boolean): string {
  const own = command.options.filter((option) => !isShared(optionLine(option)));
  const shared = command.options.filter((option) => isShared(optionLine(option)));
  const lines = [...argumentLines(command), ...own.map(optionLine)];
  return [
    `### interject ${name}`,
    `${code(`interject ${name}${argumentWords(command)} [options]`)}: ${plain(command.description())}.`,
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...(shared.length > 0
      ? [`Also: ${shared.map(({ long, flags }) => code(long ?? flags)).join(', ')}.`]
      : []),
  ].join('\n\n');
}

/** The reference part of docs/commands.md. */
export function commandReference(program: Command): string {
  const commands = commandsOf(program);
  const users = new Map<string, string[]>();
  for (const [name, command] of commands)
    for (const option of command.options) {
      const line = optionLine(option);
      users.set(line, [...(users.get(line) ?? []), name]);
    }
  const isShared = (line: string): boolean => (users.get(line)?.length ?? 0) >= SHARED_FROM;
  const shared = [...users.keys()].filter(isShared);
  return [
    ...commands.map(([name, command]) => commandSection(name, command, isShared)),
    '### Options of several commands',
    shared.join('\n'),
  ].join('\n\n');
}

const chordText = (chord: string): string =>
  chord
    .split(' ')
    .map((part) => code(chordKeys(part, false).join('+')))
    .join(' ');

/** The keys of docs/keys.md, a line each. */
export function keyReference(): string {
  const rows = keyRows();
  return (Object.keys(KEY_GROUPS) as KeyGroup[])
    .map((group) => {
      const own = rows.filter(({ row }) => row.group === group);
      const lines = own.map(({ row }) => `- ${row.chords.map(chordText).join(', ')}: ${row.label}`);
      return [`## ${KEY_GROUPS[group]}`, lines.join('\n')].join('\n\n');
    })
    .join('\n\n');
}

/** The comments of the fields of an object schema, as its source has them. */
function fieldComments(file: string, name: string): Map<string, string> {
  const source = readFileSync(join(root, file), 'utf8');
  const [, body = ''] = new RegExp(`const ${name} = [^]*?\\{\\n([^]*?)\\n\\}`).exec(source) ?? [];
  const fields = [...body.matchAll(/^  (?:\/\*\* (.*?) \*\/\n  )?(\w+):/gm)];
  return new Map(fields.map(([, comment = '', field = '']) => [field, comment]));
}

const VERDICTS: Readonly<Record<Format['verdict'], string>> = {
  completed: 'episodes that were completed',
  verified: 'episodes that a verifier judged',
  any: 'episodes that ended',
};

function formatSection(id: ExportFormat, preset: Preset | null): string {
  const { columns, verdict, isVerdictFixed, says } = exportFormat(id, { preset });
  const isOrigin = (name: string): boolean => PROVENANCE.some((one) => one.name === name);
  const own = (columns ?? []).filter(({ name }) => !isOrigin(name)).map(({ name }) => code(name));
  const hasOrigin = columns?.some(({ name }) => isOrigin(name)) === true;
  const named = [...own, ...(hasOrigin ? ['the columns of origin'] : [])].join(', ');
  return [
    `### ${rowTexts(id, preset).label}: ${code(preset === null ? id : `${id} --preset ${preset}`)}`,
    says,
    `Takes ${isVerdictFixed === true ? 'only ' : ''}${VERDICTS[verdict]}. ${columns === null ? 'Lines only, keys of that schema.' : `Columns: ${named}.`}`,
  ].join('\n\n');
}

/** The flags of each rule. */
const RULE_FLAGS: Readonly<Record<keyof ExportRules, string>> = {
  filter: '--environment --scenario --run --tag --source --outcome --since-date --until-date --min-reward',
  episodes: '--episode',
  verdict: '--completed --verified --any',
  conditions: '--condition',
  actors: '--actor',
  privilege: '--privilege',
  include: `--include ${Doubtful.options.join(' ')}`,
  cap_per_task: '--cap',
  validation: '--validation --seed',
  held_out: '--split',
  after_seq: '--since',
  preset: '--preset',
  arguments: '--arguments',
  reasoning: '--no-reasoning',
  failed_calls: '--failed-calls',
  words: '--words',
};

/** The formats and rules of docs/formats.md. */
export function formatReference(): string {
  const drops = DROPS.map((name) => ({ name, ...dropWords(name) }));
  const dropLine = ({ name, words }: { name: string; words: string }): string =>
    `- ${code(name)}: ${lowerFirst(words)}`;
  const comments = fieldComments('src/shared/contract/export.ts', 'ExportRules');
  const rules = Object.keys(RULE_FLAGS) as (keyof ExportRules)[];
  return [
    '## Formats',
    `Columns of origin: ${PROVENANCE.map(({ name }) => code(name)).join(', ')}.`,
    ...ExportFormat.options.map((id) => formatSection(id, null)),
    ...Preset.options.map((preset) => formatSection('sft', preset)),
    '## Rules',
    rules
      .map((rule) => {
        const counted = drops.filter((drop) => drop.rule === rule).map(({ name }) => code(name));
        const end = counted.length === 0 ? '' : ` Counted as ${counted.join(', ')}.`;
        return `- ${code(rule)} (${code(RULE_FLAGS[rule])}): ${comments.get(rule) ?? ''}${end}`;
      })
      .join('\n'),
    '## What is left out',
    drops.map(dropLine).join('\n'),
  ].join('\n\n');
}

const lowerFirst = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

const JsonSchema = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  get anyOf() {
    return z.array(JsonSchema).optional();
  },
  get properties() {
    return z.record(z.string(), JsonSchema).optional();
  },
});
type JsonSchema = z.infer<typeof JsonSchema>;

/** The fields at the ends of a schema, with their paths. An item of a list that is edited is what is saved of it. */
function settingLeaves(schema: JsonSchema, path: string): [path: string, schema: JsonSchema][] {
  const choices = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  const [saved] = choices.flatMap(({ properties }) => properties?.['save'] ?? []);
  if (saved !== undefined) return settingLeaves(saved, `${path}[]`);
  if (choices.length === 1 && choices[0] !== undefined) return settingLeaves(choices[0], path);
  if (schema.properties === undefined) return [[path, schema]];
  return Object.entries(schema.properties).flatMap(([name, below]) =>
    settingLeaves(below, path === '' ? name : `${path}.${name}`),
  );
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  boolean: '`true` or `false`',
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  array: 'a list',
  object: 'names with numbers',
};

const SETTING_DEFAULTS: Readonly<Record<string, unknown>> = {
  gateway: GATEWAY_DEFAULTS,
  roster: EMPTY_ROSTER,
  'reward_profiles[]': { settings: REWARD_DEFAULTS },
};

const settingComments = (): Map<string, string> =>
  new Map(
    [
      ['src/shared/contract/gateway.ts', 'GatewaySettings'],
      ['src/shared/contract/budgets.ts', 'BudgetFields'],
      ['src/shared/rewards/settings.ts', 'ShapingSettings'],
      ['src/shared/rewards/settings.ts', 'RubricSettings'],
      ['src/shared/events/prices.ts', 'ModelPrice'],
    ].flatMap(([file = '', name = '']) => [...fieldComments(file, name)]),
  );

/** The settings of docs/settings.md: each field, what it may be, its default. Keys are in no settings file. */
export function settingsReference(): string {
  const comments = settingComments();
  const fields = settingLeaves(JsonSchema.parse(z.toJSONSchema(SettingsPatch, { io: 'input' })), '');
  const defaultOf = (path: string): unknown =>
    path.split('.').reduce<unknown>((value, name) => Object(value)[name] as unknown, SETTING_DEFAULTS);
  return fields
    .filter(([path]) => !path.endsWith('key'))
    .map(([path, schema]) => {
      const value = defaultOf(path);
      const may = schema.enum?.map(code).join(' or ') ?? TYPE_WORDS[schema.type ?? ''];
      const isShort = value !== undefined && typeof value !== 'object';
      const comment = comments.get(path.split('.').at(-1) ?? '') ?? '';
      return `- ${code(path)}: ${may ?? ''}${isShort ? `, default ${code(JSON.stringify(value).replaceAll('"', ''))}` : ''}. ${comment}`.trim();
    })
    .join('\n');
}
