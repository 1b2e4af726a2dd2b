// The commands that stand in the documents: whole lines of fenced blocks, and those within a sentence.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

export const documents: readonly string[] = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
];

export const textOf = (document: string): string => readFileSync(join(root, document), 'utf8');

const COMMAND = /^(?:npm run interject -- |npx --no interject |interject )(.*)$/;

/** A command without the word `interject`, and the file its output goes to. */
export type BlockCommand = { words: string[]; output: string | null };

function readCommand(line: string): BlockCommand {
  const [text = ''] = line.split(/ +#/);
  const [command = '', output = null] = text.split(' > ');
  return { words: wordsOf(command), output };
}

/** The words of a line, as a shell splits them. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

/** What a person can copy from the fenced blocks of a document, in order. */
export function blockCommands(text: string): BlockCommand[] {
  const blocks = [...text.matchAll(/^```[^\n]*\n([^]*?)^```/gm)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.replaceAll(/ *\\\n\s*/g, ' ').split('\n'))
    .flatMap((line) => {
      const [, rest] = COMMAND.exec(line.trim()) ?? [];
      return rest === undefined ? [] : [readCommand(rest)];
    });
}

/** Commands within a sentence or a table, where `…`, `|` and brackets stand for more than one. */
export function inlineCommands(text: string): string[] {
  return [...text.matchAll(/`(?:npm run interject -- |npx --no interject |interject )([^`]+)`/g)].map(
    ([, rest = '']) => rest,
  );
}
