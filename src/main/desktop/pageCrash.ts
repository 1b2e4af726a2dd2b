// A page that has ended or hangs: what a person is offered. Episodes run in main and go on meanwhile.
import type { BrowserWindow, MessageBoxOptions } from 'electron';

/** Chromium's own reasons to end our page; a reload of ours is not among them. */
const EXPECTED = new Set(['clean-exit']);

type PageEdges = {
  quit: () => void;
  /** Shows a dialog on the window and resolves with the chosen button's place. */
  ask: (options: MessageBoxOptions) => Promise<number>;
};

/**
 * Offers to load the page again when it has ended, and while it does not answer. Unsent words are kept: the console saves
 * them as they are written.
 */
export function watchPage(window: BrowserWindow, { quit, ask }: PageEdges): void {
  const contents = window.webContents;
  let waiting: AbortController | null = null;
  let isEndedByUs = false;
  const offerReload = async (reason: string): Promise<void> => {
    const chosen = await ask(endedQuestion(reason));
    if (window.isDestroyed()) return;
    if (chosen === 1) quit();
    else contents.reload();
  };
  const offerPatience = async (signal: AbortSignal): Promise<void> => {
    const chosen = await ask({ ...HANGS, signal });
    if (signal.aborted || window.isDestroyed() || chosen !== 1) return;
    // A page that hangs does not let itself be reloaded: its process is ended first.
    isEndedByUs = true;
    contents.forcefullyCrashRenderer();
  };
  contents.on('render-process-gone', (_event, { reason }) => {
    const wasOurs = isEndedByUs;
    isEndedByUs = false;
    // Not within Electron's own word of it: a load that begins there may still go to the process that ends.
    if (wasOurs) return void setImmediate(() => window.isDestroyed() || contents.reload());
    if (EXPECTED.has(reason)) return;
    // One question is enough: the page that hung is gone.
    waiting?.abort();
    void offerReload(reason);
  });
  window.on('unresponsive', () => {
    if (waiting !== null) return;
    waiting = new AbortController();
    void offerPatience(waiting.signal).finally(() => (waiting = null));
  });
  window.on('responsive', () => waiting?.abort());
}

const endedQuestion = (reason: string): MessageBoxOptions => ({
  type: 'error',
  message: 'The window’s page ended unexpectedly',
  detail: `Chromium says: ${reason}. Episodes go on, and words you have not sent are kept. Reload shows everything again.`,
  buttons: ['Reload', 'Quit'],
  defaultId: 0,
  cancelId: 0,
});

const HANGS: MessageBoxOptions = {
  type: 'warning',
  message: 'The window does not answer',
  detail: 'Episodes go on. Reload shows everything again; words you have not sent are kept.',
  buttons: ['Wait', 'Reload'],
  defaultId: 0,
  cancelId: 0,
};
