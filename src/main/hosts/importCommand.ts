// Owns: `interject import`: files and folders into the log, with progress for people and a report for machines.
import { basename } from 'node:path';
import type { FileReport } from '../../shared/contract/import.ts';
import { episodeRow } from '../../shared/episode/rows.ts';
import { reportWords } from '../../shared/reportWords.ts';
import { Failure, failureShape, type FailureShape } from '../../shared/failure.ts';
import { findFiles, type Found } from '../dataset/import/findFiles.ts';
import { importFile, type EpisodeLine, type ImportParts } from '../dataset/import/importFile.ts';
import { removeLeft } from '../dataset/import/incoming.ts';
import { inOrder } from '../dataset/import/inOrder.ts';
import { createNotes } from '../dataset/import/notes.ts';
import { isUnread } from '../dataset/import/readFile.ts';
import { readOnThread } from '../dataset/import/reading.ts';
import type { Output } from './output.ts';
import { fromCaller } from './paths.ts';
import { startThread } from './threadEntry.ts';
import { untilStopped } from './untilStopped.ts';
import { withLog } from './withLog.ts';

export type ImportOptions = { data?: string };

/** How often a person hears of a long import. */
const SAY_EVERY_MS = 1_000;

/** Resolves with the exit code: 0 when every file gave at least one episode. */
export const importCommand = (
  paths: readonly string[],
  { data }: ImportOptions,
  output: Output,
): Promise<number> =>
  untilStopped((stopped) => {
    const signal = AbortSignal.any([stopped, output.gone]);
    return withLog({ data, output }, async ({ log, folder }) => {
      const place = folder.file('sources');
      removeLeft(place);
      const reading = readOnThread(startThread, place);
      const parts = { log, clock: Date.now, read: reading.read };
      let isDone = true;
      try {
        for (const path of paths) isDone = (await importPath(parts, path, { output, signal })) && isDone;
      } finally {
        await reading.close();
        await log.importing.close();
      }
      return isDone && !signal.aborted ? 0 : 1;
    });
  });

type Way = { output: Output; signal: AbortSignal };

/** Whether everything that was named gave an episode. */
async function importPath(parts: ImportParts, path: string, way: Way): Promise<boolean> {
  const notes = createNotes();
  let files: Found[];
  try {
    files = findFiles(fromCaller(path), notes);
  } catch (thrown) {
    return refuse(path, failureShape(thrown), way.output);
  }
  let isDone = true;
  let episodes = 0;
  const read = async (file: Found) => ({ file, report: await importOne(parts, file, way) });
  for await (const { file, report } of inOrder(files, way.signal, read)) {
    if (isUnread(report)) continue;
    lineOfReport(file, report, way.output);
    sayReport(file, report, way.output);
    episodes += report.episodes;
    // A folder may hold files that are no logs; a log that is broken is a failure wherever it lies.
    if (report.failure !== null && (file.isNamed || report.format !== null)) isDone = false;
  }
  if (way.signal.aborted) return false;
  for (const { message, pointer } of notes.all()) way.output.say(`  ${message}: ${pointer ?? ''}`);
  if (episodes > 0 || files.some(({ isNamed }) => isNamed)) return isDone;
  const missing = new Failure('import_failed', `no episode was found in ${path}`, {
    next: 'See docs/import.md for the formats; they are recognised by their content.',
  });
  return refuse(path, failureShape(missing), way.output);
}

function refuse(path: string, failure: FailureShape, output: Output): false {
  const { code, message, next } = failure;
  output.line({ type: 'file', path, format: null, episodes: 0, skipped: 0, diagnostics: [], error: failure });
  output.line({ type: 'error', code, message, next });
  output.say(`${message}${next === null ? '' : `\n  ${next}`}`);
  return false;
}

function importOne(parts: ImportParts, file: Found, { output, signal }: Way): Promise<FileReport> {
  let saidAt = Date.now();
  let episodes = 0;
  return importFile(parts, file, {
    signal,
    onBytes: (bytes) => {
      if (Date.now() - saidAt < SAY_EVERY_MS) return;
      saidAt = Date.now();
      output.say(
        `  ${basename(file.name)}: ${String(Math.round(bytes / 2_000_000))} MB, ${String(episodes)} episodes`,
      );
    },
    onEpisode: (line) => {
      episodes += 1;
      if (output.isJson) output.line(episodeLine(parts, file, line));
    },
  });
}

function lineOfReport(file: Found, report: FileReport, output: Output): void {
  const { failure, diagnostics, not_recorded: lacks, name: path, first: _first, ...known } = report;
  output.line({ type: 'file', path, ...known, not_recorded: lacks, diagnostics, error: failure });
  if (failure === null || (!file.isNamed && report.format === null)) return;
  const { code, message, next } = failure;
  output.line({ type: 'error', code, message: `${file.name}: ${message}`, next });
}

function episodeLine({ log }: ImportParts, file: Found, { episode, index, isKnown, format }: EpisodeLine) {
  const row = log.projections.episode(episode) ?? episodeRow(log.record(episode));
  return {
    type: 'episode',
    episode,
    format,
    path: file.name,
    index,
    is_known: isKnown,
    scenario: row?.scenario ?? null,
    task_idx: row?.task_idx ?? null,
    turns: row?.turns ?? null,
    reward_type: row?.reward_type ?? null,
    reward: row?.reward ?? null,
    outcome: row?.outcome ?? null,
  };
}

function sayReport({ name }: Found, report: FileReport, output: Output): void {
  const { format, episodes, known, skipped, not_recorded: lacks } = report;
  const { failure, odd } = reportWords(report);
  const counts = [
    `${String(episodes)} ${episodes === 1 ? 'episode' : 'episodes'}`,
    ...(known === 0 ? [] : [`${String(known)} of them were here already`]),
    ...(skipped === 0 ? [] : [`${String(skipped)} skipped`]),
  ].join(', ');
  output.say(`${name}: ${format?.replaceAll('_', ' ') ?? 'unknown format'}, ${counts}`);
  if (failure !== null) output.say(`  ${failure}`);
  if (lacks.length > 0) output.say(`  This format does not record: ${lacks.join(', ')}.`);
  for (const { message, pointer, count } of odd) {
    const times = count === 1 ? '' : ` (${String(count)} times)`;
    output.say(`  ${message}${pointer === null ? '' : ` at ${pointer}`}${times}`);
  }
}
