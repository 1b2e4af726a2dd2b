// What `interject run` says of an episode that is over.
import type { EpisodeRow } from '../../shared/contract/rows.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
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

/** Which limit ended it, and who set it: ` (budget: 2,000 tokens per episode, set in Settings)`. */
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
