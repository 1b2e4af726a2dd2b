// Takes one file of episodes in for another command, whose ids it gives back.
import type { FileReport } from '../../../shared/contract/import.ts';
import { Failure, type FailureShape } from '../../../shared/failure.ts';
import { findFiles } from './findFiles.ts';
import type { ImportListener } from './importFile.ts';
import { createNotes } from './importNotes.ts';
import type { FileToImport } from './readFile.ts';

/** Takes one file in, into a log of this process or through a running Interject. */
type ImportOne = (file: FileToImport, listening: ImportListener) => Promise<FileReport>;

/** The episodes of a file or folder, whether they were here before or not. Throws `import_failed` where it holds none. */
export async function importEpisodes(importFile: ImportOne, path: string): Promise<string[]> {
  const episodes: string[] = [];
  const { signal } = new AbortController();
  for (const file of findFiles(path, createNotes())) {
    const report = await importFile(file, {
      signal,
      onBytes: () => undefined,
      onEpisode: ({ episode }) => void episodes.push(episode),
    });
    if (report.failure !== null && report.format !== null) throw unreadFile(path, report.failure);
  }
  if (episodes.length > 0) return episodes;
  throw noEpisodes(path);
}

const unreadFile = (path: string, failure: FailureShape): Failure =>
  new Failure(failure.code, `${path}: ${failure.message}`, {
    next: failure.next ?? 'Check the file with `interject import`.',
  });

const noEpisodes = (path: string): Failure =>
  new Failure('import_failed', `no episode was found in ${path}`, {
    next: 'See docs/import.md for the formats; they are recognised by their content.',
  });
