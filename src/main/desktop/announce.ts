// What waits, told outside the window: the badge counts it, and what comes while nobody looks is announced once.
import { waitingCount } from '../../shared/waiting.ts';
import type { App } from '../app/types.ts';

type Waiting = { key: string; episode: string; title: string; body: string };

type AnnounceEdges = {
  /** Told how much waits, each time that changes. */
  counted: (count: number) => void;
  /** A person has the window in front of them. */
  isLooking: () => boolean;
  /** Has the system announce something; `clicked` is called when a person clicks it. */
  notify: (title: string, body: string, clicked: () => void) => void;
  /** Brings the window forward where an episode's agent waits. */
  open: (episode: string) => void;
};

/** Returns its undo. */
export function announceQuestions(
  app: Pick<App, 'subscribe'>,
  { counted, isLooking, notify, open }: AnnounceEdges,
): () => void {
  let known = new Set<string>();
  return app.subscribe({ topic: 'desk' }, (push) => {
    if (push.topic !== 'desk') return;
    counted(waitingCount(push));
    const waiting: Waiting[] = [
      ...push.items.map((item) => ({
        key: item.consultation,
        episode: item.episode,
        title: 'An agent asks for advice',
        body: taskWords(item),
      })),
      ...push.holds.map((hold) => ({
        key: hold.key,
        episode: hold.episode,
        title: 'An agent waits for a decision',
        body: taskWords(hold),
      })),
    ];
    const fresh = waiting.find(({ key }) => !known.has(key));
    known = new Set(waiting.map(({ key }) => key));
    if (fresh === undefined || isLooking()) return;
    notify(fresh.title, fresh.body, () => open(fresh.episode));
  });
}

const taskWords = ({
  scenario,
  task_idx: task,
}: {
  scenario: string | null;
  task_idx: number | null;
}): string => `${scenario ?? 'episode'}, task ${String(task ?? '')}`;
