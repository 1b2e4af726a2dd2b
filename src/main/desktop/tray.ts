// The icon in the system's tray: Interject runs, how much waits, the window, the way out.
import { Menu, nativeImage, Tray } from 'electron';
import { join } from 'node:path';
import { productFolder } from '../hosts/paths.ts';

type TrayIcon = { count: (waiting: number) => void; close: () => void };

const waitingWords = (count: number): string =>
  count === 0 ? 'No one waits' : count === 1 ? '1 question waits' : `${String(count)} questions wait`;

/** A desktop without a tray shows none: the window comes back when Interject is started again. */
export function openTray({ open, quit }: { open: () => void; quit: () => void }): TrayIcon {
  let tray: Tray;
  try {
    tray = new Tray(nativeImage.createFromPath(join(productFolder(), 'resources', 'icons', 'tray.png')));
  } catch {
    return { count: () => undefined, close: () => undefined };
  }
  const count = (waiting: number): void => {
    tray.setToolTip(`Interject: ${waitingWords(waiting)}`);
    if (process.platform === 'darwin') tray.setTitle(waiting === 0 ? '' : String(waiting));
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: waitingWords(waiting), enabled: false },
        { label: 'Open Interject', click: open },
        { type: 'separator' },
        { label: 'Quit', click: quit },
      ]),
    );
  };
  tray.on('click', open);
  count(0);
  return { count, close: () => tray.destroy() };
}
