// `interject lift`: what answers were worth, measured by going on from them with and without.
import { countText } from '../../shared/countText.ts';
import { liftSentence } from '../../shared/lift/intervention.ts';
import { cellsOfLift, type LiftPlan } from '../../shared/lift/plan.ts';
import type { Continuation } from '../../shared/lift/summarize.ts';
import type { LiftSummary } from '../../shared/lift/summary.ts';
import { openCommandApp, type CommandApp } from './commandApp.ts';
import { checkFolderExists } from './commandLog.ts';
import type { LiftProgress } from '../commands/lifts.ts';
import { liftReport } from '../report/liftReport.ts';
import { liftModels, liftRequestOf, type LiftOptions } from './liftFlags.ts';
import type { CommandOutput } from './output.ts';
import { dataFolderPath } from './paths.ts';
import { writeReport } from './reportCommand.ts';
import { checkHoldsNoOther, reportFolder } from './resultFolder.ts';
import { durationText } from './runProgress.ts';
import { awmFlags } from './serve.ts';
import { onStop } from './untilStopped.ts';

/** Measures it, or goes on with it. Resolves with the exit code: 0 when every continuation is over. */
export async function liftCommand(options: LiftOptions, output: CommandOutput): Promise<number> {
  const folder = options.out === undefined ? null : reportFolder(options.out);
  checkFolderExists(dataFolderPath(options.data));
  const app = await openCommandApp(
    { ...options, places: options.concurrency, awm: awmFlags(options), roles: liftModels(options) },
    output,
  );
  try {
    const { name, request } = liftRequestOf(app, options);
    if (folder !== null) checkHoldsNoOther(folder, { kind: 'lift', name });
    const plan = app.lifts.plan(name, request);
    await runLift(app, plan, options, output);
    const { summary, progress } = app.lifts.show(plan.name);
    if (summary === null) {
      output.say(
        `${String(progress.finished)} of ${countText(progress.planned, 'continuation')} ${progress.finished === 1 ? 'is' : 'are'} over. The same command goes on with lift ${plan.name}.`,
      );
      return 1;
    }
    tellResult(summary, output);
    if (folder !== null) await writeReport(liftReport(summary), folder, output);
    return 0;
  } finally {
    await app.close();
  }
}

async function runLift(
  app: CommandApp,
  plan: LiftPlan,
  { concurrency }: LiftOptions,
  output: CommandOutput,
): Promise<void> {
  const planned = cellsOfLift(plan).length;
  output.line({
    type: 'lift',
    name: plan.name,
    planned,
    interventions: plan.points.length,
    eligible: plan.eligible,
    not_eligible: plan.not_eligible,
  });
  output.say(
    `Lift ${plan.name}: ${String(plan.points.length)} of ${countText(plan.eligible, 'eligible intervention')}, ${countText(planned, 'continuation')}`,
  );
  const running = await app.lifts.run(plan, {
    concurrency,
    onEnded: (one, progress) => tellEnded(one, progress, output),
  });
  const stop = (): void => {
    output.say('Stopping: every continuation that is running ends with a complete log.');
    running.stop();
  };
  const leave = onStop(stop, output.gone);
  try {
    await running.ended;
  } finally {
    leave();
  }
}

/** How it came out is told only at the end. */
function tellEnded(
  { consultation, arm, number, exclusion }: Continuation,
  { eta_s: eta, ...progress }: LiftProgress,
  output: CommandOutput,
): void {
  output.line({ type: 'progress', consultation, arm, number, exclusion, ...progress, eta_s: eta });
  const left = eta === null || eta === 0 ? '' : `, about ${durationText(eta)} left`;
  const came = exclusion === null ? 'over' : exclusion.replaceAll('_', ' ');
  output.say(
    `[${String(progress.finished)} of ${String(progress.planned)}${left}] ${consultation}, ${arm} the advice, ${String(number)}: ${came}`,
  );
}

function tellResult(summary: LiftSummary, output: CommandOutput): void {
  output.line({ type: 'result', ...summary });
  for (const caution of summary.cautions) output.say(`! ${caution}`);
  for (const one of summary.interventions) output.say(`${one.consultation}: ${liftSentence(one)}`);
  output.say(summary.overall.says);
}
