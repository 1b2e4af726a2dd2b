// Run once by the build: keeps help in the file it is given, beside the product, so that it is shown without loading it.
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { createProgram } from './main.ts';
import { VERSION } from './version.ts';

const textsOf = (command: Command, path: readonly string[]): [string, string][] => {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return [[path.join(' '), text], ...command.commands.flatMap((one) => textsOf(one, [...path, one.name()]))];
};

const help = Object.fromEntries(
  textsOf(
    createProgram(() => () => Promise.resolve()),
    [],
  ),
);
writeFileSync(process.argv[2] ?? '', JSON.stringify({ version: VERSION, help }));
