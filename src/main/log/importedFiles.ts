// Which episodes came from which file, so that a file imported twice is recognised.
import type { EventOf } from '../../shared/events/vocabulary.ts';
import type { Database } from './database.ts';

export type ImportedFiles = {
  write(event: EventOf<'episode.imported'>): void;
  /** The episodes of a file, by their place in it. */
  from: (sha256: string) => Map<number, string>;
};

export function createImported(db: Database): ImportedFiles {
  const insert = db.prepare<[string, number, string]>(
    'INSERT OR IGNORE INTO imported (sha256, source_index, episode) VALUES (?, ?, ?)',
  );
  const select = db.prepare<[string], { source_index: number; episode: string }>(
    'SELECT source_index, episode FROM imported WHERE sha256 = +? ORDER BY source_index',
  );
  // The list may know the episode already: of our own bundles this stands in a stream beside it.
  const putPlace = db.prepare<[{ place: number; episode: string }]>(
    'UPDATE episode_list SET place = @place WHERE id = @episode AND place <> @place',
  );
  return {
    write: ({ source, episode }) => {
      insert.run(source.sha256, source.index, episode);
      if (source.index > 0) putPlace.run({ place: -source.index, episode });
    },
    from: (sha256) => new Map(select.all(sha256).map((row) => [row.source_index, row.episode])),
  };
}
