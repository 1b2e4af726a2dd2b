// The icon in the system's tray: Interject runs, what waits, the window, the way out.
import { Menu, nativeImage, Tray } from 'electron';
import { join } from 'node:path';
import { productFolder } from '../hosts/paths.ts';
import type { Waiting } from './announce.ts';
import { trayMenu, waitingWords, type TrayActs } from './trayMenu.ts';

type TrayIcon = { show: (count: number, waiting: readonly Waiting[]) => void; close: () => void };

/** A desktop without a tray shows none: the window comes back when Interject is started again. */
export function openTray(acts: TrayActs): TrayIcon {
  let tray: Tray;
  try {
    tray = new Tray(nativeImage.createFromPath(join(productFolder(), 'resources', 'icons', 'tray.png')));
  } catch {
    return { show: () => undefined, close: () => undefined };
  }
  let first: string | null = null;
  const show = (count: number, waiting: readonly Waiting[]): void => {
    first = waiting[0]?.key ?? null;
    tray.setToolTip(`Interject: ${waitingWords(count)}`);
    if (process.platform === 'darwin') tray.setTitle(count === 0 ? '' : String(count));
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu({ count, waiting }, acts)));
  };
  tray.on('click', () => acts.open(first));
  show(0, []);
  return { show, close: () => tray.destroy() };
}
