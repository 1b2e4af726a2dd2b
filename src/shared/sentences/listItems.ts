// The items of an argument that is a list of records, one line each: the lines of a booking are where its mistakes are.
import { isRecord } from '../json.ts';
import { argumentLabel } from './clause.ts';
import type { NameOf } from './names.ts';
import { centsLabel, valueLabel } from './valueLabel.ts';

/** One argument whose items a sentence only counts. */
type ListedArgument = { argument: string; lines: string[] };

/** Each list of records among the arguments, an item a line, with the names of the records that ids stand for. */
export function listedArguments(
  args: Readonly<Record<string, unknown>>,
  nameOf: NameOf,
  tool: string,
): ListedArgument[] {
  return Object.entries(args).flatMap(([argument, value]) =>
    Array.isArray(value) && value.length > 0 && value.every(isRecord)
      ? [{ argument, lines: value.map((item) => itemLine(item, nameOf, tool)) }]
      : [],
  );
}

function itemLine(item: Record<string, unknown>, nameOf: NameOf, tool: string): string {
  const members = Object.entries(item).map(([key, value]) => {
    const name = nameOf(key, value, { tool });
    const label =
      name === null ? (centsLabel(key, value) ?? valueLabel(value)) : `${name.name} (${valueLabel(value)})`;
    return `${argumentLabel(key, value)} ${label}`;
  });
  return members.length === 0 ? 'nothing' : members.join(', ');
}
