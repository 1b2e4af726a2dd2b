// What was noted about episodes in other streams: an archive holds a copy, so that it can be read by itself. The log keeps
// its own.
import { ANNOTATE_PREFIX } from '../../shared/events/annotations.ts';
import { rowsOfStream, type EventColumns } from './archiveFile.ts';
import type { Database } from './database.ts';

/** Tags, late advice, calls made again, measured lifts, and where a bundle's episode came from. */
const BESIDE = ['tags', 'late', 'again', 'lift', 'import'] as const;

export function copyBeside(
  db: Database,
  episodes: readonly string[],
  put: (rows: readonly EventColumns[]) => void,
): void {
  for (const episode of episodes) for (const name of BESIDE) put(rowsOfStream(db, `${name}/${episode}`));
  const chosen = new Set(episodes);
  for (const rows of projectRows(db)) if (isAbout(rows, chosen)) put(rows);
}

/** The streams of annotation projects: reviews stand in them by project, not by episode. */
function* projectRows(db: Database): Generator<EventColumns[]> {
  const streams = db
    .prepare<[string, string], { stream: string }>(
      'SELECT DISTINCT stream FROM events WHERE stream >= ? AND stream < ?',
    )
    .all(ANNOTATE_PREFIX, `${ANNOTATE_PREFIX}\u{10FFFF}`);
  for (const { stream } of streams) yield rowsOfStream(db, stream);
}

const isAbout = (rows: readonly EventColumns[], chosen: ReadonlySet<string>): boolean =>
  rows.some(([, , , , , , body]) =>
    [...body.matchAll(/"episode":"([^"\\]+)"/g)].some(([, id = '']) => chosen.has(id)),
  );
