// Takes one file of episodes in for another command, whose ids it gives back.
import { Failure } from '../../../shared/failure.ts';
import { findFiles } from './findFiles.ts';
import { importFile, type ImportDependencies } from './importFile.ts';
import { createNotes } from './importNotes.ts';

/** The episodes of a file or folder, whether they were here before or not. Throws `import_failed` where it holds none. */
export async function importEpisodes(parts: ImportDependencies, path: string): Promise<string[]> {
  const episodes: string[] = [];
  const { signal } = new AbortController();
  for (const file of findFiles(path, createNotes())) {
    const report = await importFile(parts, file, {
      signal,
      onBytes: () => undefined,
      onEpisode: ({ episode }) => void episodes.push(episode),
    });
    if (report.failure !== null && report.format !== null) {
      throw new Failure(report.failure.code, `${path}: ${report.failure.message}`, {
        next: report.failure.next ?? 'Check the file with `interject import`.',
      });
    }
  }
  if (episodes.length > 0) return episodes;
  throw new Failure('import_failed', `no episode was found in ${path}`, {
    next: 'See docs/import.md for the formats; they are recognised by their content.',
  });
}
