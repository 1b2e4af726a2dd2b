// `interject import`: files and folders into the log, with progress for people and a report for machines.
import { countText } from '../../shared/countText.ts';
import { basename } from 'node:path';
import type { FileReport } from '../../shared/contract/import.ts';
import { episodeRow } from '../../shared/episode/rows.ts';
import { isWarning } from '../../shared/conservation.ts';
import { conservationLines, reportWords } from '../../shared/reportWords.ts';
import { SYSTEM } from '../../shared/events/actor.ts';
import { Failure, failureShape, type FailureShape } from '../../shared/failure.ts';
import { addTrainerLog, type AddedLog, type TrainerLog } from '../commands/importedRuns.ts';
import { findFiles, type FoundFile } from '../dataset/import/findFiles.ts';
import {
  importedIn,
  importFile,
  type EpisodeReportLine,
  type ImportListener,
} from '../dataset/import/importFile.ts';
import { removeStaleIncoming } from '../dataset/import/incoming.ts';
import { runAheadInOrder } from '../dataset/import/runAheadInOrder.ts';
import { createNotes } from '../dataset/import/importNotes.ts';
import { isUnread, type FileToImport } from '../dataset/import/readFile.ts';
import { readOnThread } from '../dataset/import/reading.ts';
import type { EventLog } from '../log/eventLog.ts';
import { importTrainerLog, unreadLogFailure, type TrainerLogImport } from './importTrainerLog.ts';
import { withCommandLog, type CommandLog } from './commandLog.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller } from './paths.ts';
import { addTrainerLogThrough, createImporter } from './runningImports.ts';
import { startThread } from './threadEntry.ts';
import { untilStopped } from './untilStopped.ts';

export type ImportOptions = {
  data?: string;
  /** Takes in episodes however little of their record can be read. */
  lossy?: boolean;
  /** Fails where text or a label of a file was not read. */
  strict?: boolean;
  /** The run that trainers' logs join. */
  name?: string;
};

/** How often a person hears of a long import. */
const IMPORT_PROGRESS_MS = 1_000;

/** Resolves with the exit code: 0 when every file gave at least one episode, and with `strict` when none is a warning. */
export const importCommand = (
  paths: readonly string[],
  { data, lossy = false, strict = false, name }: ImportOptions,
  output: CommandOutput,
): Promise<number> =>
  untilStopped(output, (signal) => {
    return withCommandLog({ data, output, isReading: false, isMaking: true }, async (opened) => {
      const { close, ...parts } = importingInto(opened);
      let isDone = true;
      try {
        for (const path of paths) {
          const way = { output, signal, isLossy: lossy, isStrict: strict, name: name ?? null };
          isDone = (await importPath(parts, path, way)) && isDone;
        }
      } finally {
        await close();
      }
      return isDone && !signal.aborted ? 0 : 1;
    });
  });

type ImportRun = TrainerLogImport & { signal: AbortSignal; isLossy: boolean; isStrict: boolean };

/** Takes files in: into the log itself, or through whoever has it. */
type Importing = {
  log: EventLog;
  importFile: (file: FileToImport, listening: ImportListener) => Promise<FileReport>;
  addTrainerLog: (file: TrainerLog) => Promise<AddedLog>;
};

function importingInto({ log, line, file }: CommandLog): Importing & { close: () => Promise<void> } {
  if (line !== null) {
    return {
      log,
      importFile: createImporter(line),
      addTrainerLog: (read) => addTrainerLogThrough(line, read),
      close: () => Promise.resolve(),
    };
  }
  const place = file('sources');
  removeStaleIncoming(place);
  const reading = readOnThread(startThread, place);
  const parts = { log, clock: Date.now, read: reading.read };
  return {
    log,
    importFile: (found, listening) => importFile(parts, found, listening),
    addTrainerLog: async (read) => addTrainerLog(log, SYSTEM, read),
    close: async () => {
      await reading.close();
      await log.importing.close();
    },
  };
}

/** Whether everything that was named gave an episode. */
async function importPath(parts: Importing, path: string, way: ImportRun): Promise<boolean> {
  const notes = createNotes();
  let files: FoundFile[];
  try {
    files = findFiles(fromCaller(path), notes);
  } catch (thrown) {
    return printRefusal(path, failureShape(thrown), way.output);
  }
  let isDone = true;
  let episodes = 0;
  let logs = 0;
  const read = async (file: FoundFile) => ({ file, report: await importOne(parts, file, way) });
  for await (const { file, report: found } of runAheadInOrder(files, way.signal, read)) {
    if (isUnread(found)) continue;
    const trained =
      found.format === null ? await importTrainerLog(parts.addTrainerLog, file.path, way) : null;
    if (trained !== null) {
      logs += 1;
      if (way.isStrict && trained.isDamaged) isDone = false;
      if (trained.refusal !== null) isDone = printRefusal(file.path, trained.refusal, way.output);
      continue;
    }
    const report = withTrueCause(file, found);
    lineOfReport(file, report, way.output);
    sayReport(file, report, way.output);
    episodes += report.episodes;
    // A folder may hold files that are no logs; a log that is broken is a failure wherever it lies.
    if (report.failure !== null && (file.isNamed || report.format !== null)) isDone = false;
    if (way.isStrict && isLossyReport(report)) isDone = false;
  }
  if (way.signal.aborted) return false;
  for (const { message, pointer } of notes.all()) way.output.say(`  ${message}: ${pointer ?? ''}`);
  if (episodes + logs > 0 || files.some(({ isNamed }) => isNamed)) return isDone;
  const missing = new Failure('import_failed', `no episode was found in ${path}`, {
    next: 'See docs/import.md for the formats; they are recognised by their content.',
  });
  return printRefusal(path, failureShape(missing), way.output);
}

/** A named file that is a trainer's log in all but what its steps need says that, not that its format is unknown. */
function withTrueCause(file: FoundFile, report: FileReport): FileReport {
  if (!file.isNamed || report.format !== null || report.failure === null) return report;
  const cause = unreadLogFailure(file.path);
  return cause === null ? report : { ...report, failure: cause };
}

const isLossyReport = ({ conservation }: FileReport): boolean =>
  conservation !== null && isWarning(conservation);

function printRefusal(path: string, failure: FailureShape, output: CommandOutput): false {
  const { code, message, next } = failure;
  output.line({ type: 'file', path, format: null, episodes: 0, skipped: 0, diagnostics: [], error: failure });
  output.line({ type: 'error', code, message, next });
  output.say(`${message}${next === null ? '' : `\n  ${next}`}`);
  return false;
}

function importOne(
  parts: Importing,
  found: FoundFile,
  { output, signal, isLossy }: ImportRun,
): Promise<FileReport> {
  let saidAt = Date.now();
  let episodes = 0;
  const file = { ...found, isLossy };
  return parts.importFile(file, {
    signal,
    onBytes: (bytes) => {
      if (Date.now() - saidAt < IMPORT_PROGRESS_MS) return;
      saidAt = Date.now();
      const megabytes = Math.round(bytes / 2_000_000);
      // Nothing worth a line yet.
      if (megabytes === 0 && episodes === 0) return;
      output.say(`  ${basename(file.name)}: ${String(megabytes)} MB, ${countText(episodes, 'episode')}`);
    },
    onEpisode: (line) => {
      episodes += 1;
      if (output.isJson) output.line(episodeLine(parts, file, line));
    },
  });
}

function lineOfReport(file: FoundFile, report: FileReport, output: CommandOutput): void {
  const { failure, diagnostics, not_recorded: lacks, name: path, first: _first, ...known } = report;
  output.line({ type: 'file', path, ...known, not_recorded: lacks, diagnostics, error: failure });
  if (failure === null || (!file.isNamed && report.format === null)) return;
  const { code, message, next } = failure;
  output.line({ type: 'error', code, message: `${file.name}: ${message}`, next });
}

function episodeLine(
  { log }: Importing,
  file: FoundFile,
  { episode, index, isKnown, format }: EpisodeReportLine,
) {
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
    conservation: importedIn(log, episode)?.conservation ?? null,
  };
}

function sayReport({ name }: FoundFile, report: FileReport, output: CommandOutput): void {
  const { format, episodes, known, skipped, not_recorded: lacks } = report;
  const { failure, odd } = reportWords(report);
  const counts = [
    `${String(episodes)} ${episodes === 1 ? 'episode' : 'episodes'}`,
    ...(known === 0 ? [] : [`${String(known)} of them were here already`]),
    ...(skipped === 0 ? [] : [`${String(skipped)} skipped`]),
  ].join(', ');
  output.say(`${name}: ${format?.replaceAll('_', ' ') ?? 'unknown format'}, ${counts}`);
  if (failure !== null) output.say(`  ${failure}`);
  for (const line of conservationLines(report)) output.say(`  ${line}`);
  if (lacks.length > 0) output.say(`  This format does not record: ${lacks.join(', ')}.`);
  for (const { message, pointer, count } of odd) {
    const times = count === 1 ? '' : ` (${String(count)} times)`;
    output.say(`  ${message}${pointer === null ? '' : ` at ${pointer}`}${times}`);
  }
}
