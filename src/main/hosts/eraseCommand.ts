// Owns: `interject erase`: a person's data or a pasted secret out of the log, for good.
import { readFileSync } from 'node:fs';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { Failure } from '../../shared/failure.ts';
import { createSources } from '../dataset/import/sources.ts';
import { takeDataFolder, type DataFolder } from '../log/dataFolder.ts';
import { openDatabase } from '../log/database.ts';
import { createEventLog, type EventLog } from '../log/eventLog.ts';
import { newId, nodeEdges } from './edges.ts';
import type { Output } from './output.ts';
import { dataFolderPath, fromCaller } from './paths.ts';

export type EraseOptions = { textFile?: string; reason?: string; data?: string };

/** Resolves with the exit code. The text comes from a file or from stdin: an argument would stand in the shell's history. */
export async function eraseCommand(
  { textFile, reason, data }: EraseOptions,
  output: Output,
  episode: string,
): Promise<number> {
  const text = textFile === undefined ? null : readText(textFile);
  const folder = takeDataFolder(dataFolderPath(data));
  const { clock, report } = nodeEdges((said) => output.say(said));
  try {
    const db = openDatabase(folder.file('interject.db'));
    try {
      const log = createEventLog({ db, clock, onListenerError: report });
      const { imported } = log.record(episode);
      const erased = log.erase(episode, text, { type: 'human', id: null }, reason ?? null);
      output.line({ type: 'erase', episode, ...erased });
      output.say(`${String(erased.events)} events of ${episode} hold tombstones now; exports leave it out`);
      if (imported !== null) removeFiles(imported, folder, log, output);
      if (erased.copies.length > 0)
        output.say(`not touched, with copies of its turns: ${erased.copies.join(', ')}`);
      return 0;
    } finally {
      db.close();
    }
  } finally {
    folder.release();
  }
}

/** The file an episode was read from holds what was erased: it goes too, for every episode that came from it. */
function removeFiles(
  { source, companions }: NonNullable<EpisodeRecord['imported']>,
  folder: DataFolder,
  log: EventLog,
  output: Output,
): void {
  const sources = createSources(folder.file('sources'), newId);
  const others = log.projections.importedFrom(source.sha256).size - 1;
  for (const { sha256 } of [source, ...companions]) sources.remove(sha256);
  const shared = others > 0 ? `; ${String(others)} other episodes can no longer be written back` : '';
  output.say(`the kept file ${source.name} was removed${shared}`);
}

function readText(file: string): string {
  try {
    // A file usually ends with a line end that is not part of the text.
    return readFileSync(file === '-' ? 0 : fromCaller(file), 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    throw new Failure('bad_input', `cannot read ${file}`, {
      cause,
      next: 'Give a file, or - for standard input.',
    });
  }
}
