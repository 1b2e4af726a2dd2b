// Output of `interject run` on an episode that is over.
import type { EpisodeRow } from '../../shared/episode/rowShapes.ts';
import type { EpisodeRecord, Consultation } from '../../shared/episode/record.ts';
import { countText } from '../../shared/countText.ts';
import { limitText } from '../../shared/episode/phase.ts';
import { episodeRow } from '../../shared/episode/rows.ts';
import { spendingOf, spendingText } from '../../shared/episode/spending.ts';
import { uptakeTotals } from '../../shared/episode/uptake.ts';
import { outcomeTextOf } from '../../shared/taskOutcome.ts';
import type { CommandOutput } from './output.ts';

/** The scenario and the task's number, as far as there are any; else the environment's name. */
export const taskTitle = ({ scenario, task_idx, environment }: EpisodeRow): string =>
  `${scenario ?? environment}${task_idx === null ? '' : ` task ${String(task_idx)}`}`;

/** The limit that ended it, with its source: ` (budget: 2,000 tokens per episode, set in Setup)`. */
function limitWords(record: EpisodeRecord): string {
  const { outcome, reason = null, limit } = record.ended ?? {};
  if (outcome !== 'limit' || reason === null) return '';
  if (limit === undefined) return ` (${reason})`;
  const currency = spendingOf(record)?.currency;
  return ` (${reason}: ${limitText(limit, { currency, flag: '--turns' })})`;
}

export function reportEpisode(record: EpisodeRecord, output: CommandOutput, progress: string): void {
  const row = episodeRow(record);
  const { ended, counts } = record;
  if (row === null) {
    output.line({ type: 'not_started', episode: record.id, reason: 'budget' });
    output.say(`[${progress}] not started: the run’s budget is spent`);
    return;
  }
  const spent = spendingOf(record);
  output.line({
    type: 'episode',
    episode: record.id,
    scenario: row?.scenario ?? null,
    task_idx: row?.task_idx ?? null,
    condition: row?.condition ?? null,
    reward_type: ended?.reward_type ?? null,
    reward: ended?.reward ?? null,
    turns: counts.turns,
    consultations: counts.consultations,
    outcome: ended?.outcome ?? 'interrupted',
    error: ended?.failure?.message ?? null,
    human_acts: counts.humanActs,
    refused: counts.refused,
    format_errors: counts.formatErrors,
    tool_errors: counts.toolErrors,
    uptake: uptakeTotals(record),
    ...(spent === null ? {} : { spent }),
    ...(ended?.limit === undefined ? {} : { limit: ended.limit }),
  });
  const verdict =
    ended?.failure?.message ??
    `${outcomeTextOf(ended?.reward_type ?? null)} (reward ${String(ended?.reward ?? '–')})`;
  const next = ended?.failure?.next ?? null;
  const why = limitWords(record);
  output.say(
    `[${progress}] ${taskTitle(row)}: ${ended?.outcome ?? ''}${why}, ${verdict}, ` +
      `${countText(counts.turns, 'turn')}, ${countText(counts.consultations, 'ask')}${spent === null ? '' : `, ${spendingText(spent)}`}${next === null ? '' : `\n  ${next}`}`,
  );
}

export type RunProgress = {
  /** One more episode is over; gives its place, such as `3 of 40, about 5 min left`. */
  ended(outcome: string, isComplete: boolean): string;
};

/** `skipped` episodes were over before this command began. */
export function createProgress(
  { total, skipped }: { total: number; skipped: number },
  clock: () => number,
  output: CommandOutput,
): RunProgress {
  const startedAt = clock();
  const outcomes: Record<string, number> = {};
  let [finished, complete] = [0, 0];
  return {
    ended: (outcome, isComplete) => {
      finished += 1;
      if (isComplete) complete += 1;
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      const left = total - finished;
      const etaS = Math.round((((clock() - startedAt) / finished) * left) / 1000);
      output.line({ type: 'progress', finished, total, skipped, complete, outcomes, eta_s: etaS });
      return `${String(finished)} of ${String(total)}${left === 0 ? '' : `, about ${durationText(etaS)} left`}`;
    },
  };
}

export const durationText = (seconds: number): string =>
  seconds < 90
    ? `${String(seconds)} s`
    : seconds < 5400
      ? `${String(Math.round(seconds / 60))} min`
      : `${String(Math.round(seconds / 360) / 10)} h`;

type AdviceTally = {
  /** Keeps counts alone: a run may have ten thousand episodes. */
  add(record: EpisodeRecord): void;
  /** Nothing where every question got advice. */
  tell(output: CommandOutput): void;
};

export function createAdviceTally(): AdviceTally {
  const causes = new Map<string, number>();
  let asked = 0;
  return {
    add: ({ consultations }) => {
      for (const one of consultations) {
        if (one.trigger === 'brief') continue;
        asked += 1;
        const cause = causeOfNone(one);
        if (cause !== null) causes.set(cause, (causes.get(cause) ?? 0) + 1);
      }
    },
    tell: (output) => {
      if (causes.size === 0) return;
      const none = [...causes.values()].reduce((sum, count) => sum + count, 0);
      output.say(`${String(none)} of ${countText(asked, 'question')} got no advice:`);
      for (const [cause, count] of causes) output.say(`  ${String(count)}: ${cause}`);
    },
  };
}

/** The reason for no advice; null if the agent got some, or a person declined to give any. */
function causeOfNone({ delivered, draftFailure, routed }: Consultation): string | null {
  if (delivered !== null && delivered.as !== 'nobody' && delivered.as !== 'timed_out') return null;
  if (draftFailure !== null) return `${routed?.drafter ?? 'the expert'} failed: ${draftFailure.message}`;
  if (delivered === null) return 'the episode ended first';
  return delivered.as === 'timed_out' ? 'nobody answered in time' : 'nobody was there to answer';
}
