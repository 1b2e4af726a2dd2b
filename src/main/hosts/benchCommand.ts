// `interject bench`: the same tasks in several arms, and what the difference between them is worth; or what answers were worth,
// going on from each with and without it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchPlan } from '../../shared/bench/plan.ts';
import { headlineOf, reportOf } from '../../shared/bench/report.ts';
import type { BenchSummary } from '../../shared/bench/summary.ts';
import type { RunProgress } from '../../shared/contract/runs.ts';
import { countText } from '../../shared/countText.ts';
import { type EpisodeRecord, taskRef } from '../../shared/episode/record.ts';
import { hasPerson } from '../../shared/events/lifecycle.ts';
import { Failure, failureFrom } from '../../shared/failure.ts';
import { liftSentence } from '../../shared/lift/intervention.ts';
import type { LiftSummary } from '../../shared/lift/summary.ts';
import { exclusionOf } from '../commands/benchObserve.ts';
import { liftExclusion } from '../commands/liftRun.ts';
import { checkDrafts, type AnswerLine } from '../desk/scriptedAnswers.ts';
import { liftReport } from '../report/liftReport.ts';
import { benchChoiceOf, benchModels, isScripted, liftRequestOf, type BenchOptions } from './benchFlags.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller } from './paths.ts';
import { playRun } from './playRun.ts';
import { beginCommand, openProductFor, type OpenDesk, type Product } from './product.ts';
import { checkHoldsNoOther, reportFolder } from './resultFolder.ts';
import { readAnswersFile } from './runCommand.ts';
import { durationText } from './runProgress.ts';
import { writeReport } from './reportCommand.ts';

/** More asks than any episode may have. */
const ASKS_MAX = 64;

/** Runs it, or goes on with it. Resolves with the exit code: 0 when every episode is over. */
export async function benchCommand(options: BenchOptions, output: CommandOutput): Promise<number> {
  const { fromQuestions, out } = options;
  const answers = answersOf(options);
  const folder = out === undefined ? null : reportFolder(out);
  const text = fromQuestions === undefined ? splitText(options.split) : null;
  const product = await openProductFor(options, { output, isMaking: text !== null });
  try {
    // Its tasks are held out of nothing else.
    const { split: _tasks, ...said } = options;
    const models = await beginCommand(product, said, { roles: benchModels(options), answers }, output);
    return text === null
      ? await measureAnswers(product, options, { folder, model: models.agent.model }, output)
      : await compareArms(product, options, { folder, text, answers }, output);
  } finally {
    await product.close();
  }
}

/** Throws `bad_input` where no split is named, or its file cannot be read. */
function splitText(split: string | undefined): string {
  if (split === undefined)
    throw new Failure('bad_input', 'say which tasks to run: --split FILE', {
      next: 'It is JSON: {"train": [["scenario", task number], …], "val": […]}.',
    });
  try {
    return readFileSync(fromCaller(split), 'utf8');
  } catch (cause) {
    throw new Failure('bad_input', `there is no file ${split}`, {
      cause,
      next: 'Name the manifest of a split.',
    });
  }
}

/** Null where people answer. */
function answersOf(options: BenchOptions): AnswerLine[] | null {
  if (options.answers !== undefined && options.unattended === true)
    throw new Failure('bad_input', '--answers and --unattended both answer in a person’s place', {
      next: 'Choose one.',
    });
  if (options.answers !== undefined) return readAnswersFile(options.answers);
  if (!isScripted(options)) return null;
  return Array.from({ length: ASKS_MAX }, (_, at) => ({ do: 'accept', ask: at + 1 }));
}

type Comparing = { folder: string | null; text: string; answers: AnswerLine[] | null };

async function compareArms(
  product: Product,
  options: BenchOptions,
  { folder, text, answers }: Comparing,
  output: CommandOutput,
): Promise<number> {
  const { plan } = await product.call('bench.plan', {
    choice: benchChoiceOf(options),
    split: { text },
    allows_overlap: options.allowOverlap === true,
  });
  if (folder !== null) checkHoldsNoOther(folder, { kind: 'bench', name: plan.name });
  for (const { condition } of plan.arms) checkDrafts(answers ?? [], condition, options.answers ?? '');
  const isAttended = plan.arms.some(({ condition }) => hasPerson(condition)) && answers === null;
  const desk: OpenDesk | null = isAttended ? await product.openDesk(options.port) : null;
  try {
    if (desk !== null) {
      output.line({ type: 'ready', ...desk.ready });
      output.say(`Questions come to the desk ${desk.place}`);
    }
    await playBench(product, plan, options.concurrency, output);
  } finally {
    await desk?.close();
  }
  const { summary, progress } = await product.call('bench.show', { name: plan.name });
  if (summary === null) return notOver(`bench ${plan.name}`, progress, output);
  tellResult(summary, folder, output);
  return 0;
}

function notOver(what: string, { finished, planned }: RunProgress, output: CommandOutput): number {
  output.say(
    `${String(finished)} of ${countText(planned, 'episode')} ${finished === 1 ? 'is' : 'are'} over. The same command goes on with ${what}.`,
  );
  return 1;
}

const STOPPING = 'Stopping: every episode that is running ends with a complete log.';

async function playBench(
  product: Product,
  plan: BenchPlan,
  concurrency: number,
  output: CommandOutput,
): Promise<void> {
  const { name } = plan;
  await product.call('bench.start', { plan, concurrency });
  const { progress } = await product.call('bench.show', { name });
  const { finished, planned } = progress;
  output.line({ type: 'bench', name, planned, finished });
  output.say(
    `Bench ${name}: ${countText(planned, 'episode')}, ${countText(plan.tasks.length, 'task')} in ${plan.arms.map(({ arm }) => arm).join(', ')}` +
      (finished === 0 ? '' : `; ${String(finished)} are over already`),
  );
  const ended = (record: EpisodeRecord, now: RunProgress): void => {
    const { started } = record;
    if (started === null) return;
    const label = record.ended?.reward_type ?? record.verified?.reward_type ?? null;
    const came = exclusionOf(record, label) ?? (label === 'complete' ? 'complete' : 'not complete');
    const { scenario, task_idx } = taskRef(record);
    const [arm, seed] = [started.bench?.arm ?? '', started.seed ?? 0];
    output.line({ type: 'progress', arm, scenario, task_idx, seed, came, ...now });
    output.say(
      `${placeText(now)} ${scenario ?? ''} ${String(task_idx)}, ${arm}, seed ${String(seed)}: ${came}`,
    );
  };
  const { failure } = await playRun(product, name, { stopping: STOPPING, ended }, output);
  if (failure !== null) throw failureFrom(failure);
}

function placeText({ finished, planned, waiting, eta_s: eta }: RunProgress): string {
  const left =
    waiting > 0
      ? `, ${String(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for people`
      : eta === null || eta === 0
        ? ''
        : `, about ${durationText(eta)} left`;
  return `[${String(finished)} of ${String(planned)}${left}]`;
}

function tellResult(summary: BenchSummary, folder: string | null, output: CommandOutput): void {
  output.line({ type: 'result', ...summary });
  if (folder === null) {
    output.say(`\n${reportOf(summary)}`);
    return;
  }
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'results_summary.json'), `${JSON.stringify(summary, null, 2)}\n`);
    writeFileSync(join(folder, 'report.md'), `${reportOf(summary)}\n`);
  } catch (cause) {
    throw new Failure('bad_input', `cannot write to ${folder}`, { cause, next: 'Choose another folder.' });
  }
  for (const line of headlineOf(summary)) output.say(line);
  output.say(`Written to ${folder}: results_summary.json, report.md`);
}

async function measureAnswers(
  product: Product,
  options: BenchOptions,
  { folder, model }: { folder: string | null; model: string | null },
  output: CommandOutput,
): Promise<number> {
  const from = options.fromQuestions ?? '';
  const page = { query: '', status: null, condition: null, filter: { run: from }, offset: 0, limit: 1 };
  const { total } = await product.call('episodes.page', page);
  const { name, request } = liftRequestOf(options, from, { isRun: total > 0, model });
  if (folder !== null) checkHoldsNoOther(folder, { kind: 'lift', name });
  const { concurrency } = options;
  const { plan, planned } = await product.call('lift.start', { name, request, concurrency });
  const { eligible, not_eligible, points } = plan;
  output.line({ type: 'lift', name, planned, interventions: points.length, eligible, not_eligible });
  output.say(
    `Lift ${name}: ${String(points.length)} of ${countText(eligible, 'eligible intervention')}, ${countText(planned, 'continuation')}`,
  );
  // How it came out is told only at the end.
  const ended = (record: EpisodeRecord, now: RunProgress): void => {
    const { lift } = record.started ?? {};
    if (lift === undefined) return;
    const { consultation, arm, number } = lift;
    const exclusion = liftExclusion(record);
    output.line({ type: 'progress', consultation, arm, number, exclusion, ...now });
    const came = exclusion === null ? 'over' : exclusion.replaceAll('_', ' ');
    output.say(`${placeText(now)} ${consultation}, ${arm} the advice, ${String(number)}: ${came}`);
  };
  const { failure } = await playRun(product, name, { stopping: STOPPING, ended }, output);
  if (failure !== null) throw failureFrom(failure);
  const { summary, progress } = await product.call('lift.show', { name });
  if (summary === null) return notOver(`lift ${name}`, progress, output);
  tellLift(summary, output);
  if (folder !== null) await writeReport(liftReport(summary), folder, output);
  return 0;
}

function tellLift(summary: LiftSummary, output: CommandOutput): void {
  output.line({ type: 'result', ...summary });
  for (const caution of summary.cautions) output.say(`! ${caution}`);
  for (const one of summary.interventions) output.say(`${one.consultation}: ${liftSentence(one)}`);
  output.say(summary.overall.says);
}
