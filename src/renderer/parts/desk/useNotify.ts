// Telling a person who looks elsewhere that something new waits: a notification, a tone. Both are off at first.
import { useEffect, useRef } from 'react';
import { withoutInvisible } from '../../../shared/invisible.ts';
import { textHead, type Text } from '../../../shared/events/text.ts';
import { useConsole, useDesk } from '../../state/hooks.ts';
import { cutText, taskWords } from '../episode/taskTitle.ts';
import { playTone } from './tone.ts';

export type Permission = 'granted' | 'denied' | 'default' | 'unsupported';

/** Whether the browser lets this page notify. */
export const permission = (): Permission =>
  'Notification' in window ? Notification.permission : 'unsupported';

/** Asks the person, where the browser has not asked before. */
export const askPermission = async (): Promise<Permission> =>
  'Notification' in window ? Notification.requestPermission() : 'unsupported';

export function useNotify(): void {
  const { items, holds, isLoaded } = useDesk();
  const { notifies, sounds } = useConsole(({ ui }) => ui.prefs);
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (!isLoaded) return;
    const waiting = new Map([
      ...items.map((item) => [item.consultation, withTask(item, askedText(item))] as const),
      ...holds.map((hold) => [hold.key, withTask(hold, hold.why)] as const),
    ]);
    const fresh = [...waiting].filter(([key]) => known.current !== null && !known.current.has(key));
    known.current = new Set(waiting.keys());
    const [first] = fresh;
    if (first === undefined) return;
    if (sounds) playTone();
    if (!notifies || document.hasFocus() || permission() !== 'granted') return;
    const title =
      fresh.length === 1
        ? 'An agent is waiting for you'
        : `${String(fresh.length)} agents are waiting for you`;
    const notification = new Notification(title, { body: first[1], tag: 'interject-waiting' });
    notification.addEventListener('click', () => {
      window.focus();
      window.location.hash = '#/desk';
    });
  }, [items, holds, isLoaded, notifies, sounds]);
}

/** What waits, under the words of its task. */
const withTask = ({ task }: { task: Text | null }, text: string): string =>
  task === null
    ? text
    : `${cutText(withoutInvisible(taskWords({ task: textHead(task), scenario: null, task_idx: null }, '')), 80)}\n${text}`;

const askedText = ({ question, asked_task: task }: ReturnType<typeof useDesk>['items'][number]): string =>
  question === null ? (task ?? 'Question without text') : textHead(question).slice(0, 200);
