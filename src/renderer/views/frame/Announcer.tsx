// The polite live region: what newly waits and how episodes ended, gathered so that many at once are one sentence.
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import type { EpisodeRow } from '../../../shared/contract/rows.ts';
import { textHead, type Text } from '../../../shared/events/text.ts';
import { useNewlyWaiting } from '../../parts/desk/useNewlyWaiting.ts';
import { cutText, taskWords } from '../../parts/episode/taskTitle.ts';
import { useSession, useWaitingCount } from '../../state/hooks.ts';
import { useRole } from '../../state/role.ts';
import type { ConsoleState } from '../../state/store.ts';
import { addNews, kindOfHold, NO_NEWS, outcomeHeard, sentenceOf, type News } from './announce.ts';

/** What comes within this time is told together. */
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
