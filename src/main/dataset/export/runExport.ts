// Owns: an export from beginning to end: looked at only, or written as a data set folder. Same log and rules, same bytes.
import type { ExportFormat, ExportReport, ExportRules } from '../../../shared/contract/export.ts';
import { Failure } from '../../../shared/failure.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { datasetCard } from './card.ts';
import { openStage, type Stage } from './folder.ts';
import { formatOf } from './formats.ts';
import { endedQuery, gather } from './gather.ts';
import type { Gathered } from './gathered.ts';
import type { Format } from './format.ts';
import { createPace, type Pace } from './pace.ts';
import { refusals } from './preflight/findings.ts';
import { reportOf, samplesOf } from './report.ts';
import { openSpool, type Spool } from './spool.ts';
import { writeAll, writeText } from './writeAll.ts';

export type Hooks = {
  signal: AbortSignal;
  /** Episodes read, of how many. */
  onProgress: (done: number, total: number) => void;
};
export type CheckAsk = { format: ExportFormat; rules: ExportRules };
export type WriteAsk = CheckAsk & {
  files: 'jsonl' | 'parquet';
  kit: 'trl' | null;
  despite: readonly string[];
  folder: string;
  isForced: boolean;
  /** Told what was found before anything is refused for it. */
  onReport?: (report: ExportReport) => void;
};

/** Everything but the files. Throws `cancelled`. */
export async function checkExport(log: EventLog, ask: CheckAsk, hooks: Hooks): Promise<ExportReport> {
  const run = openRun(log, ask, hooks);
  const gathered = await run.gather(null);
  const report = reportOf(gathered, run.format, ask.rules);
  return { ...report, sample: samplesOf(log, gathered, { ...ask, ...run }) };
}

/**
 * Writes the folder, or nothing. Throws `export_refused` where the folder holds something, where an error stands that
 * `despite` does not name, and `cancelled`.
 */
export async function writeExport(log: EventLog, ask: WriteAsk, hooks: Hooks): Promise<ExportReport> {
  const run = openRun(log, ask, hooks);
  if (ask.files === 'parquet' && run.format.columns === null) {
    throw new Failure('bad_input', `${ask.format} has no columns: it is written as lines`, {
      next: 'Choose JSONL.',
    });
  }
  const stage = openStage(ask.folder, ask.isForced);
  let spool: Spool | null = null;
  try {
    spool = openSpool(stage, run.format, ask.rules);
    const gathered = await run.gather(spool.sink);
    spool.close();
    const report = reportOf(gathered, run.format, ask.rules);
    ask.onReport?.(report);
    checkRefusals(report, ask.despite);
    return await writeFolder(log, { ...ask, ...run, stage, spool, gathered, report });
  } catch (thrown) {
    spool?.close();
    stage.abandon();
    throw thrown;
  }
}

function openRun(log: EventLog, { format: id, rules }: CheckAsk, { signal, onProgress }: Hooks) {
  const format = formatOf(id);
  const untilSeq = log.lastSeq();
  const pace = createPace(signal);
  return {
    format,
    untilSeq,
    pace,
    gather: (sink: Spool['sink'] | null): Promise<Gathered> => {
      const total = log.projections.endedEpisodes.count(endedQuery(rules, untilSeq));
      onProgress(0, total);
      const onEpisode = (done: number): void => onProgress(done, total);
      return gather({ log, format, rules, untilSeq, pace, onEpisode, sink });
    },
  };
}

function checkRefusals(report: ExportReport, despite: readonly string[]): void {
  const errors = refusals(report, despite);
  const [first] = errors;
  if (first === undefined) return;
  const more = errors.slice(1).map(({ check }) => check);
  throw new Failure(
    'export_refused',
    `${first.message} (${first.check}${more.length === 0 ? '' : `; also ${more.join(', ')}`})`,
    { next: 'Mend it, change the rules, or write despite it by naming the check.' },
  );
}

type Writing = Omit<WriteAsk, 'format'> & {
  format: Format;
  untilSeq: number;
  pace: Pace;
  stage: Stage;
  spool: Spool;
  gathered: Gathered;
  report: ExportReport;
};

async function writeFolder(log: EventLog, writing: Writing): Promise<ExportReport> {
  const { stage, format, rules, despite, report, gathered, files, kit } = writing;
  const { data, beside } = await writeAll(log, writing);
  writeText(
    stage.path('README.md'),
    datasetCard({ ...gathered, format, rules, despite, report, data, beside }),
  );
  writeText(
    stage.path('rules.json'),
    `${JSON.stringify(
      {
        type: 'interject.export',
        v: 1,
        format: format.id,
        files,
        kit,
        despite,
        rules,
        log: { from: report.log_from, to: report.log_to },
        rows: report.splits,
        episodes: report.episodes,
        dropped: report.dropped,
      },
      null,
      2,
    )}\n`,
  );
  const sample = samplesOf(log, gathered, writing);
  const { files: sums, bytes } = stage.finish();
  const sizes = Object.fromEntries(sums.map((sum) => [sum.name, sum.bytes]));
  return { ...report, sample, folder: writing.folder, files: sums.map(({ name }) => name), sizes, bytes };
}
