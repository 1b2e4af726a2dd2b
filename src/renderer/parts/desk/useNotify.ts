// Telling a person who looks elsewhere that something new waits: a notification, a tone. Both are off at first.
import { useEffect, useEffectEvent, useRef } from 'react';
import { deskHash } from '../../../shared/deskAddress.ts';
import { withoutInvisible } from '../../../shared/invisible.ts';
import { type Text, textHead } from '../../../shared/events/text.ts';
import type { DeskItem, HoldItem } from '../../../shared/episode/rowShapes.ts';
import { useConsole, useDesk } from '../../state/hooks.ts';
import { cutText, taskWords } from '../episode/taskTitle.ts';

export type Permission = 'granted' | 'denied' | 'default' | 'unsupported';

/** The browser's permission for this page to notify. */
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

/** The text below the words of its task. */
const withTask = ({ task }: { task: Text | null }, text: string): string =>
  task === null
    ? text
    : `${cutText(withoutInvisible(taskWords({ task: textHead(task), scenario: null, task_idx: null }, '')), 80)}\n${text}`;

const askedText = ({ question, asked_task: task }: DeskItem): string =>
  question === null ? (task ?? 'Question without text') : textHead(question).slice(0, 200);

const LENGTH_S = 0.18;

/** Two soft notes. A browser that has no sound, or none yet without a press, stays silent. */
export function playTone(): void {
  if (!('AudioContext' in window)) return;
  const context = new AudioContext();
  const volume = context.createGain();
  volume.connect(context.destination);
  volume.gain.setValueAtTime(0.0001, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.08, context.currentTime + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + 2 * LENGTH_S);
  [660, 880].forEach((frequency, index) => {
    const note = context.createOscillator();
    note.frequency.value = frequency;
    note.connect(volume);
    note.start(context.currentTime + index * LENGTH_S);
    note.stop(context.currentTime + (index + 1) * LENGTH_S);
    if (index === 1) note.addEventListener('ended', () => void context.close());
  });
}

type NewlyWaiting = { items: DeskItem[]; holds: HoldItem[] };

/** Tells once of each question and hold that comes while the page is open; several that come together, together. */
export function useNewlyWaiting(tell: (news: NewlyWaiting) => void): void {
  const { items, holds, isLoaded } = useDesk();
  const known = useRef<ReadonlySet<string> | null>(null);
  const say = useEffectEvent(tell);
  useEffect(() => {
    if (!isLoaded) return;
    const before = known.current;
    known.current = new Set([...items.map((item) => item.consultation), ...holds.map(({ key }) => key)]);
    if (before === null) return;
    const news = {
      items: items.filter(({ consultation }) => !before.has(consultation)),
      holds: holds.filter(({ key }) => !before.has(key)),
    };
    if (news.items.length + news.holds.length > 0) say(news);
  }, [items, holds, isLoaded]);
}
