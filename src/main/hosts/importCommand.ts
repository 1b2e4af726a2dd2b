// `interject import`: files and folders into the log, with progress for people and a report for machines.
import { basename, dirname, join } from 'node:path';
import type { FileReport } from '../../shared/contract/import.ts';
import { countText } from '../../shared/countText.ts';
import { isWarning } from '../../shared/conservation.ts';
import { Failure, failureShape, type FailureShape } from '../../shared/failure.ts';
import { conservationLines, reportWords } from '../../shared/reportWords.ts';
import { findFiles, type FoundFile } from '../dataset/import/findFiles.ts';
import { createNotes } from '../dataset/import/importNotes.ts';
import { importFiles, type ImportNews } from './importFiles.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller } from './paths.ts';
import { openProductFor, type Product } from './product.ts';
import { untilStopped } from './playRun.ts';
import { readFileSync, statSync } from 'node:fs';
import type { Outputs } from '../../shared/contract/contract.ts';
import { runNameOf } from '../../shared/training/run.ts';
import { mayTellSteps, namesMetrics, readMetrics } from '../training/readMetrics.ts';

export type ImportOptions = {
  data?: string;
  /** Takes in episodes however little of their record can be read. */
  lossy?: boolean;
  /** Fails where text or a label of a file was not read. */
  strict?: boolean;
  /** The run that trainers' logs join. */
  name?: string;
};

type ImportRun = TrainerLogImport & { signal: AbortSignal; isLossy: boolean; isStrict: boolean };

/** Resolves with the exit code: 0 when every file gave at least one episode, and with `strict` when none is a warning. */
export async function importCommand(
  paths: readonly string[],
  { data, lossy: isLossy = false, strict: isStrict = false, name }: ImportOptions,
  output: CommandOutput,
): Promise<number> {
  const product = await openProductFor({ data }, { output, isMaking: true });
  try {
    return await untilStopped(output, async (signal) => {
      signal.addEventListener('abort', () => void product.call('command.stop', {}).catch(() => undefined));
      let isDone = true;
      for (const path of paths)
        isDone =
          (await importPath(product, path, { output, signal, isLossy, isStrict, name: name ?? null })) &&
          isDone;
      return isDone && !signal.aborted ? 0 : 1;
    });
  } finally {
    await product.close();
  }
}

/** True if every file that was named gave an episode. */
async function importPath(product: Product, path: string, way: ImportRun): Promise<boolean> {
  const { output, signal, isLossy, isStrict } = way;
  const notes = createNotes();
  let files: FoundFile[];
  try {
    signal.throwIfAborted();
    files = findFiles(fromCaller(path), notes);
  } catch (thrown) {
    return !signal.aborted && printRefusal(path, failureShape(thrown), output);
  }
  let isDone = true;
  let [episodes, logs, at] = [0, 0, 0];
  const onBytes = (bytes: number): void => {
    const megabytes = Math.round(bytes / 2_000_000);
    if (megabytes + episodes > 0)
      output.say(`  ${basename(path)}: ${String(megabytes)} MB, ${countText(episodes, 'episode')}`);
  };
  const news = importFiles(product, files, { isLossy, withRows: output.isJson, onBytes });
  for await (const one of news) {
    const file = files['file' in one ? one.file : at];
    if (file === undefined) break;
    if (!('report' in one)) {
      episodes += 1;
      if (output.isJson) output.line(episodeLine(file, one));
      continue;
    }
    at += 1;
    const found = one.report;
    const trained = found.format === null ? await importTrainerLog(product, file.path, way) : null;
    if (trained !== null) {
      logs += 1;
      if (isStrict && trained.isDamaged) isDone = false;
      if (trained.refusal !== null) isDone = printRefusal(file.path, trained.refusal, output);
      continue;
    }
    const report = withTrueCause(file, found);
    lineOfReport(file, report, output);
    sayReport(file, report, output);
    // A folder may hold files that are no logs; a log that is broken is a failure wherever it lies.
    if (report.failure !== null && (file.isNamed || report.format !== null)) isDone = false;
    if (isStrict && !isWhole(report)) isDone = false;
  }
  if (signal.aborted) return false;
  for (const { message, pointer } of notes.all()) output.say(`  ${message}: ${pointer ?? ''}`);
  if (episodes + logs > 0 || files.some(({ isNamed }) => isNamed)) return isDone;
  const missing = new Failure('import_failed', `no episode was found in ${path}`, {
    next: 'See docs/data.md#importing for the formats; they are recognised by their content.',
  });
  return printRefusal(path, failureShape(missing), output);
}

/** True if all of it was read: nothing skipped, no text or label left. */
const isWhole = ({ failure, skipped, conservation }: FileReport): boolean =>
  failure === null && skipped === 0 && (conservation === null || !isWarning(conservation));

/** A named file that is a trainer's log in all but what its steps need says that, not that its format is unknown. */
function withTrueCause(file: FoundFile, report: FileReport): FileReport {
  if (!file.isNamed || report.format !== null || report.failure === null) return report;
  const cause = unreadLogFailure(file.path);
  return cause === null ? report : { ...report, failure: cause };
}

function printRefusal(path: string, failure: FailureShape, output: CommandOutput): false {
  const { code, message, next } = failure;
  output.line({ type: 'file', path, format: null, episodes: 0, skipped: 0, diagnostics: [], error: failure });
  output.line({ type: 'error', code, message, next });
  output.say(`${message}${next === null ? '' : `\n  ${next}`}`);
  return false;
}

function lineOfReport(file: FoundFile, report: FileReport, output: CommandOutput): void {
  const { failure, diagnostics, not_recorded: lacks, name: path, first: _first, ...known } = report;
  output.line({ type: 'file', path, ...known, not_recorded: lacks, diagnostics, error: failure });
  if (failure === null || (!file.isNamed && report.format === null)) return;
  const { code, message, next } = failure;
  output.line({ type: 'error', code, message: `${file.name}: ${message}`, next });
}

const episodeLine = (
  file: FoundFile,
  { episode, index, is_known, format, row, conservation }: Exclude<ImportNews, { report: unknown }>,
) => ({
  type: 'episode',
  episode,
  format,
  path: file.name,
  index,
  is_known,
  scenario: row?.scenario ?? null,
  task_idx: row?.task_idx ?? null,
  turns: row?.turns ?? null,
  reward_type: row?.reward_type ?? null,
  reward: row?.reward ?? null,
  outcome: row?.outcome ?? null,
  conservation,
});

function sayReport({ name }: FoundFile, report: FileReport, output: CommandOutput): void {
  const { format, episodes, known, skipped, not_recorded: lacks } = report;
  const { failure, odd } = reportWords(report);
  const counts = [
    `${String(episodes)} ${episodes === 1 ? 'episode' : 'episodes'}`,
    ...(known === 0 ? [] : [`${String(known)} of them were here already`]),
    ...(skipped === 0
      ? []
      : [`${String(skipped)} ${skipped === 1 ? 'record or part' : 'records or parts'} skipped`]),
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

/** As large as the console takes. */
const BYTES_MAX = 30_000_000;

type TrainerLogImport = {
  /** Of a person's choice; null: the file's. */
  name: string | null;
  output: CommandOutput;
};
/** `isDamaged`: rows or values of it were not read. `refusal`: it is of another run than the name it was given. */
type ReadLog = { isDamaged: boolean; refusal: FailureShape | null };

/** Null where the file is none. */
async function importTrainerLog(
  product: Product,
  path: string,
  { name, output }: TrainerLogImport,
): Promise<ReadLog | null> {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? Infinity) > BYTES_MAX) return null;
  const bytes = readFileSync(path);
  if (!isTrainerLog(basename(path), bytes)) return null;
  const file = join(basename(dirname(path)), basename(path));
  const run = name ?? runNameOf(basename(path));
  let added: Outputs['training.add_log'];
  try {
    const base64 = bytes.toString('base64');
    added = await product.call('training.add_log', { run, file, base64, is_chosen: name !== null });
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== 'bad_input') throw thrown;
    return { isDamaged: false, refusal: failureShape(thrown) };
  }
  const { is_damaged: isDamaged, renamed, ...read } = added;
  output.line({ type: 'training_run', ...read });
  output.say(`${path}: a trainer’s log, ${countText(read.steps, 'step')} of the run ${read.run}`);
  if (renamed !== null) output.say(`  ${renamed}. --name NAME gives it another.`);
  if (read.unread.length > 0) output.say(`  Not read: ${read.unread.join('; ')}`);
  return { isDamaged, refusal: null };
}

function isTrainerLog(file: string, bytes: Uint8Array): boolean {
  if (!mayTellSteps(bytes)) return false;
  try {
    readMetrics(file, bytes);
    return true;
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'bad_input') return false;
    throw thrown;
  }
}

/** The reason why a trainer's log cannot be read; null for any other file. */
function unreadLogFailure(path: string): FailureShape | null {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? Infinity) > BYTES_MAX) return null;
  const bytes = readFileSync(path);
  try {
    if (!namesMetrics(bytes)) return null;
    readMetrics(basename(path), bytes);
    return null;
  } catch (thrown) {
    return thrown instanceof Failure && thrown.code === 'bad_input' ? failureShape(thrown) : null;
  }
}
