// Announces outside the window what waits: the badge counts it, and what comes while nobody looks is announced once.
import { waitingCount } from '../../shared/waiting.ts';
import type { App } from '../app/types.ts';

/** One thing that waits, as it is told outside the window. */
export type Waiting = { key: string; title: string; body: string };

type AnnounceEdges = {
  /** Told how much waits and what, oldest first, each time that changes. */
  counted: (count: number, waiting: readonly Waiting[]) => void;
  isLooking: () => boolean;
  /** Has the system announce something; `clicked` is called when a person clicks it. */
  notify: (title: string, body: string, clicked: () => void) => void;
  /** Brings the window forward on the desk, with this question or call in front. */
  open: (key: string) => void;
};

export function announceQuestions(
  app: Pick<App, 'subscribe'>,
  { counted, isLooking, notify, open }: AnnounceEdges,
): () => void {
  let known = new Set<string>();
  return app.subscribe({ topic: 'desk' }, (push) => {
    if (push.topic !== 'desk') return;
    const waiting: Waiting[] = [
      ...push.items.map((item) => ({
        key: item.consultation,
        title: 'An agent asks for advice',
        body: taskWords(item),
      })),
      ...push.holds.map((hold) => ({
        key: hold.key,
        title: 'An agent waits for a decision',
        body: taskWords(hold),
      })),
    ];
    counted(waitingCount(push), waiting);
    const fresh = waiting.find(({ key }) => !known.has(key));
    known = new Set(waiting.map(({ key }) => key));
    if (fresh === undefined || isLooking()) return;
    notify(fresh.title, fresh.body, () => open(fresh.key));
  });
}

const taskWords = ({
  scenario,
  task_idx: task,
}: {
  scenario: string | null;
  task_idx: number | null;
}): string => `${scenario ?? 'episode'}, task ${String(task ?? '')}`;
