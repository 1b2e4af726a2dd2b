// Links `interject://…` that the system hands over: registered at the start, taken from arguments and events.
import { app as electron } from 'electron';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { LINK_SCHEME, parseDeepLink, type DeepLink } from '../../shared/deepLink.ts';
import { productFolder } from '../hosts/paths.ts';
import { desktopEntry } from './desktopEntry.ts';

/** A Mac hands links over as events, the first of them before there is a window. */
export function receiveLinks(): {
  taken: () => DeepLink | null;
  handOver: (to: (link: DeepLink) => void) => void;
} {
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

/**
 * Tells the system that links open this app. Not packaged it is started as Electron with the product's folder; on Linux
 * that needs an entry in the person's own applications, which is written when it is not as it should be. A system that
 * refuses is left alone: links are then opened from within.
 */
export function registerLinks(say: (text: string) => void): void {
  const program = [process.execPath, productFolder()];
  try {
    if (electron.isPackaged) electron.setAsDefaultProtocolClient(LINK_SCHEME);
    else {
      if (process.platform === 'linux') writeEntry(desktopEntry(program));
      electron.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, [productFolder()]);
    }
  } catch (thrown) {
    say(`Links ${LINK_SCHEME}:// do not open this app: ${String(thrown)}`);
  }
}

/** Its name is what Electron gives the system for this app. */
const ENTRY = 'interject.desktop';

function writeEntry(text: string): void {
  const data = process.env['XDG_DATA_HOME'] ?? '';
  const folder = join(data === '' ? join(homedir(), '.local', 'share') : data, 'applications');
  const file = join(folder, ENTRY);
  process.env['CHROME_DESKTOP'] ??= ENTRY;
  if (textOf(file) === text) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, text);
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
