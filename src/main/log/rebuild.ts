// Making the small tables again from the events alone, when their shape has changed or they are in doubt.
import { IN_PLACE } from '../../shared/episode/change.ts';
import { fold } from '../../shared/episode/fold.ts';
import { emptyRecord } from '../../shared/episode/record.ts';
import type { Database } from './database.ts';
import { createLongTexts } from './longTexts.ts';
import { createProjections } from './projections.ts';
import { createReader } from './eventReader.ts';

/** Every table that is derived from the events, and nothing else. */
export const PROJECTED_TABLES = [
  'episodes',
  'waiting',
  'holds',
  'seen',
  'past_advice',
  'past_advice_words',
  'imported',
  'review_covered',
  'review_finished',
  'episode_list',
  'tags',
  'draft_fates',
  'judged',
] as const;

/** Empties the projections and fills them from the log as it was written, in one transaction. */
export function rebuildProjections(db: Database): void {
  const reader = createReader(db);
  const texts = createLongTexts(db);
  const projections = createProjections(db, (text) => texts.loadText(text));
  const isHalf = db.prepare('SELECT 1 FROM half_imported WHERE stream = ?');
  const rebuild = db.transaction(() => {
    for (const table of PROJECTED_TABLES) db.exec(`DELETE FROM ${table}`);
    for (const stream of besideLast(reader.streams())) {
      if (isHalf.get(stream) !== undefined) continue;
      let record = emptyRecord(stream);
      for (const recorded of reader.read(stream)) {
        const before = record;
        record = fold(record, recorded, IN_PLACE);
        projections.write(record, recorded, before);
      }
    }
  });
  rebuild.immediate();
}

/** Streams beside an episode come after it: they need its row. */
function besideLast(streams: readonly string[]): string[] {
  const isBeside = (stream: string): boolean => /^(?:import|seat)\//.test(stream);
  return streams.toSorted((a, b) => Number(isBeside(a)) - Number(isBeside(b)));
}
