// Runs an export from start to end, as a check only or as a written folder. The same log and rules give the same
// bytes.
import { writeFileSync } from 'node:fs';
import type { ExportFormat, ExportReport, ExportRules } from '../../../shared/contract/export.ts';
import { FORMATS } from '../../../shared/export/formats.ts';
import { Failure } from '../../../shared/failure.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { kitFiles, writeKit, type Kit } from '../kit.ts';
import { datasetCard } from './card.ts';
import {
  contentHash,
  describeData,
  hasSideFiles,
  lacksPlace,
  openOutput,
  openSpool,
  replay,
} from './rowFiles.ts';
import { DATA_SET, openStage, type FolderStage } from './folderStage.ts';
import type { Format } from './format.ts';
import { exportFormat } from './formats.ts';
import { collectRows } from './collectRows.ts';
import { endedQuery } from './select.ts';
import { type CollectedRows, type RowSink, sortedCounts } from './collectedRows.ts';
import { writeTextFile, type FileSum } from './lineWriter.ts';
import { RULES_FILE } from '../../../shared/export/formats.ts';
import { manifestText } from './manifest.ts';
import { createCompletions } from './outcomes.ts';
import { createPace } from './pace.ts';
import { refusals, findingsOf } from './preflight/findings.ts';
import { readReviews, loadEpisode, type ReadRequest } from './loadEpisode.ts';

export type Hooks = {
  signal: AbortSignal;
  /** Episodes read, of how many. */
  onProgress: (done: number, total: number) => void;
};
export type CheckRequest = { format: ExportFormat; rules: ExportRules };
export type WriteRequest = CheckRequest & {
  files: 'jsonl' | 'parquet';
  /** Which project to lay beside the data, and the folder of what is shipped. */
  kit: { name: Kit; resources: string } | null;
  despite: readonly string[];
  folder: string;
  isForced: boolean;
  /** Told what was found before anything is refused for it. */
  onReport?: (report: ExportReport) => void;
};

/** Throws `bad_input` where a format cannot be written as such files. */
export function checkFiles({ format, files }: Pick<WriteRequest, 'format' | 'files'>): void {
  if (files === 'jsonl' || FORMATS[format].isLinesOnly !== true) return;
  throw new Failure('bad_input', `${format} has no columns: it is written as lines`, {
    next: 'Choose JSONL.',
  });
}

/** Everything but the files. Throws `cancelled`. */
export async function checkExport(log: EventLog, ask: CheckRequest, hooks: Hooks): Promise<ExportReport> {
  const run = openRun(log, ask, hooks);
  const collected = await run.gather(null);
  const report = exportReport(collected, run.format, ask.rules);
  return { ...report, sample: sampleRows(collected, { ...run, log, rules: ask.rules }) };
}

/**
 * Writes the folder, or nothing. Throws `export_refused` where the folder holds something, where an error stands that
 * `despite` does not name, and `cancelled`.
 */
export async function writeExport(log: EventLog, ask: WriteRequest, hooks: Hooks): Promise<ExportReport> {
  const run = openRun(log, ask, hooks);
  const { format } = run;
  checkFiles(ask);
  const stage = openStage(ask.folder, ask.isForced, [...DATA_SET, ...kitFiles(ask.kit)]);
  const open: { close: () => unknown }[] = [];
  try {
    const output = openOutput({ ...ask, log, stage, format });
    open.push(output);
    const spool = openSpool(stage, format);
    open.push(spool);
    const collected = await run.gather(spool.sink);
    const report = exportReport(collected, format, ask.rules);
    ask.onReport?.(report);
    checkRefusals(report, ask.despite);
    spool.close();
    await replay({ ...run, ...ask, format, log, stage, spool, collected }, output);
    const sample = sampleRows(collected, { ...run, log, rules: ask.rules });
    return finishExport({ ...report, sample }, { ...ask, format, stage, collected, known: output.close() });
  } catch (thrown) {
    abandon(open, stage);
    throw thrown;
  }
}

/** Closes and removes what could not be written, whatever fails. */
function abandon(open: readonly { close: () => unknown }[], stage: FolderStage): void {
  for (const one of open) {
    try {
      one.close();
    } catch {
      // The first failure is the one to be told.
    }
  }
  stage.abandon();
}

function openRun(log: EventLog, { format: id, rules }: CheckRequest, { signal, onProgress }: Hooks) {
  const format = exportFormat(id, rules);
  if (format.isVerdictFixed === true && rules.verdict !== null && rules.verdict !== format.verdict) {
    throw new Failure(
      'bad_input',
      `the preset ${String(rules.preset)} holds ${format.verdict} episodes alone`,
      {
        next: 'Leave the verdict to the preset, or choose sft_messages.',
      },
    );
  }
  const untilSeq = log.lastSeq();
  const pace = createPace(signal);
  const reviews = readReviews(log);
  const completions = createCompletions(log, untilSeq);
  return {
    format,
    untilSeq,
    pace,
    reviews,
    completions,
    gather: (sink: RowSink | null): Promise<CollectedRows> => {
      // Without its end: how far it is need not be exact to the episode that ended just now.
      const total = log.projections.endedEpisodes.count({ ...endedQuery(rules, untilSeq), untilSeq: null });
      onProgress(0, total);
      const onEpisode = (done: number): void => onProgress(done, total);
      return collectRows({ log, format, rules, untilSeq, pace, onEpisode, sink, reviews, completions });
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

type WriteRun = Omit<WriteRequest, 'format'> & {
  format: Format;
  stage: FolderStage;
  collected: CollectedRows;
  known: ReadonlyMap<string, FileSum>;
};

const BESIDE = {
  rules: '`rules.json`: the rules, to export by again or to go on from here.',
  places: '`provenance.jsonl`: where each row comes from; the format itself has no room for it.',
  feedback: '`feedback.jsonl`: labels and finished reviews; advice itself stands in the rows and events.',
  events:
    '`events.jsonl`: every event of the episodes that gave rows (`interject import events.jsonl`); addresses, folders and what looks like a key are left out.',
  kit: '`kit/`: a project that trains on this folder; its README says how.',
  otherKit:
    '`kit/`: a project that trains with TRL. None of its scripts reads rows of this format; its GRPO plays in the environment.',
  sums: '`CHECKSUMS`: of every file (`sha256sum -c CHECKSUMS`).',
} as const;

/** The command that makes the same again from `rules.json`. */
const again = ({ format, files, kit, despite }: WriteRun): string =>
  [
    `interject export --format ${format.id} --rules rules.json`,
    ...(files === 'jsonl' ? [] : [`--files ${files}`]),
    ...(kit === null ? [] : [`--kit ${kit.name}`]),
    ...(despite.length === 0 ? [] : [`--despite ${despite.join(' ')}`]),
    '--out DIR',
  ].join(' ');

/** Writes what is told of the whole, and puts the folder in place. */
function finishExport(report: ExportReport, writing: WriteRun): ExportReport {
  const { stage, format, collected, folder, kit: project } = writing;
  const known = new Map(writing.known);
  const text = (name: string, words: string): void => writeFileSync(stage.path(name), words, { mode: 0o600 });
  const data = describeData({ ...writing, totals: collected.totals });
  const { rules, places, feedback, events, kit, otherKit, sums } = BESIDE;
  const has = hasSideFiles(format, writing.rules);
  const besideData = Object.entries(format.beside ?? {});
  const beside = [
    rules,
    ...(lacksPlace(format) ? [places] : []),
    ...(has.feedback ? [feedback] : []),
    ...(has.events ? [events] : []),
    ...besideData.map(([name]) => `\`data/${name}\`: what readers of the format look for beside its lines.`),
    ...(project === null
      ? []
      : [FORMATS[format.id].isTrl === true && writing.rules.preset !== 'when_to_ask' ? kit : otherKit]),
    sums,
  ];
  for (const [name, value] of besideData) {
    const path = `data/${name}`;
    known.set(path, writeTextFile(stage.path(path), `${JSON.stringify(value, null, 2)}\n`));
  }
  const content = contentHash(data, known);
  text(
    'README.md',
    datasetCard({ ...collected, ...writing, report, data, content, beside, command: again(writing) }),
  );
  text(
    RULES_FILE,
    manifestText(
      { ...writing, format: format.id, kit: project?.name ?? null, last: collected.range.last },
      report,
    ),
  );
  if (project !== null) writeKit(stage.path(''), project.resources, project.name);
  const placed = stage.finish(known);
  const sizes = Object.fromEntries(placed.files.map(({ name, bytes }) => [name, bytes]));
  return { ...report, folder, files: Object.keys(sizes), sizes, bytes: placed.bytes };
}

const SAMPLES = 5;

function exportReport(collected: CollectedRows, format: Format, rules: ExportRules): ExportReport {
  const { totals, dropped, read, range } = collected;
  return {
    format: format.id,
    rows: totals.rows,
    splits: { train: totals.train, validation: totals.validation },
    episodes: { read, kept: totals.episodes },
    dropped: sortedCounts(dropped),
    ...(collected.damaged.length === 0 ? {} : { damaged: collected.damaged }),
    ...(rules.privilege === 'flag' && totals.privileged > 0 ? { privileged: totals.privileged } : {}),
    classes: totals.classes,
    tokens: totals.tokens,
    findings: findingsOf(collected, { format, rules }),
    sample: [],
    log_from: range.from,
    log_to: range.to,
    folder: null,
    files: [],
    bytes: totals.bytes,
  };
}

/** The first rows that are kept, made again: formats are pure. */
function sampleRows(
  { index, episodes }: CollectedRows,
  asked: ReadRequest & { format: Format; rules: ExportRules },
): ExportReport['sample'] {
  const samples: ExportReport['sample'] = [];
  for (const row of index.kept()) {
    if (samples.length >= SAMPLES) break;
    const { episode, nth } = index.at(row);
    const id = episodes[episode] ?? '';
    const made = asked.format.rows(loadEpisode(asked, id), asked.rules).rows[nth];
    if (made === undefined) continue;
    samples.push({
      episode: id,
      json: [made.row, ...(made.more ?? [])].map((one) => JSON.stringify(one, null, 2)).join('\n'),
      mask: made.facts.mask(),
    });
  }
  return samples;
}
