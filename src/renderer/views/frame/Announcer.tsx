// The polite live region: what newly waits and how episodes ended, gathered so that many at once are one sentence.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { textHead, type Text } from '../../../shared/events/text.ts';
import { rowOutcome } from '../../parts/episode/episodeRowText.ts';
import { cutText, taskWords } from '../../parts/episode/taskTitle.ts';
import { useConsole, useDesk, useWaitingCount } from '../../state/hooks.ts';
import type { ConsoleState } from '../../state/store.ts';
import { addNews, NO_NEWS, sentenceOf, type News } from './announce.ts';

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
  useWaitingNews((waiting) => add({ waiting, ended: [] }));
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

/** Tells what waits that did not before; what waits when the page opens is no news. */
function useWaitingNews(tell: (news: News['waiting']) => void): void {
  const { items, holds, isLoaded } = useDesk();
  const known = useRef<ReadonlySet<string> | null>(null);
  const newest = useRef(tell);
  useEffect(() => {
    newest.current = tell;
  });
  useEffect(() => {
    if (!isLoaded) return;
    const before = known.current;
    known.current = new Set([
      ...items.map(({ consultation }) => consultation),
      ...holds.map(({ key }) => key),
    ]);
    if (before === null) return;
    const fresh = [
      ...items
        .filter(({ consultation }) => !before.has(consultation))
        .map((item) => ({ kind: 'question' as const, task: nameOf(item) })),
      ...holds
        .filter(({ key }) => !before.has(key))
        .map((hold) => ({
          kind: hold.call === null ? ('stop' as const) : ('held call' as const),
          task: nameOf(hold),
        })),
    ];
    if (fresh.length > 0) newest.current(fresh);
  }, [items, holds, isLoaded]);
}

type Rows = ConsoleState['record']['rows'];

/** Tells how episodes ended that this page saw running. */
function useEndedNews(tell: (news: News['ended']) => void): void {
  const rows: Rows = useConsole(({ record }) => record.rows);
  const running = useRef<ReadonlySet<string>>(new Set());
  const newest = useRef(tell);
  useEffect(() => {
    newest.current = tell;
  });
  useEffect(() => {
    const all = [...rows.values()];
    const ended = all.filter(({ id, status }) => status === 'ended' && running.current.has(id));
    running.current = new Set(all.filter(({ status }) => status !== 'ended').map(({ id }) => id));
    if (ended.length === 0) return;
    newest.current(
      ended.map((row) => {
        const outcome = rowOutcome(row);
        const isKnown = outcome !== null && outcome !== 'hidden';
        return { outcome: isKnown ? outcome.word : 'Ended', task: nameOf(row) };
      }),
    );
  }, [rows]);
}
