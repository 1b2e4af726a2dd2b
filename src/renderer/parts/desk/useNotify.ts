// Telling a person who looks elsewhere that something new waits: a notification, a tone. Both are off at first.
import { deskHash } from '../../../shared/deskAddress.ts';
import { withoutInvisible } from '../../../shared/invisible.ts';
import { textHead, type Text } from '../../../shared/events/text.ts';
import type { DeskItem } from '../../../shared/contract/rows.ts';
import { useConsole } from '../../state/hooks.ts';
import { cutText, taskWords } from '../episode/taskTitle.ts';
import { playTone } from './tone.ts';
import { useNewlyWaiting } from './useNewlyWaiting.ts';

export type Permission = 'granted' | 'denied' | 'default' | 'unsupported';

/** Whether the browser lets this page notify. */
export const permission = (): Permission =>
  'Notification' in window ? Notification.permission : 'unsupported';

/** Asks the person, where the browser has not asked before. */
export const askPermission = async (): Promise<Permission> =>
  'Notification' in window ? Notification.requestPermission() : 'unsupported';

export function useNotify(): void {
  const { notifies, sounds } = useConsole(({ ui }) => ui.prefs);
  useNewlyWaiting(({ items, holds }) => {
    const fresh = [
      ...items.map((item) => withTask(item, askedText(item))),
      ...holds.map((hold) => withTask(hold, hold.why)),
    ];
    const [first = ''] = fresh;
    const key = items[0]?.consultation ?? holds[0]?.key ?? null;
    if (sounds) playTone();
    if (!notifies || document.hasFocus() || permission() !== 'granted') return;
    const title =
      fresh.length === 1
        ? 'An agent is waiting for you'
        : `${String(fresh.length)} agents are waiting for you`;
    const notification = new Notification(title, { body: first, tag: 'interject-waiting' });
    notification.addEventListener('click', () => {
      window.focus();
      window.location.hash = deskHash(key);
    });
  });
}

/** What waits, under the words of its task. */
const withTask = ({ task }: { task: Text | null }, text: string): string =>
  task === null
    ? text
    : `${cutText(withoutInvisible(taskWords({ task: textHead(task), scenario: null, task_idx: null }, '')), 80)}\n${text}`;

const askedText = ({ question, asked_task: task }: DeskItem): string =>
  question === null ? (task ?? 'Question without text') : textHead(question).slice(0, 200);
