// `interject export`.
import { setTimeout as wait } from 'node:timers/promises';
import { type ExportJob, type ExportReport, ExportRules } from '../../shared/contract/export.ts';
import { dropWords, sortedDrops } from '../../shared/export/dropWords.ts';
import { FORMATS } from '../../shared/export/formats.ts';
import { countText } from '../../shared/countText.ts';
import { Failure, failureFrom } from '../../shared/failure.ts';
import { readManifest } from '../dataset/export/manifest.ts';
import { refusals } from '../dataset/export/preflight/findings.ts';
import { checkFiles } from '../dataset/export/runExport.ts';
import { rulesFrom, type ExportOptions, type LogFormat, LOG_FORMATS } from './exportOptions.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller } from './paths.ts';
import { openProductFor, type Product } from './product.ts';
import { untilStopped } from './playRun.ts';
import { canonical } from '../../shared/canonical.ts';
import { ROW_RULES } from '../dataset/export/select.ts';

/** Has the data set folder written. Resolves with the exit code. */
export async function exportCommand(options: ExportOptions, output: CommandOutput): Promise<number> {
  const { data, out, check } = options;
  const rules = rulesFrom(options);
  const isLog = isOfLog(options, rules);
  if (out === undefined && (isLog || check !== true)) {
    throw new Failure('bad_input', 'where to write is not said', {
      next: 'Name an empty folder with --out.',
    });
  }
  if (isLog) checkLogRules(options, rules);
  const product = await openProductFor({ data }, { output });
  try {
    return await untilStopped(output, (signal) => {
      signal.addEventListener('abort', () => void product.call('command.stop', {}).catch(() => undefined));
      return isLog ? writeLog(product, rules, options, output) : makeData(product, rules, options, output);
    });
  } finally {
    await product.close();
  }
}

async function writeLog(
  product: Product,
  rules: ExportRules,
  options: ExportOptions,
  output: CommandOutput,
): Promise<number> {
  const { out = '', force } = options;
  const format = options.format as LogFormat;
  const into = { folder: fromCaller(out), is_forced: force === true };
  const written = await product.call('export.log', { format, rules, into });
  const { rows, dropped, files, findings, folder, damaged } = written;
  printFindings(output, null)({ findings });
  output.line({ type: 'export', format, rows, dropped, files, ...(damaged.length === 0 ? {} : { damaged }) });
  output.say(`${countText(rows, 'row')} in ${folder}${leftOut(dropped)}`);
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
    : `, ${privileged.toLocaleString('en')} of them not known to be free of the answer (who helped had seen some of it, or is not recorded): \`--privilege leak-free\` leaves them out`;

async function makeData(
  product: Product,
  rules: ExportRules,
  options: ExportOptions,
  output: CommandOutput,
): Promise<number> {
  const { out = '', force, check, files, kit = null, despite = [] } = options;
  const format = options.format as ExportReport['format'];
  const style = STYLE_FLAGS.find((name) => (name === 'reasoning' ? !options.reasoning : options[name]));
  if (style !== undefined && FORMATS[format].hasStyle !== true) {
    throw new Failure('bad_input', `${format} has one form of calls and thoughts, or no place for them`, {
      next: `Leave ${ROW_FLAGS[style === 'failedCalls' ? 'failed_calls' : style]} out.`,
    });
  }
  checkFiles({ format, files });
  const since = options.since === undefined ? null : readManifest(fromCaller(options.since)).log;
  const { export: id } = await product.call('export.start', {
    format,
    rules,
    write:
      check === true
        ? null
        : {
            files,
            kit,
            despite,
            into: { folder: fromCaller(out), is_forced: force === true },
            ...(since?.last ? { since: { to: since.to, ...since.last } } : {}),
          },
  });
  const { report, failure } = await untilMade(product, id, output);
  if (report !== null) printReport(output, check === true ? null : despite)(report);
  if (failure !== null) throw failureFrom(failure);
  if (report === null) throw new Failure('cancelled', 'the export was cancelled');
  output.line(lineOf(report));
  sayUnused(output, report, despite);
  output.say(
    `${countText(report.rows, 'row')}${report.folder === null ? ' would be written' : ` in ${report.folder}`}${privilegedWords(report)}${leftOut(report.dropped)}`,
  );
  const isRefused = check === true && refusals(report, despite).length > 0;
  return Math.max(sayDamaged(output, report.damaged ?? []), isRefused ? 1 : 0);
}

const LOOK_MS = 40;
const PROGRESS_MS = 2_000;

/** Says now and then how far it is. */
async function untilMade(product: Product, id: string, output: CommandOutput): Promise<ExportJob> {
  let saidAt = performance.now();
  for (;;) {
    const job = await product.call('export.job', { export: id });
    if (job.state !== 'running') return job;
    if (performance.now() - saidAt >= PROGRESS_MS) {
      saidAt = performance.now();
      output.say(`${job.done.toLocaleString('en')} of ${job.total.toLocaleString('en')} episodes`);
    }
    await wait(LOOK_MS);
  }
}

/** A check that is named and refused nothing may be a slip of the pen. */
function sayUnused(output: CommandOutput, { findings }: ExportReport, despite: readonly string[]): void {
  for (const name of despite) {
    if (findings.some(({ check, level }) => check === name && level === 'error')) continue;
    output.say(`note: --despite ${name}: no check of that name refuses this export`);
  }
}

/** Prints the findings; of a refused export also the number of rows, and what each rule left out. */
const printReport =
  (output: CommandOutput, despite: readonly string[] | null) =>
  (report: ExportReport): void => {
    printFindings(output, despite)(report);
    if (despite === null || refusals(report, despite).length === 0) return;
    output.say(`${report.rows.toLocaleString('en')} rows, not written${leftOut(report.dropped)}`);
  };

/** With `despite` the data is to be written: its refusal names the findings it is refused for. */
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

/** The flag of each rule that chooses rows. */
const ROW_FLAGS: Readonly<Record<(typeof ROW_RULES)[number], string>> = {
  actors: '--actor',
  privilege: '--privilege',
  include: '--include',
  cap_per_task: '--cap',
  validation: '--validation',
  preset: '--preset',
  arguments: '--arguments',
  reasoning: '--no-reasoning',
  failed_calls: '--failed-calls',
  words: '--words',
};
/** Those that say how calls are written, and which of them train. */
const STYLE_FLAGS = ['arguments', 'reasoning', 'failedCalls', 'words'] as const;

const DEFAULT_RULES = ExportRules.parse({});

/** The flags of data sets. */
function ofDataSets({ files, kit, check, despite }: ExportOptions, rules: ExportRules): string[] {
  const isSet = (name: keyof ExportRules): boolean =>
    canonical(rules[name]) !== canonical(DEFAULT_RULES[name]);
  return [
    ...ROW_RULES.filter(isSet).map((name) => ROW_FLAGS[name]),
    ...(files === 'parquet' ? ['--files parquet'] : []),
    ...(kit === undefined ? [] : ['--kit']),
    ...(check === true ? ['--check'] : []),
    ...(despite === undefined ? [] : ['--despite']),
  ];
}

/**
 * True if no data set is asked for. `events` is both: the bare log, and a folder as the console writes it, whose card
 * says how to make it again by `--rules`.
 */
function isOfLog(options: ExportOptions, rules: ExportRules): boolean {
  if (options.format !== 'events') return LOG_FORMATS.some((one) => one === options.format);
  return options.rules === undefined && ofDataSets(options, rules).length === 0;
}

/** Refuses what means nothing where there are no rows. Throws `bad_input` naming each. */
function checkLogRules(options: ExportOptions, rules: ExportRules): void {
  const { format } = options;
  const asked = ofDataSets(options, rules);
  if (asked.length > 0) {
    throw new Failure('bad_input', `${format} has no rows: ${asked.join(', ')} cannot hold for it`, {
      next: 'Leave that out, or choose a format of rows.',
    });
  }
  if (format !== 'annotations' || canonical(rules) === canonical(DEFAULT_RULES)) return;
  throw new Failure('bad_input', 'annotations are written by project, whatever episodes they are about', {
    next: 'Leave the rules out; human_feedback writes what was said of chosen episodes.',
  });
}
