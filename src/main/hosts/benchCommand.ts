// `interject bench`: the same tasks in several arms, and what the difference between them is worth.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Observed } from '../../shared/bench/observed.ts';
import type { BenchPlan } from '../../shared/bench/plan.ts';
import { headlineOf, reportOf } from '../../shared/bench/report.ts';
import type { BenchSummary } from '../../shared/bench/summary.ts';
import type { BenchProgress } from '../../shared/contract/bench.ts';
import { countText } from '../../shared/countText.ts';
import { hasPerson } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { openCommandApp, type CommandApp, type OpenDesk } from './commandApp.ts';
import { checkDrafts, type AnswerLine } from '../desk/scriptedAnswers.ts';
import { benchModels, isScripted, planOf, type BenchOptions } from './benchFlags.ts';
import type { CommandOutput } from './output.ts';
import { checkHoldsNoOther, reportFolder } from './resultFolder.ts';
import { readAnswersFile } from './runCommand.ts';
import { durationText } from './runProgress.ts';
import { tellStarts } from './tellStarts.ts';
import { awmFlags } from './serve.ts';
import { onStop } from './untilStopped.ts';

/** More asks than any episode may have. */
const ASKS_MAX = 64;

/** Runs it, or goes on with it. Resolves with the exit code: 0 when every episode is over. */
export async function benchCommand(options: BenchOptions, output: CommandOutput): Promise<number> {
  const answers = answersOf(options);
  const folder = options.out === undefined ? null : reportFolder(options.out);
  const places = options.concurrency;
  const app = await openCommandApp(
    { ...options, places, awm: awmFlags(options), roles: benchModels(options) },
    output,
  );
  let desk: OpenDesk | null = null;
  const unattach = answers === null ? () => undefined : app.attendDesk(answers);
  try {
    const plan = await planOf(app, options);
    if (folder !== null) checkHoldsNoOther(folder, { kind: 'bench', name: plan.name });
    for (const { condition } of plan.arms) checkDrafts(answers ?? [], condition, options.answers ?? '');
    if (plan.arms.some(({ condition }) => hasPerson(condition)) && answers === null)
      desk = await openDesk(app, options, output);
    await runBench(app, plan, options, output);
    const { summary, progress } = app.benches.show(plan.name);
    if (summary === null) {
      output.say(
        `${String(progress.finished)} of ${countText(progress.planned, 'episode')} ${progress.finished === 1 ? 'is' : 'are'} over. The same command goes on with bench ${plan.name}.`,
      );
      return 1;
    }
    tellResult(summary, folder, output);
    return 0;
  } finally {
    unattach();
    await desk?.close();
    await app.close();
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

async function openDesk(app: CommandApp, { port }: BenchOptions, output: CommandOutput): Promise<OpenDesk> {
  const desk = await app.openDesk(port);
  output.line({ type: 'ready', ...desk.ready });
  output.say(`Questions come to the desk ${desk.place}`);
  return desk;
}

async function runBench(
  app: CommandApp,
  plan: BenchPlan,
  { concurrency }: BenchOptions,
  output: CommandOutput,
): Promise<void> {
  const running = await app.benches.run(plan, {
    concurrency,
    onEnded: (one, progress) => tellEnded(one, progress, output),
  });
  const { finished, planned } = running.progress;
  output.line({ type: 'bench', name: plan.name, planned, finished });
  output.say(
    `Bench ${plan.name}: ${countText(planned, 'episode')}, ${countText(plan.tasks.length, 'task')} in ${plan.arms.map(({ arm }) => arm).join(', ')}` +
      (finished === 0 ? '' : `; ${String(finished)} are over already`),
  );
  const stop = (): void => {
    output.say('Stopping: every episode that is running ends with a complete log.');
    running.stop();
  };
  const untell = [onStop(stop, output.gone), tellStarts(app, output)];
  try {
    await running.ended;
  } finally {
    for (const undo of untell) undo();
  }
}

function tellEnded(one: Observed, { eta_s: eta, ...progress }: BenchProgress, output: CommandOutput): void {
  const { arm, scenario, task_idx, seed, exclusion, isComplete } = one;
  const came = exclusion ?? (isComplete ? 'complete' : 'not complete');
  output.line({ type: 'progress', arm, scenario, task_idx, seed, came, ...progress, eta_s: eta });
  const { waiting } = progress;
  const left =
    waiting > 0
      ? `, ${String(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for people`
      : eta === null || eta === 0
        ? ''
        : `, about ${durationText(eta)} left`;
  output.say(
    `[${String(progress.finished)} of ${String(progress.planned)}${left}] ${scenario} ${String(task_idx)}, ${arm}, seed ${String(seed)}: ${came}`,
  );
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
