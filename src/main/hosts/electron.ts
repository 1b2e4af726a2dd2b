// The desktop shell: one window on the console, locked down, and the edges only a desktop has.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  app as electron,
  BrowserWindow,
  dialog,
  ipcMain,
  net,
  Notification,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  type IpcMainEvent,
  type IpcMainInvokeEvent,
} from 'electron';
import type { BridgeNews } from '../../shared/contract/bridge.ts';
import { failureShape } from '../../shared/failure.ts';
import { waitingCount } from '../../shared/waiting.ts';
import { createApp } from '../app/app.ts';
import type { App } from '../app/types.ts';
import { collectAlone } from './collecting.ts';
import { createBridgeDoor, type Sender } from './bridgeDoor.ts';
import { closeAnswer, closeQuestion, type CloseAnswer } from './closing.ts';
import { CONTENT_SECURITY_POLICY } from './consoleDoor.ts';
import { openDesktopGateway } from './desktopGateway.ts';
import { nodeEdges } from './edges.ts';
import { linkHash, linkIn, LINK_SCHEME, parseDeepLink, type DeepLink } from '../../shared/deepLink.ts';
import { createKeychain } from './keychain.ts';
import { endWithLauncher } from './launcher.ts';
import { dataFolderPath, productFolder, worldFolderPath } from './paths.ts';
import { awmFlags, type Serving } from './serve.ts';
import { writeText } from './terminal.ts';
import { VERSION } from './version.ts';
import { readWindowState, writeWindowState } from './windowState.ts';

const ORIGIN = 'app://console';
const RENDERER = join(productFolder(), 'out', 'renderer');

protocol.registerSchemesAsPrivileged([
  { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
]);

function flagValue(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
}

const writeLine = writeText;

async function openProduct(): Promise<App> {
  const given = flagValue('--data') ?? process.env['INTERJECT_HOME'];
  const awmData = flagValue('--awm-data');
  const edges = nodeEdges(writeLine);
  collectAlone();
  return createApp(
    {
      version: VERSION,
      host: 'desktop',
      dataFolder: given === undefined ? electron.getPath('userData') : dataFolderPath(given),
      resources: join(productFolder(), 'resources'),
      environment: process.env,
      worldDir: worldFolderPath(flagValue('--world-dir')),
      places: 64,
      awm: awmFlags(awmData === undefined ? {} : { awmData }),
    },
    {
      ...edges,
      openFolder: (path) => shell.openPath(path),
      secrets: (folder) =>
        safeStorage.isEncryptionAvailable()
          ? createKeychain(folder, safeStorage, writeLine)
          : edges.secrets(folder),
    },
  );
}

/** Files of the console only, each with the policy; whatever else is asked for is not there. */
function serveFiles(): void {
  protocol.handle('app', async (request) => {
    const { host, pathname } = new URL(request.url);
    const path = join(RENDERER, pathname === '/' ? 'index.html' : decodeURIComponent(pathname));
    if (host !== 'console' || !path.startsWith(RENDERER)) return new Response('not found', { status: 404 });
    const file = await net.fetch(pathToFileURL(path).toString());
    const headers = new Headers(file.headers);
    headers.set('content-security-policy', CONTENT_SECURITY_POLICY);
    return new Response(file.body, { status: file.status, headers });
  });
}

function lockDown(window: BrowserWindow): void {
  window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  window.webContents.on('will-navigate', (event) => event.preventDefault());
  window.webContents.on('will-attach-webview', (event) => event.preventDefault());
  session.defaultSession.setPermissionRequestHandler((contents, permission, answer) =>
    answer(contents === window.webContents && permission === 'clipboard-sanitized-write'),
  );
  session.defaultSession.setPermissionCheckHandler(
    (_contents, permission) => permission === 'clipboard-sanitized-write',
  );
}

function openWindow(app: App, link: DeepLink | null): BrowserWindow {
  const file = join(electron.getPath('userData'), 'window.json');
  const { isMaximized, ...bounds } = readWindowState(
    file,
    screen.getAllDisplays().map(({ workArea }) => workArea),
  );
  const window = new BrowserWindow({
    ...bounds,
    minWidth: 720,
    minHeight: 480,
    show: false,
    title: 'Interject',
    webPreferences: {
      preload: join(productFolder(), 'out', 'preload', 'index.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
    },
  });
  if (isMaximized) window.maximize();
  lockDown(window);
  connectWindow(app, window);
  window.once('ready-to-show', () => window.show());
  window.on('close', (event) => {
    writeWindowState(file, { ...window.getNormalBounds(), isMaximized: window.isMaximized() });
    switch (askToClose(window, app)) {
      case 'close':
        return;
      case 'keep_serving':
        window.hide();
        return event.preventDefault();
      case 'stay':
        event.preventDefault();
    }
  });
  void window.loadURL(`${ORIGIN}/index.html${link === null ? '' : linkHash(link)}`);
  return window;
}

/** Closing the window ends what runs in it and what clients play through it: asked first, never silently. */
function askToClose(window: BrowserWindow, { gateway, supervisor }: App): CloseAnswer {
  const question = closeQuestion({ tapped: gateway.tapped(), running: supervisor.running() });
  if (question === null) return 'close';
  const { keepId, ...shown } = question;
  const chosen = dialog.showMessageBoxSync(window, {
    type: 'question',
    ...shown,
    defaultId: keepId,
    cancelId: shown.buttons.length === 3 ? 2 : keepId,
  });
  return closeAnswer(question, chosen);
}

function connectWindow(app: App, window: BrowserWindow): void {
  const door = createBridgeDoor(app, ORIGIN);
  const senderOf = (event: IpcMainEvent | IpcMainInvokeEvent): Sender => ({
    url: event.senderFrame?.url ?? '',
    send: (id, news: BridgeNews) => {
      if (!event.sender.isDestroyed()) event.sender.send('interject:news', id, news);
    },
  });
  ipcMain.handle('interject:request', (event, method: unknown, input: unknown, seat: unknown) =>
    door.request(senderOf(event), method, input, seat),
  );
  ipcMain.on('interject:subscribe', (event, id: unknown, topic: unknown, seat: unknown) =>
    door.subscribe(senderOf(event), id, topic, seat),
  );
  ipcMain.on('interject:unsubscribe', (_event, id: unknown) => door.unsubscribe(id));
  window.on('closed', () => door.close());
}

/** The badge counts what waits; what comes while nobody looks is announced once. */
function announceQuestions(app: App, window: BrowserWindow): () => void {
  let known = new Set<string>();
  return app.subscribe({ topic: 'desk' }, (push) => {
    if (push.topic !== 'desk') return;
    electron.setBadgeCount(waitingCount(push));
    const waiting = [
      ...push.items.map((item) => ({ ...item, key: item.consultation, title: 'An agent asks for advice' })),
      ...push.holds.map((hold) => ({ ...hold, title: 'An agent waits for a decision' })),
    ];
    const fresh = waiting.find(({ key }) => !known.has(key));
    known = new Set(waiting.map(({ key }) => key));
    if (fresh === undefined || window.isDestroyed() || window.isFocused() || !Notification.isSupported())
      return;
    const notification = new Notification({
      title: fresh.title,
      body: `${fresh.scenario ?? 'episode'}, task ${String(fresh.task_idx ?? '')}`,
    });
    notification.on('click', () => window.show());
    notification.show();
  });
}

/** Brings the window forward, at a link's place where there is one: only the fragment changes, nothing is loaded anew. */
function showAt(window: BrowserWindow, link: DeepLink | null): void {
  if (window.isDestroyed()) return;
  if (link !== null) void window.loadURL(`${ORIGIN}/index.html${linkHash(link)}`);
  window.show();
}

/** A Mac hands links over as events, the first of them before there is a window. */
function receiveLinks(): { taken: () => DeepLink | null; handOver: (to: (link: DeepLink) => void) => void } {
  let first: DeepLink | null = null;
  let tell = (link: DeepLink): void => {
    first = link;
  };
  electron.on('open-url', (event, url) => {
    event.preventDefault();
    const link = parseDeepLink(url);
    if (link !== null) tell(link);
  });
  return {
    taken: () => first,
    handOver: (to) => {
      tell = to;
    },
  };
}

async function start(): Promise<void> {
  if (!electron.requestSingleInstanceLock()) return electron.quit();
  endWithLauncher();
  electron.setAsDefaultProtocolClient(LINK_SCHEME);
  const early = receiveLinks();
  await electron.whenReady();
  serveFiles();
  const app = await openProduct();
  const serving = await openDesktopGateway(app, writeLine);
  const window = openWindow(app, early.taken() ?? linkIn(process.argv));
  const hush = announceQuestions(app, window);
  // A window that keeps serving is hidden, not gone.
  const show = (): void => (window.isDestroyed() ? undefined : window.show());
  electron.on('second-instance', (_event, args) => showAt(window, linkIn(args)));
  early.handOver((link) => showAt(window, link));
  electron.on('activate', show);
  electron.on('window-all-closed', () => {
    hush();
    void closeAll(app, serving).finally(() => electron.quit());
  });
}

async function closeAll(app: App, serving: Serving | null): Promise<void> {
  await serving?.listening.close();
  await app.close();
}

start().catch((thrown: unknown) => {
  const { message: what, next } = failureShape(thrown);
  const message = next === null ? what : `${what}\n\n${next}`;
  writeLine(message);
  if (electron.isReady()) dialog.showErrorBox('Interject could not start', message);
  electron.exit(1);
});
