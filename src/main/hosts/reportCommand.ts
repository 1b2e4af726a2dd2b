// `interject report`: a training run, a bench, a lift or an episode as files that can be committed as they are.
import { countText } from '../../shared/countText.ts';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BenchSummary } from '../../shared/bench/summary.ts';
import { Failure } from '../../shared/failure.ts';
import { LiftSummary } from '../../shared/lift/summary.ts';
import { isRecord, tryJson } from '../../shared/json.ts';
import { BUILT_IN_NAME } from '../../shared/environmentKinds.ts';
import { SplitManifest, type ListedTask } from '../../shared/split.ts';
import { uniqueTasks } from '../../shared/splitFaults.ts';
import { normalizeScenario } from '../../shared/wire.ts';
import { SplitSummary } from '../../shared/environmentOverview.ts';
import { splitReport } from '../report/splitReport.ts';
import { EXAMPLE_RUN, PUBLIC_EXAMPLE } from '../../shared/training/publicExample.ts';
import { type TrainingRun } from '../../shared/training/run.ts';
import { TrainingComparison, TrainingSummary } from '../../shared/training/summary.ts';
import { COMPARED_MAX } from '../../figures/comparisonFigures.ts';
import { comparisonReport } from '../report/comparisonReport.ts';
import { episodeSummary, EpisodeSummary } from '../../shared/episode/summary.ts';
import { benchReport } from '../report/benchReport.ts';
import { episodeReport } from '../report/episodeReport.ts';
import { liftReport } from '../report/liftReport.ts';
import { openRasteriser } from '../report/raster.ts';
import { trainingReport, seriesPhases } from '../report/trainingReport.ts';
import { reportFiles, type ReportContent } from '../report/report.ts';
import { readPacks, type Pack } from '../worlds/pack.ts';
import { readMetrics } from '../training/readMetrics.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller, packsFolder } from './paths.ts';
import { readRecord } from './playRun.ts';
import { openProductFor, type Product } from './product.ts';

export type ReportOptions = { out?: string; data?: string; with?: string[]; phases?: boolean };

/** Resolves with the exit code. Throws `bad_input`, `not_found`. */
export async function reportCommand(
  run: string,
  options: ReportOptions,
  output: CommandOutput,
): Promise<number> {
  if (options.out === undefined) {
    throw new Failure('bad_input', 'no folder for the report was named', { next: 'Add --out DIR.' });
  }
  const folder = reportFolder(options.out);
  const content = await contentOf(run, options, output);
  checkReportHoldsNoOther(folder, content.summary);
  await writeReport(content, folder, output);
  return 0;
}

/** Writes the files of a report into a folder, and says so. */
export async function writeReport(
  content: ReportContent,
  folder: string,
  output: CommandOutput,
): Promise<void> {
  const toPng = await openRasteriser();
  const files = reportFiles(content, toPng);
  for (const { path, content: bytes } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  output.line({ type: 'report', out: folder, files: files.map(({ path }) => path), png: toPng !== null });
  for (const warning of content.warnings ?? []) output.say(`! ${warning}`);
  output.say(`${content.title}: ${countText(files.length, 'file')} in ${folder}, begin with report.md`);
  if (toPng === null)
    output.say(
      'no PNG: none of the fonts that letters are drawn with is on this machine (Liberation Sans, Arial, DejaVu Sans)',
    );
}

async function contentOf(run: string, options: ReportOptions, output: CommandOutput): Promise<ReportContent> {
  const names = [run, ...(options.with ?? [])];
  if (names.length === 1) {
    const content = await oneContent(run, options, output);
    return options.phases === true ? withPhases(run, content) : content;
  }
  if (options.phases === true) {
    throw new Failure('bad_input', '--phases is of one run, and --with names others', {
      next: 'Leave one of them out.',
    });
  }
  if (names.length > COMPARED_MAX) {
    throw new Failure('bad_input', `${String(names.length)} runs are too many for one figure`, {
      next: `Name up to ${String(COMPARED_MAX)}.`,
    });
  }
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) {
    throw new Failure('bad_input', `${twice} was named twice`, { next: 'Name other runs beside it.' });
  }
  const runs: TrainingRun[] = [];
  for (const name of names) {
    const { summary } = await oneContent(name, options, output);
    const read = TrainingSummary.safeParse(summary);
    if (!read.success) {
      throw new Failure('bad_input', `${name} is no training run`, {
        next: 'Runs and trainers’ logs go into the same figures; for arms there is `interject bench`.',
      });
    }
    runs.push(read.data.run);
  }
  return comparisonReport(runs);
}

/** The report of a run with what the phases over its series would have been. */
function withPhases(name: string, { summary }: ReportContent): ReportContent {
  const read = TrainingSummary.safeParse(summary);
  if (!read.success) {
    throw new Failure('bad_input', `${name} is no training run, so it has no phases`, {
      next: 'Leave --phases out.',
    });
  }
  const { run, curriculum } = read.data;
  if (curriculum !== undefined) {
    throw new Failure('bad_input', `the phases of ${name} were decided while it trained`, {
      next: 'Its report says them without --phases.',
    });
  }
  return trainingReport({ ...run, notes: [...run.notes, PHASES_NOTE] }, seriesPhases(run));
}

const PHASES_NOTE =
  'The curriculum is what the recipe’s phases would have decided from the format errors of each step; nothing of it was played.';

/** A file is read for what it is; any other word is the name of a run or of an episode. */
async function oneContent(
  run: string,
  { data }: ReportOptions,
  output: CommandOutput,
): Promise<ReportContent> {
  if (run === EXAMPLE_RUN || run === 'example') return trainingReport(PUBLIC_EXAMPLE);
  const path = fromCaller(run);
  if (existsSync(path)) return fileContent(path);
  const product = await openProductFor({ data }, { output });
  try {
    return await namedContent(product, run);
  } finally {
    await product.close();
  }
}

/** Of an episode by its id or as much of it as is enough, a bench, a lift, a training run. */
async function namedContent(product: Product, name: string): Promise<ReportContent> {
  const named = await readRecord(product, name);
  if (named.started !== null) return episodeReport(episodeSummary(named));
  const starting = await idsStarting(product, name);
  const [only] = starting;
  if (only !== undefined && starting.length === 1)
    return episodeReport(episodeSummary(await readRecord(product, only)));
  const bench = await orNull(product.call('bench.show', { name }));
  if (bench !== null)
    return bench.summary === null ? notOver('bench', name, bench.progress) : benchReport(bench.summary);
  const lift = await orNull(product.call('lift.show', { name }));
  if (lift !== null)
    return lift.summary === null ? notOver('lift', name, lift.progress) : liftReport(lift.summary);
  const training = await orNull(product.call('training.read', { run: name }));
  if (training !== null) return trainingReport(training.run, training.curriculum);
  if (starting.length > 1)
    throw new Failure('bad_input', `${name} begins the ids of ${String(starting.length)} episodes`, {
      next: `Add letters until one is left: ${starting.slice(0, 3).join(', ')}${starting.length > 3 ? ' …' : ''}`,
    });
  await product.call('training.read', { run: name });
  throw new Failure('not_found', `there is no training run ${name}`);
}

/** Null where there is nothing of the name. */
async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'not_found') return null;
    throw thrown;
  }
}

const IDS_PAGE = 200;

async function idsStarting(product: Product, word: string): Promise<string[]> {
  const page = { query: word.slice(0, 200), status: null, condition: null, offset: 0, limit: IDS_PAGE };
  const { rows } = await product.call('episodes.page', page);
  return rows.map(({ id }) => id).filter((id) => id.startsWith(word));
}

/** No figure is given early: who looks and stops when it pleases finds what is not there. */
function notOver(kind: 'bench' | 'lift', name: string, of: { finished: number; planned: number }): never {
  const done = `${String(of.finished)} of ${String(of.planned)} done`;
  throw new Failure('bad_input', `the ${kind} ${name} is not over: ${done}`, {
    next: 'The same `interject bench` command goes on with it.',
  });
}

function fileContent(path: string): ReportContent {
  const file = statSync(path).isDirectory() ? join(path, 'results_summary.json') : path;
  if (!existsSync(file)) {
    throw new Failure('not_found', `there is no results_summary.json in ${path}`, {
      next: 'Name a run, a trainer’s log, or a summary that a bench or a report wrote.',
    });
  }
  const bytes = readFileSync(file);
  const kind = kindOf(bytes);
  if (kind === 'interject.bench')
    return benchReport(parsed(file, BenchSummary.safeParse(JSON.parse(bytes.toString()))));
  if (kind === 'interject.lift')
    return liftReport(parsed(file, LiftSummary.safeParse(JSON.parse(bytes.toString()))));
  if (kind === 'interject.training_comparison') {
    const { runs } = parsed(file, TrainingComparison.safeParse(JSON.parse(bytes.toString())));
    return comparisonReport(runs);
  }
  if (kind === 'interject.training') {
    const summary = parsed(file, TrainingSummary.safeParse(JSON.parse(bytes.toString())));
    return trainingReport(summary.run, summary.curriculum ?? null);
  }
  if (kind === 'interject.episode')
    return episodeReport(parsed(file, EpisodeSummary.safeParse(JSON.parse(bytes.toString()))));
  const split = splitIn(bytes);
  if (split !== null) {
    const { packs } = readPacks(packsFolder());
    const unknown = tasksOfNoWorld(split.manifest, packs);
    return splitReport(split.name ?? basename(file, '.json'), split.manifest, unknown);
  }
  const { source, steps, unread } = readMetrics(basename(file), bytes);
  const run = basename(file).replace(/\.(?:jsonl?|csv)$/i, '');
  return trainingReport({ run, source, notes: [`Read from ${basename(file)}.`], steps, unread });
}

/** Listed tasks that are in no built-in world; of a split that names no environment only numbers are told. */
function tasksOfNoWorld({ meta, train, val }: SplitManifest, packs: ReadonlyMap<string, Pack>): ListedTask[] {
  const isOurs = meta?.environment === BUILT_IN_NAME;
  const worlds = new Map([...packs.values()].map((pack) => [normalizeScenario(pack.name), pack]));
  return uniqueTasks([...train, ...val]).filter(([scenario, index]) => {
    const world = worlds.get(normalizeScenario(scenario));
    return world === undefined ? isOurs : index >= world.tasks.length;
  });
}

/** A manifest of a split, the public recipe's or ours; the summary of its report has its name too. */
function splitIn(bytes: Buffer): { name: string | null; manifest: SplitManifest } | null {
  if (bytes[0] !== 0x7b) return null;
  const value = tryJson(bytes.toString());
  const summary = SplitSummary.safeParse(value).data;
  if (summary !== undefined) return { name: summary.split, manifest: summary.manifest };
  const manifest = SplitManifest.safeParse(value).data;
  return manifest === undefined ? null : { name: null, manifest };
}

function kindOf(bytes: Buffer): unknown {
  if (bytes[0] !== 0x7b) return null;
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isRecord(value) ? value['kind'] : null;
  } catch {
    return null;
  }
}

type Parsed<T> = { success: true; data: T } | { success: false; error: Error };
function parsed<T>(file: string, result: Parsed<T>): T {
  if (result.success) return result.data;
  throw new Failure('bad_input', `${file} is a summary of another form`, {
    cause: result.error,
    next: 'Write it again with this version of Interject.',
  });
}

/** The folder of a report, as it was typed. Throws `bad_input` where it holds other files. */
export function reportFolder(out: string): string {
  const folder = fromCaller(out);
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new Failure('bad_input', `${folder} is a file`, { next: 'Name a folder.' });
  if (filesIn(folder).some((name) => !OURS.has(name))) {
    throw new Failure('bad_input', `${folder} holds other files`, {
      next: 'Name an empty folder, or one of an earlier report.',
    });
  }
  return folder;
}

const OURS = new Set(['report.md', 'results_summary.json', 'figures']);
const filesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

type Measured = { kind: 'bench' | 'lift'; name: string };

/** Throws `bad_input` where the folder holds any result but this one: that could not be had again. */
export function checkHoldsNoOther(folder: string, { kind, name }: Measured): void {
  if (filesIn(folder).length === 0) return;
  const held = measuredIn(folder);
  if (held?.kind === kind && held.name === name) return;
  const what = held === null ? 'another report' : `the result of the ${held.kind} ${held.name}`;
  throw new Failure('bad_input', `${folder} holds ${what}`, {
    next: `Name an empty folder, or the one that the ${kind} ${name} was written to.`,
  });
}

/** A report is drawn again at any time; a result that was measured is not written over. Throws `bad_input`. */
function checkReportHoldsNoOther(folder: string, summary: unknown): void {
  const [held, ours] = [measuredIn(folder), measuredOf(summary)];
  if (held === null || (held.kind === ours?.kind && held.name === ours.name)) return;
  throw new Failure('bad_input', `${folder} holds the result of the ${held.kind} ${held.name}`, {
    next: 'Name an empty folder, or one of an earlier report.',
  });
}

function measuredIn(folder: string): Measured | null {
  const file = join(folder, 'results_summary.json');
  return existsSync(file) ? measuredOf(tryJson(readFileSync(file, 'utf8'))) : null;
}

function measuredOf(summary: unknown): Measured | null {
  if (!isRecord(summary) || !isRecord(summary['plan'])) return null;
  const [kind, name] = [summary['kind'], summary['plan']['name']];
  if (typeof name !== 'string' || (kind !== 'interject.bench' && kind !== 'interject.lift')) return null;
  return { kind: kind === 'interject.bench' ? 'bench' : 'lift', name };
}
