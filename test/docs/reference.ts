// The reference pages that are made from code: docs/commands.md from the command line's own definitions, docs/keys.md
// from the key map.
import type { Command, Option } from 'commander';
import { keyRows, SCOPES, type KeyScope } from '../../src/renderer/state/keys.ts';
import { chordKeys } from '../../src/renderer/ui/Kbd.tsx';

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

/** The tables of docs/keys.md. */
export function keyReference(): string {
  const rows = keyRows();
  return (Object.keys(SCOPES) as KeyScope[])
    .map((scope) => {
      const own = rows.filter(({ row }) => row.scope === scope);
      const lines = own.map(({ row }) => `| ${row.chords.map(chordText).join(', ')} | ${row.label} |`);
      return [
        `## ${SCOPES[scope].label}`,
        ['| key | what it does |', '| --- | --- |', ...lines].join('\n'),
      ].join('\n\n');
    })
    .join('\n\n');
}
