import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/main/hosts/main.ts';
import { VERSION } from '../../src/main/hosts/version.ts';

const BIN = join(import.meta.dirname, '../../bin/interject.mjs');
const shown = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [BIN, ...args])).stdout;

/** What the command line itself would print. */
function helpOf(path: readonly string[]): string {
  let command: Command | undefined = createProgram(() => () => Promise.resolve());
  for (const word of path) command = command?.commands.find((one) => one.name() === word);
  let text = '';
  command?.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text;
}

describe('help that is shown without loading the product', () => {
  it.each([['--help'], ['-h'], ['help']])('is what the command line says of itself: %s', async (flag) => {
    expect(await shown(flag)).toBe(helpOf([]));
  });

  it.each(['serve', 'run', 'export', 'bench split', 'world', 'world check'])(
    'is what it says of %s',
    async (command) => {
      const path = command.split(' ');
      expect(helpOf(path)).toContain(`Usage: interject ${command}`);
      expect(await shown(...path, '--help')).toBe(helpOf(path));
    },
  );

  it('tells the version', async () => {
    expect(await shown('--version')).toBe(`${VERSION}\n`);
  });
});
