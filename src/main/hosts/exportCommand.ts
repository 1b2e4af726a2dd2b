// Owns: `interject export`.
import { join } from 'node:path';
import type { ExportReport, ExportRules } from '../../shared/contract/export.ts';
import { hasArgumentsForm } from '../../shared/export/argumentsForm.ts';
import { dropWords } from '../../shared/export/dropWords.ts';
import { SYSTEM } from '../../shared/events/actor.ts';
import { Failure } from '../../shared/failure.ts';
import { writeAside, type Into, type Written } from '../dataset/aside.ts';
import { writeBundle, writeSources } from '../dataset/bundle.ts';
import { noteExport } from '../dataset/export/jobs.ts';
import { refusals } from '../dataset/export/preflight/findings.ts';
import { checkSameLog, readManifest } from '../dataset/export/manifest.ts';
import { checkExport, checkFiles, writeExport, type Hooks } from '../dataset/export/runExport.ts';
import { createSources } from '../dataset/import/sources.ts';
import { takeDataFolder, type DataFolder } from '../log/dataFolder.ts';
import { openDatabase } from '../log/database.ts';
import { createEventLog, type EventLog } from '../log/eventLog.ts';
import { ANNOTATIONS_FILE, writeAnnotations } from '../review/writeAnnotations.ts';
import { newId, nodeEdges } from './edges.ts';
import { checkLogRules, isOfLog } from './exportLogRules.ts';
import { rulesFrom, type ExportOptions, type LogFormat } from './exportOptions.ts';
import type { Output } from './output.ts';
import { dataFolderPath, fromCaller, productFolder } from './paths.ts';
import { untilStopped } from './untilStopped.ts';

/** Reads the log and writes the data set folder. Needs no more of the product than the log. */
export async function exportCommand(options: ExportOptions, output: Output): Promise<number> {
  const { out, check } = options;
  const rules = rulesFrom(options);
  const isLog = isOfLog(options, rules);
  if (out === undefined && (isLog || check !== true)) {
    throw new Failure('bad_input', 'where to write is not said', {
      next: 'Name an empty folder with --out.',
    });
  }
  const folder = takeDataFolder(dataFolderPath(options.data));
  const { clock, report } = nodeEdges((text) => output.say(text));
  try {
    const db = openDatabase(folder.file('interject.db'));
    const log = createEventLog({ db, clock, onListenerError: report });
    try {
      return isLog
        ? await writeLog({ log, folder, rules }, options, output)
        : await makeData({ log, rules }, options, output);
    } finally {
      db.close();
    }
  } finally {
    folder.release();
  }
}

async function writeLog(
  { log, folder, rules }: { log: EventLog; folder: DataFolder; rules: ExportRules },
  options: ExportOptions,
  output: Output,
): Promise<number> {
  const { format, out = '', force } = options;
  checkLogRules(options, rules);
  const writers: Record<LogFormat, (into: Into) => Promise<Written>> = {
    events: (into) => writeBundle(log, { ...into, rules }),
    source: (into) => writeSources(log, createSources(folder.file('sources'), newId), { ...into, rules }),
    annotations: (into) =>
      writeAside(into, { places: [ANNOTATIONS_FILE] }, (stage) => writeAnnotations(log, stage.path(''))),
  };
  const where = { folder: fromCaller(out), isForced: force === true };
  const written = untilStopped((signal) => writers[format as LogFormat]({ ...where, signal }));
  const { rows, dropped, files, folder: into } = await written;
  output.line({ type: 'export', format, rows, dropped, files });
  output.say(`${String(rows)} rows in ${into}${leftOut(dropped)}`);
  return 0;
}

const leftOut = (dropped: Readonly<Record<string, number>>): string => {
  const lines = Object.entries(dropped).map(
    ([rule, count]) => `\n  ${count.toLocaleString('en')} left out: ${dropWords(rule).words} (${rule})`,
  );
  return lines.join('');
};

async function makeData(
  { log, rules }: { log: EventLog; rules: ExportRules },
  options: ExportOptions,
  output: Output,
): Promise<number> {
  const { out = '', force, check, files, kit: project, despite = [] } = options;
  const format = options.format as ExportReport['format'];
  if (options.arguments !== undefined && !hasArgumentsForm(format)) {
    throw new Failure('bad_input', `${format} has one form of arguments, or holds no call`, {
      next: 'Leave --arguments out.',
    });
  }
  checkFiles({ format, files });
  if (options.since !== undefined) checkSameLog(log, readManifest(fromCaller(options.since)));
  const where = { folder: fromCaller(out), isForced: force === true };
  const kit = project === undefined ? null : { name: project, resources: join(productFolder(), 'resources') };
  return untilStopped(async (signal) => {
    const hooks: Hooks = { signal, onProgress: progress(output) };
    const ask = { format, rules, files, kit, despite };
    const looked = check === true ? await checkExport(log, ask, hooks) : null;
    const report = looked ?? (await writeExport(log, { ...ask, ...where, onReport: say(output) }, hooks));
    if (looked !== null) say(output)(looked);
    else noteExport(log, SYSTEM, report, rules);
    output.line(lineOf(report));
    sayUnused(output, report, despite);
    output.say(
      `${report.rows.toLocaleString('en')} rows${report.folder === null ? ' would be written' : ` in ${report.folder}`}${leftOut(report.dropped)}`,
    );
    return looked !== null && refusals(report, despite).length > 0 ? 1 : 0;
  });
}

/** A check that is named and refused nothing may be a slip of the pen. */
function sayUnused(output: Output, { findings }: ExportReport, despite: readonly string[]): void {
  for (const name of despite) {
    if (findings.some(({ check, level }) => check === name && level === 'error')) continue;
    output.say(`note: --despite ${name}: no check of that name refuses this export`);
  }
}

const say =
  (output: Output) =>
  ({ findings }: ExportReport): void => {
    for (const { check, level, message, at } of findings) {
      const [first] = at;
      const where =
        first === undefined
          ? ''
          : ` First in ${first.episode}${first.n === null ? '' : `, event ${String(first.n)}`}.`;
      output.say(`${level}: ${message}${where} [${check}]`);
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
});

const SAY_EVERY_MS = 2000;

function progress(output: Output): Hooks['onProgress'] {
  let saidAt = performance.now();
  return (done, total) => {
    if (performance.now() - saidAt < SAY_EVERY_MS) return;
    saidAt = performance.now();
    output.say(`${done.toLocaleString('en')} of ${total.toLocaleString('en')} episodes`);
  };
}
