// What is said where the command line could not be read.
import type { Command, CommanderError } from 'commander';
import { Failure } from '../../shared/failure.ts';
import { editDistance } from '../../shared/nearest.ts';

export const NO_COMMAND = new Failure('bad_input', 'no command was given', {
  next: 'For the console: `interject serve`. Every command: `interject --help`.',
});

export const usageFailure = ({ message }: CommanderError, typed: string): Failure =>
  new Failure('bad_input', message.replace(/^error: /, ''), { next: `See \`${typed} --help\`.` });

/**
 * The first flag that no command knows, with the nearest that there is: said before anything that a flag so mistyped is
 * missed for. Null where all are known.
 */
export function unknownFlag(program: Command, argv: readonly string[]): Failure | null {
  const path = typedPath(program, argv);
  const typed = nameOf(path);
  const known = new Map(
    path.flatMap(({ options }) =>
      options.flatMap((option) =>
        [option.long, option.short].flatMap((flag) => (flag ? [[flag, option] as const] : [])),
      ),
    ),
  );
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (word === '--') return null;
    const [flag = ''] = word.split('=');
    if (!/^--[a-z]/i.test(flag) || flag === '--help') continue;
    const option = known.get(flag);
    if (option === undefined) {
      const nearest = nearestOf(flag, [...known.keys()]);
      return new Failure('bad_input', `there is no flag ${flag}`, {
        next:
          nearest === null ? `See \`${typed} --help\`.` : `Did you mean ${nearest}? See \`${typed} --help\`.`,
      });
    }
    // The value of a flag may look like one.
    if (option.required && !word.includes('=')) at += 1;
  }
  return null;
}

/** Not more than a third of its letters apart. */
function nearestOf(flag: string, known: readonly string[]): string | null {
  const [best] = known
    .map((one) => ({ one, apart: editDistance(flag, one) }))
    .filter(({ apart }) => apart <= Math.max(1, Math.floor(flag.length / 3)))
    .toSorted((a, b) => a.apart - b.apart);
  return best?.one ?? null;
}

/** The program, and the command of it that was typed: `interject`, `world`, `check`. */
function typedPath(program: Command, argv: readonly string[]): Command[] {
  const path = [program];
  for (const word of argv) {
    const next = path.at(-1)?.commands.find((one) => one.name() === word);
    if (next !== undefined) path.push(next);
    else if (!word.startsWith('-')) break;
  }
  return path;
}

/** Its whole name: `interject world check`. */
export const typedCommand = (program: Command, argv: readonly string[]): string =>
  nameOf(typedPath(program, argv));

const nameOf = (path: readonly Command[]): string => path.map((one) => one.name()).join(' ');
