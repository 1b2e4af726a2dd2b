// Owns: the console without a window: opens its port, says where it is, and ends cleanly on a signal.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createApp, type App } from '../app.ts';
import { createConsoleDoor } from './consoleDoor.ts';
import { nodeEdges } from './edges.ts';
import { listen, type Listening } from './listener.ts';
import type { Output } from './output.ts';
import { dataFolderPath, productFolder } from './paths.ts';
import { VERSION } from './version.ts';

export type ServeOptions = {
  host: string;
  port: number;
  data: string | undefined;
  isOpening: boolean;
  places: number;
};

/** Frames a console may send: an answer, a file's chunk. */
const CONSOLE_FRAME_MAX = 16 * 1024 * 1024;

/** Builds the product for hosts without a window. */
export const openApp = (
  { data, places }: Pick<ServeOptions, 'data' | 'places'>,
  output: Output,
): Promise<App> =>
  createApp(
    {
      version: VERSION,
      host: 'browser',
      dataFolder: dataFolderPath(data),
      resources: join(productFolder(), 'resources'),
      environment: process.env,
      places,
    },
    nodeEdges((text) => output.say(text)),
  );

export type Serving = { app: App; url: string; token: string; listening: Listening };

/** Serves the console of an app. The URL carries the token in its fragment, which no server ever sees. */
export async function serveConsole(
  app: App,
  { host, port }: Pick<ServeOptions, 'host' | 'port'>,
): Promise<Serving> {
  const token = app.settings.token('console');
  const door = createConsoleDoor({ app, token, files: join(productFolder(), 'out', 'renderer') });
  const listening = await listen(door, { host, port, maxPayload: CONSOLE_FRAME_MAX, origin: 'same' });
  return { app, token, listening, url: `${listening.url}/#token=${token}` };
}

/** `interject serve`: runs until SIGINT or SIGTERM. Resolves with the exit code. */
export async function serve(options: ServeOptions, output: Output): Promise<number> {
  const app = await openApp(options, output);
  let serving: Serving;
  try {
    serving = await serveConsole(app, options);
  } catch (thrown) {
    await app.close();
    throw thrown;
  }
  const { url, token, listening } = serving;
  output.line({ type: 'ready', url, token });
  if (!isLoopback(options.host)) {
    output.say(
      `Listening on ${options.host}: anyone who can reach this machine and has the URL can use the console.`,
    );
  }
  if (app.interrupted.length > 0) {
    output.say(
      `${String(app.interrupted.length)} episodes were open when Interject last ended; they show as interrupted.`,
    );
  }
  output.say(`Interject is at ${url}`);
  if (options.isOpening) openBrowser(url);
  await untilSignal();
  output.say('Closing: stopping episodes and completing the log.');
  await listening.close();
  await app.close();
  return 0;
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.');

export const untilSignal = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });

/** Opens the person's browser where there is one to open; the URL is printed in any case. */
function openBrowser(url: string): void {
  const hasDisplay =
    process.platform !== 'linux' || 'DISPLAY' in process.env || 'WAYLAND_DISPLAY' in process.env;
  if (!hasDisplay) return;
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', url]
        : ['xdg-open', url];
  const child = spawn(command ?? 'xdg-open', args, { stdio: 'ignore', detached: true });
  // No browser to open is no failure: the URL is on screen.
  child.on('error', () => undefined);
  child.unref();
}
