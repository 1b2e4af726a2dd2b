// Episodes by the file and the record they came from, so that what is imported twice is recognised.
import type { EventOf } from '../../shared/events/vocabulary.ts';
import type { Database } from './database.ts';

export type ImportedFiles = {
  write(event: EventOf<'episode.imported'>): void;
  /** Its record is known as erased from now on. */
  erase(episode: string): void;
  /** The episodes of a file by their place in it, or those of a record, whatever they are known by. */
  from: (key: string) => Map<number, string>;
  /** The newest of them, at most `VERSIONS_MAX`. */
  newest: (key: string) => string[];
};

/** Of a record that was imported in very many versions the older ones are not looked at. */
const VERSIONS_MAX = 20;

export function createImported(db: Database): ImportedFiles {
  const insert = db.prepare<[string, number, string]>(
    'INSERT OR IGNORE INTO imported (sha256, source_index, episode) VALUES (?, ?, ?)',
  );
  const select = db.prepare<[string], { source_index: number; episode: string }>(
    'SELECT source_index, episode FROM imported WHERE sha256 = +? ORDER BY source_index',
  );
  const insertVersion = db.prepare<[{ key: string; episode: string }]>(
    `INSERT INTO imported (sha256, source_index, episode)
     SELECT @key, coalesce(max(source_index) + 1, 0), @episode FROM imported WHERE sha256 = @key`,
  );
  // The end of a key: the identity, or the content of what is known by both.
  const noteErased = db.prepare<[string]>(
    `INSERT OR IGNORE INTO imported (sha256, source_index, episode)
     SELECT 'erased/' || substr(sha256, -64), source_index, episode FROM imported WHERE episode = ?`,
  );
  const selectNewest = db
    .prepare<[string], string>(
      `SELECT episode FROM imported WHERE sha256 = +? ORDER BY source_index DESC LIMIT ${String(VERSIONS_MAX)}`,
    )
    .pluck();
  // The list may know the episode already: of our own bundles this stands in a stream beside it.
  const putPlace = db.prepare<[{ place: number; episode: string }]>(
    'UPDATE episode_list SET place = @place WHERE id = @episode AND place <> @place',
  );
  return {
    write: ({ source, episode, record }) => {
      insert.run(source.sha256, source.index, episode);
      if (record !== undefined)
        for (const key of [record.identity, record.identity + record.content])
          insertVersion.run({ key, episode });
      if (source.index > 0) putPlace.run({ place: -source.index, episode });
    },
    erase: (episode) => void noteErased.run(episode),
    from: (key) => new Map(select.all(key).map((row) => [row.source_index, row.episode])),
    newest: (key) => selectNewest.all(key),
  };
}
