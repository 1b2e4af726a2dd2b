// The tray's menu: how much waits, the oldest of it by name, the window, the way out.
import type { MenuItemConstructorOptions } from 'electron';
import type { Waiting } from './announce.ts';

export type TrayActs = {
  /** The desk, with this question or call in front where one is named. */
  open: (key: string | null) => void;
  quit: () => void;
};

/** More belongs on the desk than in a menu. */
const NAMED_MAX = 5;

export const waitingWords = (count: number): string =>
  count === 0 ? 'No one waiting' : `${String(count)} waiting`;

export function trayMenu(
  { count, waiting }: { count: number; waiting: readonly Waiting[] },
  { open, quit }: TrayActs,
): MenuItemConstructorOptions[] {
  const named = waiting.slice(0, NAMED_MAX);
  return [
    { label: waitingWords(count), enabled: false },
    ...named.map(({ key, title, body }) => ({
      // In a menu a single & marks the key of an entry.
      label: `${title}: ${body}`.replaceAll('&', '&&'),
      click: () => open(key),
    })),
    { label: 'Open Interject', click: () => open(null) },
    { type: 'separator' },
    { label: 'Quit', click: quit },
  ];
}
