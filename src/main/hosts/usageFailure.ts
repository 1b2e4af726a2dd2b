// What is said where the command line could not be read.
import type { Command, CommanderError } from 'commander';
import { Failure } from '../../shared/failure.ts';

export const NO_COMMAND = new Failure('bad_input', 'no command was given', {
  next: 'For the console: `interject serve`. Every command: `interject --help`.',
});

export const usageFailure = ({ message }: CommanderError, typed: string): Failure =>
  new Failure('bad_input', message.replace(/^error: /, ''), { next: `See \`${typed} --help\`.` });

/** The command that was typed, with its name in the program: `interject world check`. */
export function typedCommand(program: Command, argv: readonly string[]): string {
  const path = [program];
  for (const word of argv) {
    const next = path.at(-1)?.commands.find((one) => one.name() === word);
    if (next !== undefined) path.push(next);
    else if (!word.startsWith('-')) break;
  }
  return path.map((one) => one.name()).join(' ');
}
