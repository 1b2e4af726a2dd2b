import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommanderError, type Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../src/main/hosts/main.ts';
import { killedCopy } from '../support/dataFolder.ts';
import { runCommand } from '../support/inProcess.ts';
import { blockCommands, documents, inlineCommands, textOf } from './commandLines.ts';
import { commandsOf } from './reference.ts';

/** Why a command of a fenced block is parsed only. Each must be needed by one. */
const NOT_RUN: readonly [pattern: RegExp, reason: string][] = [
  [/^serve/, 'serves until it is stopped: test/e2e starts it for every browser test'],
  [/--env /, 'needs an OpenEnv server'],
  [/--agent-model|--expert-model/, 'needs a model'],
  [/ (NAME|ID|RUN|A,B)\b/, 'names something of the reader’s own'],
  [/reading_room/, 'test/worlds/documented.test.ts makes that world from the page'],
  [/^report example/, 'draws every figure: test/hosts/benchCommand.test.ts'],
  [/^doctor/, 'looks at the whole machine: test/hosts/doctor.test.ts'],
];

const reasonOf = (command: string): number => NOT_RUN.findIndex(([pattern]) => pattern.test(command));

const program = createProgram(() => () => Promise.resolve());
const silent = { writeOut: () => undefined, writeErr: () => undefined };
for (const command of [program, ...program.commands.flatMap((one) => [one, ...one.commands])])
  command.exitOverride().configureOutput(silent);

/** What the command line says against it; null where it takes it. */
async function refusal(words: readonly string[]): Promise<string | null> {
  try {
    await program.parseAsync(words, { from: 'user' });
    return null;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.message;
    throw thrown;
  }
}

const fenced = documents.flatMap((document) =>
  blockCommands(textOf(document)).map((command) => ({ document, ...command, line: command.words.join(' ') })),
);

/** The command a line begins with, by its longest name: `world list`. */
function commandAt(line: string): Command | undefined {
  const found = commandsOf(program).filter(([name]) => line === name || line.startsWith(`${name} `));
  const byDefault = line.split(' ')[0] === 'world' ? 'world serve' : '';
  return (
    found.toSorted(([a], [b]) => b.length - a.length)[0]?.[1] ??
    commandsOf(program).find(([name]) => name === byDefault)?.[1]
  );
}

describe('a command in the documents', () => {
  it('is one the command line takes, with every flag and value, where it can be copied', async () => {
    expect(fenced.length).toBeGreaterThan(30);
    const refused: string[] = [];
    for (const { document, words, line } of fenced) {
      const said = await refusal(words);
      if (said !== null) refused.push(`${document}: ${line}: ${said}`);
    }

    expect(refused).toEqual([]);
  });

  it('has no flag that is not its own, where it stands in a sentence', () => {
    const wrong = documents.flatMap((document) =>
      inlineCommands(textOf(document)).flatMap((line) => {
        if (/^(COMMAND|…)|^-- /.test(line)) return [];
        const command = commandAt(line);
        if (command === undefined) return [`${document}: ${line}: no such command`];
        const flags = command.options.flatMap(({ long, short }) => [long, short]);
        return [...line.matchAll(/(?<=^|\s|\[|\()--?[a-z][\w-]*/g)]
          .map(([flag]) => flag)
          .filter((flag) => flag !== '--help' && !flags.includes(flag))
          .map((flag) => `${document}: ${line}: ${flag}`);
      }),
    );

    expect(wrong).toEqual([]);
  });

  it('is refused here where it is not one', async () => {
    expect(await refusal(['bench', 'split', '--wordl', 'all'])).toContain('--wordl');
    expect(await refusal(['run', '--condition', 'nobody'])).toContain('nobody');
  });

  it('is run here, unless it needs what this list names', () => {
    const used = new Set(fenced.map(({ line }) => reasonOf(line)));

    expect(NOT_RUN.filter((_, index) => !used.has(index))).toEqual([]);
  });
});

describe('the commands of a page, one after the other', () => {
  let folder = '';
  const before = process.env['INTERJECT_HOME'];
  const type = (line: string, cwd: string): ReturnType<typeof runCommand> => runCommand(cwd, line.split(' '));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'interject-docs-'));
    process.env['INTERJECT_HOME'] = join(folder, 'played');
    const run = '--world loomline_workflows --task 0-3 --condition model --run first';
    expect((await type(`run ${run}`, folder)).code).toBe(0);
    const [train, val] = [[['loomline_workflows', 0]], [['loomline_workflows', 1]]];
    writeFileSync(join(folder, 'split.json'), JSON.stringify({ meta: {}, train, val }));
    // What a reader of the page has: logs of their own.
    await type('export --format awm --out my-logs', folder);
  });
  afterAll(() => {
    if (before === undefined) delete process.env['INTERJECT_HOME'];
    else process.env['INTERJECT_HOME'] = before;
    rmSync(folder, { recursive: true, force: true });
  });

  const wanted = fenced.filter(({ line }) => reasonOf(line) === -1);
  it.each([...new Set(wanted.map(({ document }) => document))])('do what they say: %s', async (document) => {
    const here = join(folder, document.replaceAll('/', '-'));
    mkdirSync(here);
    process.env['INTERJECT_HOME'] = join(here, 'home');
    const commands = wanted.filter((one) => one.document === document);
    // A page that plays episodes begins with nothing; any other is for a reader who has some already.
    const begins = (word: string): boolean => commands.some(({ words }) => words[0] === word);
    if (!begins('run')) killedCopy(join(folder, 'played'), join(here, 'home'));
    if (!commands.some(({ words }) => words[1] === 'split'))
      cpSync(join(folder, 'split.json'), join(here, 'split.json'));
    cpSync(join(folder, 'my-logs'), join(here, 'my-logs'), { recursive: true });

    for (const { line, output } of commands) {
      const { code, written, said } = await type(line, here);
      if (output !== null) writeFileSync(join(here, output), written);
      expect(`${line}: ${String(code)} ${code === 0 ? '' : said}`).toBe(`${line}: 0 `);
    }
  });
});
