// Every way out that a system has leads to the one shutdown.
import type { App, BrowserWindow, Event, PowerMonitor } from 'electron';
import type { Shutdown } from './shutdown.ts';

type Systems = {
  electron: Pick<App, 'on'>;
  powerMonitor: Pick<PowerMonitor, 'on'>;
  signals: Pick<NodeJS.Process, 'on' | 'off'>;
};

/** Prevented, the system waits until the process exits, which the shutdown sees to. */
const endOfSession =
  (shutdown: Shutdown) =>
  (event: Event): void => {
    event.preventDefault();
    shutdown.request('session_end');
  };

/** Once Electron is ready: before that it takes signals for itself, and would ask at SIGTERM as at Quit. */
export function watchWaysOut(shutdown: Shutdown, { electron, powerMonitor, signals }: Systems): void {
  const ways = [
    ['SIGINT', () => shutdown.request('interrupt')],
    ['SIGTERM', () => shutdown.request('terminate')],
    ['SIGHUP', () => shutdown.request('terminate')],
  ] as const;
  for (const [signal, listener] of ways) signals.on(signal, listener);
  electron.on('before-quit', (event) => {
    if (shutdown.isOver()) return;
    event.preventDefault();
    // A signal that Electron took for itself comes as this, and Electron lets the next one end the process at once.
    // Listened to anew, it is ours.
    for (const [signal, listener] of ways) {
      signals.off(signal, listener);
      signals.on(signal, listener);
    }
    shutdown.request('quit');
  });
  // macOS and Linux; a Mac then also asks the app to quit, which finds it closing.
  powerMonitor.on('shutdown', endOfSession(shutdown) as () => void);
  // The shutdown ends the process itself.
  electron.on('window-all-closed', () => undefined);
}

/** Windows tells the end of a session to windows: it asks first, and later it does not wait. */
export function watchSessionEnd(window: Pick<BrowserWindow, 'on'>, shutdown: Shutdown): void {
  window.on('query-session-end', endOfSession(shutdown));
  window.on('session-end', () => shutdown.request('session_end'));
}
