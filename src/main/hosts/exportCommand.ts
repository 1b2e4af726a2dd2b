// `interject export`.
import { join } from 'node:path';
import type { ExportReport, ExportRules } from '../../shared/contract/export.ts';
import { hasArgumentsForm, hasReasoning } from '../../shared/export/argumentsForm.ts';
import { dropWords, sortedDrops } from '../../shared/export/dropWords.ts';
import { SYSTEM } from '../../shared/events/actor.ts';
import { countText } from '../../shared/countText.ts';
import { Failure } from '../../shared/failure.ts';
import { writeAside, type Into, type WrittenFiles } from '../dataset/aside.ts';
import { writeEventBundle, writeSources } from '../dataset/bundle.ts';
import { holdOut } from '../dataset/export/holdOut.ts';
import { noteExport } from '../dataset/export/exportJobs.ts';
import { refusals } from '../dataset/export/preflight/findings.ts';
import { checkSameLog, readManifest } from '../dataset/export/manifest.ts';
import { checkExport, checkFiles, writeExport, type Hooks } from '../dataset/export/runExport.ts';
import { createSourceStore } from '../dataset/import/sourceStore.ts';
import { ANNOTATIONS_FILE, writeAnnotations } from '../review/writeAnnotations.ts';
import { withCommandLog, type CommandLog } from './commandLog.ts';
import { newId } from './edges.ts';
import { checkLogRules, isOfLog } from './exportLogRules.ts';
import { rulesFrom, type ExportOptions, type LogFormat } from './exportOptions.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller, productFolder } from './paths.ts';
import { untilStopped } from './untilStopped.ts';

/** Reads the log and writes the data set folder. Needs no more of the product than the log. */
export async function exportCommand(options: ExportOptions, output: CommandOutput): Promise<number> {
  const { out, check } = options;
  const rules = rulesFrom(options);
  const isLog = isOfLog(options, rules);
  if (out === undefined && (isLog || check !== true)) {
    throw new Failure('bad_input', 'where to write is not said', {
      next: 'Name an empty folder with --out.',
    });
  }
  // A data set that is written is noted in the log.
  const isReading = isLog || check === true;
  return withCommandLog({ data: options.data, output, isReading }, (opened) =>
    isLog
      ? writeLog(opened, rules, options, output)
      : makeData(opened, holdOut(opened.log, rules), options, output),
  );
}

async function writeLog(
  { log, file }: CommandLog,
  asked: ExportRules,
  options: ExportOptions,
  output: CommandOutput,
): Promise<number> {
  const { format, out = '', force } = options;
  checkLogRules(options, asked);
  const rules = holdOut(log, asked);
  const writers: Record<LogFormat, (into: Into) => Promise<WrittenFiles>> = {
    events: (into) => writeEventBundle(log, { ...into, rules }),
    source: (into) => writeSources(log, createSourceStore(file('sources'), newId), { ...into, rules }),
    annotations: (into) =>
      writeAside(into, { places: [ANNOTATIONS_FILE] }, (stage) => writeAnnotations(log, stage.path(''))),
  };
  const where = { folder: fromCaller(out), isForced: force === true };
  const written = untilStopped(output, (signal) => writers[format as LogFormat]({ ...where, signal }));
  const { rows, dropped, files, findings = [], folder: into, damaged = [] } = await written;
  printFindings(output, null)({ findings });
  output.line({ type: 'export', format, rows, dropped, files, ...(damaged.length === 0 ? {} : { damaged }) });
  output.say(`${countText(rows, 'row')} in ${into}${leftOut(dropped)}`);
  return sayDamaged(output, damaged);
}

/** Names what could not be read. The exit code: what was written is not all there should be. */
function sayDamaged(output: CommandOutput, damaged: readonly string[]): number {
  for (const episode of damaged) output.say(`left out, it cannot be read: ${episode}`);
  if (damaged.length > 0) output.say('`interject repair --out DIR` saves what can be read of such episodes');
  return damaged.length === 0 ? 0 : 1;
}

const leftOut = (dropped: Readonly<Record<string, number>>): string => {
  const lines = sortedDrops(dropped).map(
    ([rule, count]) => `\n  ${count.toLocaleString('en')} left out: ${dropWords(rule).words} (${rule})`,
  );
  return lines.join('');
};

const privilegedWords = ({ privileged = 0 }: ExportReport): string =>
  privileged === 0
    ? ''
    : `, ${privileged.toLocaleString('en')} of them from help by someone who had seen something of the answer, or may have: \`--privilege leak-free\` leaves them out`;

async function makeData(
  opened: CommandLog,
  rules: ExportRules,
  options: ExportOptions,
  output: CommandOutput,
): Promise<number> {
  const { log } = opened;
  const { out = '', force, check, files, kit: project, despite = [] } = options;
  const format = options.format as ExportReport['format'];
  if (options.arguments !== undefined && !hasArgumentsForm(format)) {
    throw new Failure('bad_input', `${format} has one form of arguments, or holds no call`, {
      next: 'Leave --arguments out.',
    });
  }
  if (!options.reasoning && !hasReasoning(format)) {
    throw new Failure('bad_input', `${format} has one form for reasoning, or no place for it`, {
      next: 'Leave --no-reasoning out.',
    });
  }
  checkFiles({ format, files });
  if (options.since !== undefined) checkSameLog(log, readManifest(fromCaller(options.since)));
  const where = { folder: fromCaller(out), isForced: force === true };
  const kit = project === undefined ? null : { name: project, resources: join(productFolder(), 'resources') };
  return untilStopped(output, async (signal) => {
    const hooks: Hooks = { signal, onProgress: progress(output) };
    const ask = { format, rules, files, kit, despite };
    const looked = check === true ? await checkExport(log, ask, hooks) : null;
    const report =
      looked ?? (await writeExport(log, { ...ask, ...where, onReport: printReport(output, despite) }, hooks));
    if (looked !== null) printFindings(output, null)(looked);
    else await noteWritten(opened, report, rules);
    output.line(lineOf(report));
    sayUnused(output, report, despite);
    output.say(
      `${countText(report.rows, 'row')}${report.folder === null ? ' would be written' : ` in ${report.folder}`}${privilegedWords(report)}${leftOut(report.dropped)}`,
    );
    const isRefused = looked !== null && refusals(report, despite).length > 0;
    return Math.max(sayDamaged(output, report.damaged ?? []), isRefused ? 1 : 0);
  });
}

async function noteWritten(
  { log, line }: CommandLog,
  report: ExportReport,
  rules: ExportRules,
): Promise<void> {
  if (line === null) return noteExport(log, SYSTEM, report, rules);
  const { format, folder, rows, log_from, log_to } = report;
  await line.call('launch.note_export', { format, folder: folder ?? '', rows, log_from, log_to, rules });
}

/** A check that is named and refused nothing may be a slip of the pen. */
function sayUnused(output: CommandOutput, { findings }: ExportReport, despite: readonly string[]): void {
  for (const name of despite) {
    if (findings.some(({ check, level }) => check === name && level === 'error')) continue;
    output.say(`note: --despite ${name}: no check of that name refuses this export`);
  }
}

/** What was found; of an export that is refused also how many rows there would be, and what each rule left out. */
const printReport =
  (output: CommandOutput, despite: readonly string[]) =>
  (report: ExportReport): void => {
    printFindings(output, despite)(report);
    if (refusals(report, despite).length === 0) return;
    output.say(`${report.rows.toLocaleString('en')} rows, not written${leftOut(report.dropped)}`);
  };

/** Where `despite` is given, the data is to be written: what it is refused for is said by the refusal. */
const printFindings =
  (output: CommandOutput, despite: readonly string[] | null) =>
  (report: Pick<ExportReport, 'findings'>): void => {
    const [refused] = despite === null ? [] : refusals(report, despite);
    for (const found of report.findings) {
      const { check, level, message, at } = found;
      const [first] = at;
      const where =
        first === undefined
          ? ''
          : ` First in ${first.episode}${first.n === null ? '' : `, event ${String(first.n)}`}.`;
      // The refusal does not say where.
      if (found !== refused || first !== undefined) output.say(`${level}: ${message}${where} [${check}]`);
      output.line({ type: 'finding', check, level, message, at });
    }
  };

/** Additive to what the line always held. */
const lineOf = ({
  format,
  rows,
  dropped,
  files,
  splits,
  episodes,
  log_from,
  log_to,
  bytes,
  damaged,
}: ExportReport) => ({
  type: 'export',
  format,
  rows,
  dropped,
  files,
  splits,
  episodes,
  log_from,
  log_to,
  bytes,
  ...(damaged === undefined ? {} : { damaged }),
});

const EXPORT_PROGRESS_MS = 2000;

function progress(output: CommandOutput): Hooks['onProgress'] {
  let saidAt = performance.now();
  return (done, total) => {
    if (performance.now() - saidAt < EXPORT_PROGRESS_MS) return;
    saidAt = performance.now();
    output.say(`${done.toLocaleString('en')} of ${total.toLocaleString('en')} episodes`);
  };
}
