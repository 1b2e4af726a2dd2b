// Connects the one shutdown to a real Electron.
import { app as electron, dialog, session, type BrowserWindow } from 'electron';
import { failureShape } from '../../shared/failure.ts';
import type { App } from '../app/types.ts';
import { closeAnswer, type CloseQuestion } from '../hosts/closing.ts';
import type { Serving } from '../hosts/serve.ts';
import type { Keychain } from './keychain.ts';
import type { CommandDoor } from '../hosts/commandDoor.ts';
import { closeProduct } from './product.ts';
import { createShutdown, type Shutdown } from './shutdown.ts';
import type { Updater } from './updater.ts';
import { keepPlace, showAt } from './window.ts';

export type Parts = { app: App; serving: Serving | null; keychain: Keychain | null; door: CommandDoor };

/** The parts of the app so far: it may be asked to end while it starts. */
export type Running = { parts: Parts | null; window: BrowserWindow | null; updater: Updater | null };

type ShutdownParts = {
  running: Running;
  /** Settles once the product is there or could not be opened. */
  opening: Promise<Parts>;
  /** Remembers the window's place. */
  file: string;
  say: (text: string) => void;
};

export function openShutdown({ running, opening, file, say }: ShutdownParts): Shutdown {
  return createShutdown({
    running: () => ({
      tapped: running.parts?.app.gateway.tapped() ?? 0,
      running: running.parts?.app.supervisor.running() ?? 0,
    }),
    ask: async (question) => {
      const chosen = await askInWindow(running.window, question);
      if (closeAnswer(question, chosen) !== 'close') running.updater?.stay();
      return chosen;
    },
    hide: () => running.window?.hide(),
    close: async () => {
      if (running.window !== null) keepPlace(running.window, file);
      // Chromium writes what the page remembers some seconds later, and an app that exits waits for none of it.
      session.defaultSession.flushStorageData();
      const { app, serving, keychain, door } = await opening;
      try {
        await closeProduct(app, { door, serving });
      } finally {
        await keychain?.saved();
      }
    },
    failed: (thrown) => say(`Closing was not complete: ${failureShape(thrown).message}`),
    exit: () => {
      const isRestarting = running.updater?.restartNow((thrown) => void tellNotUpdated(thrown, say)) === true;
      if (!isRestarting) electron.exit(0);
    },
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
}

/** The product is closed, so there is nothing to go back to. */
async function tellNotUpdated(thrown: unknown, say: (text: string) => void): Promise<void> {
  const { message, next } = failureShape(thrown);
  say(message);
  await dialog.showMessageBox({
    type: 'error',
    message: 'The update failed.',
    detail: [message, next].filter(Boolean).join('\n\n'),
    buttons: ['Quit'],
  });
  electron.exit(1);
}

async function askInWindow(window: BrowserWindow | null, question: CloseQuestion): Promise<number> {
  const { keepId, ...shown } = question;
  const options = {
    type: 'question' as const,
    ...shown,
    defaultId: keepId,
    cancelId: shown.buttons.length - 1,
  };
  if (window === null || window.isDestroyed()) return (await dialog.showMessageBox(options)).response;
  showAt(window, null);
  return (await dialog.showMessageBox(window, options)).response;
}
