// What is said where the command line could not be read.
import type { Command, CommanderError } from 'commander';
import { Failure } from '../../shared/failure.ts';

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
  const typed = typedCommand(program, argv);
  const commands = typed.split(' ').reduce<Command[]>(
    (path, name) => {
      const next = path.at(-1)?.commands.find((one) => one.name() === name);
      return next === undefined ? path : [...path, next];
    },
    [program],
  );
  const known = new Map(
    commands.flatMap(({ options }) =>
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
    .map((one) => ({ one, apart: distance(flag, one) }))
    .filter(({ apart }) => apart <= Math.max(1, Math.floor(flag.length / 3)))
    .toSorted((a, b) => a.apart - b.apart);
  return best?.one ?? null;
}

/** Letters to add, drop, change or swap with their neighbour. */
function distance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const above = rows[i - 1] ?? [];
      const cost = from[i - 1] === to[j - 1] ? 0 : 1;
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        least = Math.min(least, (rows[i - 2]?.[j - 2] ?? 0) + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}

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
