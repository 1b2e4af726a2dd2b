// Checks the events that lie beside the rows: rows may leave out secrets that the whole episode holds.
import type { Finding } from '../../../../shared/contract/export.ts';
import type { StoredRow } from '../../../log/eventReader.ts';
import type { YieldToOthers } from '../pace.ts';
import { holdsPersonal } from './personal.ts';
import { holdsKey, holdsNamedSecret, holdsPlace } from './secrets.ts';
import { plainText } from './seenRow.ts';

type EventCheck = {
  check: string;
  /** Of episodes. */
  says: string;
  finds: (text: string) => boolean;
};

/** The same look as at rows; keys are left out of the file, so that nothing here stands in the way of writing it. */
const EVENT_CHECKS: readonly EventCheck[] = [
  {
    check: 'events_secrets',
    says: 'what looks like a key, a token or a password in an address; [left out] stands in its place there. Erase it from the log',
    finds: holdsKey,
  },
  {
    check: 'events_named_secrets',
    says: 'a field named like a password or a key, with a value that looks like one: see that it is the world’s own',
    finds: holdsNamedSecret,
  },
  {
    check: 'events_paths',
    says: 'the name of a file or folder of somebody’s machine',
    finds: holdsPlace,
  },
  {
    check: 'events_personal',
    says: 'what may be about a person: an e-mail address, a telephone, card or social security number',
    finds: holdsPersonal,
  },
];

/** What was found in the events of one episode: a bit for each check, and where each was found first. */
export type EventMarks = { bits: number; at: readonly number[] };

/** Long texts that lie beside the log are read by `loadText`. Others have their turn between one look and the next. */
export async function eventMarks(
  rows: readonly Pick<StoredRow, 'n' | 'body'>[],
  loadText: (body: string) => string,
  pace: YieldToOthers,
): Promise<EventMarks> {
  let bits = 0;
  const at = EVENT_CHECKS.map(() => -1);
  const all = (1 << EVENT_CHECKS.length) - 1;
  for (const { n, body } of rows) {
    const text = plainText(loadText(body));
    for (const [bit, { finds }] of EVENT_CHECKS.entries()) {
      await pace();
      if ((bits & (1 << bit)) !== 0 || !finds(text)) continue;
      bits |= 1 << bit;
      at[bit] = n;
    }
    if (bits === all) break;
  }
  return { bits, at };
}

/** Places of a finding that can be jumped to. */
const EVENT_PLACES_MAX = 20;

export function eventFindings(marked: Iterable<{ episode: string; marks: EventMarks }>): Finding[] {
  const found = EVENT_CHECKS.map((): { count: number; at: Finding['at'] } => ({ count: 0, at: [] }));
  for (const { episode, marks } of marked) {
    found.forEach((one, bit) => {
      if ((marks.bits & (1 << bit)) === 0) return;
      one.count += 1;
      if (one.at.length < EVENT_PLACES_MAX) one.at.push({ episode, n: marks.at[bit] ?? null });
    });
  }
  return EVENT_CHECKS.flatMap(({ check, says }, bit) => {
    const { count, at } = found[bit] ?? { count: 0, at: [] };
    if (count === 0) return [];
    const episodes =
      count === 1
        ? 'the events of 1 episode hold'
        : `the events of ${count.toLocaleString('en')} episodes hold`;
    return [{ check, level: 'warning' as const, message: `In events.jsonl ${episodes} ${says}.`, count, at }];
  });
}
