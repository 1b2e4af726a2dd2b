// The report of a lift. A lift that is not shown is printed as plainly as one that is.
import { liftFigures } from '../../figures/benchFigures.ts';
import { countText } from '../../shared/countText.ts';
import { liftSentence } from '../../shared/lift/liftSentence.ts';
import { LiftExclusion, type InterventionLift } from '../../shared/lift/intervention.ts';
import { DRAW_RULE } from '../../shared/lift/plan.ts';
import type { LiftSummary } from '../../shared/lift/summary.ts';
import { markdownTable, plain, type ReportContent } from './report.ts';

export function liftReport(summary: LiftSummary): ReportContent {
  const { plan, overall, cautions } = summary;
  return {
    title: `Lift ${plan.name}`,
    sections: [
      [`**${plain(overall.says)}**`, ...cautions.map((caution) => `- ${plain(caution)}`)].join('\n\n'),
      interventionSection(summary.interventions),
      exclusionSection(summary),
      methodSection(summary),
    ],
    drawings: liftFigures(summary),
    summary,
  };
}

function interventionSection(interventions: readonly InterventionLift[]): string {
  const rows = interventions.map((one) => [
    plain(`${one.scenario ?? '–'}${one.task_idx === null ? '' : ` #${String(one.task_idx)}`}`),
    plain(one.episode),
    String(one.turn),
    one.advised_by,
    `${String(one.with.complete)} of ${String(one.with.counted)}`,
    `${String(one.without.complete)} of ${String(one.without.counted)}`,
    one.kind,
    plain(liftSentence(one)),
  ]);
  const head = ['Task', 'Episode', 'Turn', 'Advised by', 'With', 'Without', 'Figure', 'What it says'];
  return `## Interventions\n\n${markdownTable(head, rows)}`;
}

function exclusionSection({ excluded }: LiftSummary): string {
  const rows = (['with', 'without'] as const).map((arm) => [
    arm === 'with' ? 'With the advice' : 'Without',
    ...LiftExclusion.options.map((cause) => String(excluded[arm][cause] ?? 0)),
  ]);
  const causes = LiftExclusion.options.map((cause) => cause.replaceAll('_', ' '));
  return `## Left out\n\n${markdownTable(['Arm', ...causes], rows)}`;
}

function methodSection({ plan, planned, agent }: LiftSummary): string {
  const { request, eligible, not_eligible: not, points } = plan;
  const aside = Object.entries(not).map(([cause, count]) => `${cause.replaceAll('_', ' ')} ${String(count)}`);
  const k = String(request.k);
  return [
    '## How it was measured',
    `${String(points.length)} of ${countText(eligible, 'eligible intervention')} (${fromText(request)}). ${DRAW_RULE} Seed ${String(request.seed)}.`,
    `Not eligible: ${aside.length === 0 ? 'none' : plain(aside.join(', '))}.`,
    `From just before each answer ${countText(request.k, 'continuation')} with it, word for word, and ${k} in which the agent read that no expert is there: ${String(planned)} in all, in an order drawn with the seed, with the episode’s own budgets. Later questions went unanswered in both. Who went on: ${agent.models.length === 0 ? 'the rehearsal script' : plain(agent.models.join(', '))}.`,
    'Each lift is a difference of shares with Newcombe’s interval for independent samples; the mean has a sign-flip test task by task, and the interval of what that test would not reject.',
  ].join('\n\n');
}

function fromText({ run, episodes, last }: LiftSummary['plan']['request']): string {
  if (run !== null) return `run ${plain(run)}`;
  if (episodes !== null) return countText(episodes.length, 'named episode');
  return last === null
    ? 'every episode'
    : last === 1
      ? 'the newest episode'
      : `the newest ${String(last)} episodes`;
}
