// What waits, told outside the window: the badge counts it, and what comes while nobody looks is announced once.
import { app as electron, Notification, type BrowserWindow } from 'electron';
import { waitingCount } from '../../shared/waiting.ts';
import type { App } from '../app/types.ts';
import { ORIGIN } from './addresses.ts';
import { showAt } from './window.ts';

type Waiting = { key: string; episode: string; title: string; body: string };

/** Tells `counted` how much waits, each time that changes. Returns its undo. */
export function announceQuestions(
  app: Pick<App, 'subscribe'>,
  window: BrowserWindow,
  counted: (count: number) => void,
): () => void {
  let known = new Set<string>();
  return app.subscribe({ topic: 'desk' }, (push) => {
    if (push.topic !== 'desk') return;
    const count = waitingCount(push);
    electron.setBadgeCount(count);
    counted(count);
    const about = ({
      scenario,
      task_idx: task,
    }: {
      scenario: string | null;
      task_idx: number | null;
    }): string => `${scenario ?? 'episode'}, task ${String(task ?? '')}`;
    const waiting: Waiting[] = [
      ...push.items.map((item) => ({
        key: item.consultation,
        episode: item.episode,
        title: 'An agent asks for advice',
        body: about(item),
      })),
      ...push.holds.map((hold) => ({
        key: hold.key,
        episode: hold.episode,
        title: 'An agent waits for a decision',
        body: about(hold),
      })),
    ];
    const fresh = waiting.find(({ key }) => !known.has(key));
    known = new Set(waiting.map(({ key }) => key));
    if (fresh === undefined || window.isDestroyed() || window.isFocused() || !Notification.isSupported())
      return;
    const notification = new Notification({ title: fresh.title, body: fresh.body });
    notification.on('click', () => showQuestion(window, fresh));
    notification.show();
  });
}

/** Brings the window forward on the episode whose agent asked. */
function showQuestion(window: BrowserWindow, { episode }: Waiting): void {
  if (window.isDestroyed()) return;
  void window.loadURL(`${ORIGIN}/index.html#/live/${encodeURIComponent(episode)}`);
  showAt(window, null);
}
