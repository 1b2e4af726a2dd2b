// What a screen reader hears when something new waits or an episode ends: one sentence for all that came at once. Pure.
import type { EpisodeRow, HoldItem } from '../../../shared/contract/rows.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { rowOutcome, seatOutcome } from '../../parts/episode/episodeRowText.ts';

type WaitingKind = 'question' | 'held call' | 'doubt' | 'stop';

/** What there is to tell, since the last sentence. */
export type News = {
  /** What newly waits, by the words of its task. */
  waiting: readonly { kind: WaitingKind; task: string }[];
  /** How each episode ended, in words: "Complete". */
  ended: readonly { outcome: string; task: string }[];
};

export const NO_NEWS: News = { waiting: [], ended: [] };

export const addNews = (old: News, { waiting, ended }: News): News => ({
  waiting: [...old.waiting, ...waiting],
  ended: [...old.ended, ...ended],
});

const KIND_LABELS: Readonly<Record<WaitingKind, string>> = {
  question: 'New question from',
  'held call': 'New held call from',
  doubt: 'New call in doubt from',
  stop: 'Paused:',
};

const KINDS_OF_HOLD: Readonly<Record<HoldItem['type'], WaitingKind>> = {
  call: 'held call',
  doubt: 'doubt',
  pause: 'stop',
};
export const kindOfHold = ({ type }: Pick<HoldItem, 'type'>): WaitingKind => KINDS_OF_HOLD[type];

/** How an episode ended, in a word. An expert's list has no verdicts: of it, only what was opened is known. */
export function outcomeHeard(
  row: EpisodeRow,
  seat: { isExpert: boolean; opened: EpisodeRecord | null },
): string {
  const outcome = seat.isExpert ? seatOutcome(row, seat.opened) : rowOutcome(row);
  return outcome === null || outcome === 'hidden' ? 'Ended' : outcome.word;
}

/** One polite sentence or two; empty where there is nothing to tell. `total` is how many wait now. */
export function sentenceOf({ waiting, ended }: News, total: number): string {
  return [waitingSentence(waiting, total), endedSentence(ended)].filter((one) => one !== '').join(' ');
}

function waitingSentence(waiting: News['waiting'], total: number): string {
  const [first, ...others] = waiting;
  if (first === undefined) return '';
  if (others.length === 0) return `${KIND_LABELS[first.kind]} ${first.task}, ${String(total)} waiting.`;
  return `${String(waiting.length)} new cards on the desk, ${String(total)} waiting.`;
}

function endedSentence(ended: News['ended']): string {
  const [first, ...others] = ended;
  if (first === undefined) return '';
  if (others.length === 0) return `${first.outcome}: ${first.task}.`;
  const counts = new Map<string, number>();
  for (const { outcome } of ended) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const parts = [...counts].map(([outcome, count]) => `${String(count)} ${outcome.toLowerCase()}`);
  return `${String(ended.length)} episodes ended: ${parts.join(', ')}.`;
}
