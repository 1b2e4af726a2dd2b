// A page that has ended or hangs: what a person is offered. Episodes run in main and go on meanwhile.
import { dialog, type BrowserWindow } from 'electron';

/** Why Chromium ends a page of ours itself; a reload of ours is not among them. */
const EXPECTED = new Set(['clean-exit']);

/**
 * Offers to load the page again when it has ended, and while it does not answer. Unsent words are kept: the console saves
 * them as they are written.
 */
export function watchPage(window: BrowserWindow, { quit }: { quit: () => void }): void {
  const contents = window.webContents;
  contents.on('render-process-gone', (_event, { reason }) => {
    if (!EXPECTED.has(reason)) void offerReload(window, reason, quit);
  });
  let waiting: AbortController | null = null;
  window.on('unresponsive', () => {
    if (waiting !== null) return;
    waiting = new AbortController();
    void offerPatience(window, waiting.signal).finally(() => (waiting = null));
  });
  window.on('responsive', () => waiting?.abort());
}

async function offerReload(window: BrowserWindow, reason: string, quit: () => void): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message: 'The window’s page ended unexpectedly',
    detail: `Chromium says: ${reason}. Episodes go on, and words you have not sent are kept. Reload shows everything again.`,
    buttons: ['Reload', 'Quit'],
    defaultId: 0,
    cancelId: 0,
  });
  if (window.isDestroyed()) return;
  if (response === 1) quit();
  else window.webContents.reload();
}

async function offerPatience(window: BrowserWindow, signal: AbortSignal): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    message: 'The window does not answer',
    detail: 'Episodes go on. Reload shows everything again; words you have not sent are kept.',
    buttons: ['Wait', 'Reload'],
    defaultId: 0,
    cancelId: 0,
    signal,
  });
  if (signal.aborted || window.isDestroyed() || response !== 1) return;
  // A page that hangs does not let itself be reloaded: its process is ended first.
  window.webContents.forcefullyCrashRenderer();
  window.webContents.reload();
}
