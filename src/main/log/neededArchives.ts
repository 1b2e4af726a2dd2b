// The archive files that episodes of a log lie in, and whether each is there and holds what was taken out of the log.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { errorMessage, Failure } from '../../shared/failure.ts';
import { ARCHIVES, placesIn, prove, type ArchivedEpisode } from './archived.ts';
import { damagedArchive, openArchive } from './archiveFile.ts';
import type { Database } from './database.ts';

export type NeededArchive = {
  /** As the log names it: within the data folder, or a whole path. */
  file: string;
  /** Where it is looked for. */
  path: string;
  episodes: (ArchivedEpisode & { episode: string })[];
};

/** By their names. `folder` is the data folder that the log belongs to, also where a copy of the log is read. */
export function neededArchives(db: Database, folder: string): NeededArchive[] {
  const table = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'archived'").get();
  if (table === undefined) return [];
  const { pathOf } = placesIn(folder);
  const found = new Map<string, NeededArchive>();
  const rows = db.prepare<[], ArchivedEpisode & { episode: string }>(
    'SELECT episode, file, events, sha256 FROM archived ORDER BY file, episode',
  );
  for (const row of rows.iterate()) {
    const needed = found.get(row.file) ?? { file: row.file, path: pathOf(row.file), episodes: [] };
    needed.episodes.push(row);
    found.set(row.file, needed);
  }
  return [...found.values()];
}

/** Where a copy of a data folder has it: files from outside the folder come into the folder of archives. */
export const archivePlaceInCopy = (file: string): string => `${ARCHIVES}/${basename(file)}`;

/** Why the file at this path is not the one that the log needs; null where it holds every event and text unchanged. */
export function archiveFault({ episodes }: NeededArchive, path: string): Failure | null {
  let db: Database | null = null;
  try {
    db = openArchive(path);
    for (const one of episodes) prove(db, path, one.episode, one);
    const texts = db.prepare<[], { sha256: string; text: string }>('SELECT sha256, text FROM texts');
    for (const { sha256, text } of texts.iterate())
      if (createHash('sha256').update(text).digest('hex') !== sha256)
        return damagedArchive(path, `the long text ${sha256} is not what it was`);
    return null;
  } catch (thrown) {
    return thrown instanceof Failure ? thrown : damagedArchive(path, errorMessage(thrown), thrown);
  } finally {
    db?.close();
  }
}
