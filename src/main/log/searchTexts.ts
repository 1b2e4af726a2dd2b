// What a search looks through: which texts an event brings, and as what kind of hit.
import { searched, type SearchTexts } from '../../shared/events/kind.ts';
import type { Text } from '../../shared/events/text.ts';
import { KINDS, type LogEvent } from '../../shared/events/vocabulary.ts';

export function searchTexts(event: LogEvent): SearchTexts | null {
  const { search } = KINDS[event.kind];
  if (search === null) return null;
  const fields: Record<string, unknown> = event;
  if (typeof search === 'function') return search(fields);
  const [kind, ...names] = search;
  return searched(
    kind,
    names.map((name) => fields[name] as Text | null),
  );
}
