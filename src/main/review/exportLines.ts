// What was said in a project as lines of JSON: whole, by whom, under which schema, and with whose last word.
import type { ItemRecord, ProjectRecord } from '../../shared/annotate/record.ts';
import { annotationRow, correctionRow } from './rows.ts';

/** One object per annotation, correction, preference and adjudication, item by item; episodes by their ids alone. */
export function* exportLines(project: ProjectRecord): Generator<Record<string, unknown>> {
  for (const { queue, name, is_blind, hides_outcome, items } of project.queues.values()) {
    const at = { project: project.id, queue, queue_name: name, is_blind, hides_outcome };
    for (const item of items) yield* itemLines(project, item, { ...at, item: item.item });
  }
}

function* itemLines(
  { schemas }: ProjectRecord,
  item: ItemRecord,
  at: Record<string, unknown>,
): Generator<Record<string, unknown>> {
  const stateOf = (seat: string): string => item.seats.get(seat)?.state ?? 'open';
  for (const one of item.annotations) {
    const dimension = schemas.get(one.schemaVersion)?.find(({ id }) => id === one.dimension);
    yield {
      type: 'annotation',
      ...at,
      ...annotationRow(one),
      dimension_name: dimension?.name ?? null,
      use: dimension?.use ?? null,
      review: stateOf(one.reviewer),
    };
  }
  for (const one of item.corrections) {
    yield { type: 'correction', ...at, ...correctionRow(one), review: stateOf(one.reviewer) };
  }
  for (const { id, ...one } of item.preferences) {
    yield { type: 'preference', ...at, preference: id, ...one, review: stateOf(one.reviewer) };
  }
  for (const { id, schemaVersion, ...one } of item.adjudications) {
    yield { type: 'adjudication', ...at, adjudication: id, schema_version: schemaVersion, ...one };
  }
}
