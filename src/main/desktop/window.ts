// The console's window: where it was, what it may do, and the way back to a page that has ended.
import { BrowserWindow, screen } from 'electron';
import { join } from 'node:path';
import { deskHash } from '../../shared/deskAddress.ts';
import { linkHash, type DeepLink } from '../../shared/deepLink.ts';
import { productFolder } from '../hosts/paths.ts';
import { ORIGIN } from './addresses.ts';
import { readWindowState, writeWindowState, type ScreenArea } from './windowState.ts';

const pageAt = (link: DeepLink | null): string =>
  `${ORIGIN}/index.html${link === null ? '' : linkHash(link)}`;

const screens = (): ScreenArea[] => screen.getAllDisplays().map(({ workArea }) => workArea);

export const ICON = join(productFolder(), 'resources', 'icons', 'icon.png');

type WindowOptions = {
  /** Remembers its place. */
  file: string;
  link: DeepLink | null;
  isShown: boolean;
  /** The page is loaded or gone: whoever listened through the last one is let go. */
  onPageGone: () => void;
  /** A person closes it: true lets it. */
  mayClose: () => boolean;
};

/** Long enough after the last move that a window being dragged is not written at each step. */
const SETTLED_MS = 500;

/** Writes where the window is and its zoom, for the next start. */
export function keepPlace(window: BrowserWindow, file: string): void {
  if (window.isDestroyed()) return;
  writeWindowState(file, screens(), {
    ...window.getNormalBounds(),
    isMaximized: window.isMaximized(),
    zoom: window.webContents.getZoomLevel(),
  });
}

export function openWindow({ file, link, isShown, onPageGone, mayClose }: WindowOptions): BrowserWindow {
  const { isMaximized, zoom, ...bounds } = readWindowState(file, screens());
  const window = new BrowserWindow({
    ...bounds,
    minWidth: 720,
    minHeight: 480,
    show: false,
    title: 'Interject',
    icon: ICON,
    webPreferences: {
      preload: join(productFolder(), 'out', 'preload', 'index.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      // Elsewhere Chromium would fetch its dictionaries from a network; a Mac has its own.
      spellcheck: process.platform === 'darwin',
    },
  });
  if (isMaximized) window.maximize();
  const contents = window.webContents;
  // Once: a page that is loaded again keeps the zoom it was given since.
  contents.once('did-finish-load', () => contents.setZoomLevel(zoom));
  // Not when a navigation starts: one that is denied leaves the page where it is, listening.
  contents.on('did-navigate', () => onPageGone());
  contents.on('render-process-gone', () => onPageGone());
  if (isShown) window.once('ready-to-show', () => window.show());
  // Whatever ends the app, a place a person gave the window is kept.
  let settling: NodeJS.Timeout | undefined;
  const rememberSoon = (): void => {
    clearTimeout(settling);
    settling = setTimeout(() => keepPlace(window, file), SETTLED_MS);
  };
  window.on('resize', rememberSoon);
  window.on('move', rememberSoon);
  window.on('close', (event) => {
    keepPlace(window, file);
    if (!mayClose()) event.preventDefault();
  });
  void window.loadURL(pageAt(link));
  return window;
}

/** Brings the window forward, at a link's place where there is one: only what is behind `#` changes, nothing is loaded anew. */
export function showAt(window: BrowserWindow, link: DeepLink | null): void {
  if (window.isDestroyed()) return;
  if (link !== null) void window.loadURL(pageAt(link));
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** Brings the window forward on the desk, with a question or a call chosen where one is named. */
export function showDesk(window: BrowserWindow, key: string | null = null): void {
  if (window.isDestroyed()) return;
  void window.loadURL(`${ORIGIN}/index.html${deskHash(key)}`);
  showAt(window, null);
}
