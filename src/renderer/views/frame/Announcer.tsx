// The polite live region: what newly waits and how episodes ended, gathered so that many at once are one sentence.
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { EpisodeRow, HoldItem } from '../../../shared/episode/rowShapes.ts';
import { type Text, textHead } from '../../../shared/events/text.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { useNewlyWaiting } from '../../parts/desk/useNotify.ts';
import { cutText, taskWords } from '../../parts/episode/taskTitle.ts';
import { useSession, useWaitingCount } from '../../state/hooks.ts';
import { useRole } from '../../state/role.ts';
import type { ConsoleState } from '../../state/store.ts';
import { rowOutcome, seatOutcome } from '../../parts/episode/episodeRowText.ts';

/** News within this time is told together. */
const GATHER_MS = 1500;
const TASK_LETTERS_MAX = 80;

export function Announcer(): ReactNode {
  const [gathered, setGathered] = useState(NO_NEWS);
  const [sentence, setSentence] = useState('');
  const total = useWaitingCount();
  const newest = useRef(total);
  useEffect(() => {
    newest.current = total;
  });
  const add = (news: News): void => setGathered((old) => addNews(old, news));
  useNewlyWaiting(({ items, holds }) =>
    add({
      waiting: [
        ...items.map((item) => ({ kind: 'question' as const, task: nameOf(item) })),
        ...holds.map((hold) => ({
          kind: kindOfHold(hold),
          task: nameOf(hold),
        })),
      ],
      ended: [],
    }),
  );
  useEndedNews((ended) => add({ waiting: [], ended }));
  useEffect(() => {
    if (gathered === NO_NEWS) return undefined;
    const timer = setTimeout(() => {
      setSentence(sentenceOf(gathered, newest.current));
      setGathered(NO_NEWS);
    }, GATHER_MS);
    return () => clearTimeout(timer);
  }, [gathered]);
  return (
    <p className="quiet-label" aria-live="polite" data-news="">
      {sentence}
    </p>
  );
}

type Named = { task: Text | null; scenario: string | null; task_idx: number | null };

const nameOf = ({ task, scenario, task_idx }: Named): string =>
  cutText(
    taskWords({ task: task === null ? null : textHead(task), scenario, task_idx }, 'an episode'),
    TASK_LETTERS_MAX,
  );

type Rows = ConsoleState['record']['rows'];

/** Tells how episodes ended that this page saw running. Rows change with every event: nothing is drawn for that. */
function useEndedNews(tell: (news: News['ended']) => void): void {
  const { store } = useSession();
  const isExpert = useRole() === 'expert';
  const say = useEffectEvent(tell);
  useEffect(() => {
    let running: ReadonlySet<string> = new Set();
    const look = (rows: Rows): void => {
      const ended: EpisodeRow[] = [];
      const still = new Set<string>();
      for (const row of rows.values()) {
        if (row.status !== 'ended') still.add(row.id);
        else if (running.has(row.id)) ended.push(row);
      }
      running = still;
      if (ended.length === 0) return;
      say(
        ended.map((row) => {
          const opened = store.getState().record.episodes[row.id]?.record ?? null;
          return { outcome: outcomeHeard(row, { isExpert, opened }), task: nameOf(row) };
        }),
      );
    };
    look(store.getState().record.rows);
    return store.subscribe(({ record: { rows } }, { record: before }) => {
      if (rows !== before.rows) look(rows);
    });
  }, [store, isExpert]);
}

type WaitingKind = 'question' | 'held call' | 'doubt' | 'stop';

/** News since the last sentence. */
export type News = {
  /** What newly waits, by the words of its task. */
  waiting: readonly { kind: WaitingKind; task: string }[];
  /** How each episode ended, in words: "Complete". */
  ended: readonly { outcome: string; task: string }[];
};

export const NO_NEWS: News = { waiting: [], ended: [] };

/** News for a screen reader when something new waits or an episode ends: one sentence for all that came at once. */
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
const kindOfHold = ({ type }: Pick<HoldItem, 'type'>): WaitingKind => KINDS_OF_HOLD[type];

/** Of which no more is known here than that it is over. */
const ENDED = 'Ended';

/** The end of an episode, in a word. An expert's list has no verdicts: of it, only what was opened is known. */
export function outcomeHeard(
  row: EpisodeRow,
  seat: { isExpert: boolean; opened: EpisodeRecord | null },
): string {
  const outcome = seat.isExpert ? seatOutcome(row, seat.opened) : rowOutcome(row);
  return outcome === null || outcome === 'hidden' ? ENDED : outcome.word;
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
  for (const { outcome } of ended) if (outcome !== ENDED) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const parts = [...counts].map(([outcome, count]) => `${String(count)} ${outcome.toLowerCase()}`);
  const all = `${String(ended.length)} episodes ended`;
  return parts.length === 0 ? `${all}.` : `${all}: ${parts.join(', ')}.`;
}
