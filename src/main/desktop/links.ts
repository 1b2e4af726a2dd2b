// Links `interject://…` that the system hands over are registered at the start.
import { app as electron } from 'electron';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { LINK_SCHEME } from '../../shared/deepLink.ts';
import { productFolder } from '../hosts/paths.ts';
import { desktopEntry, UNPACKAGED_ENTRY } from './desktopEntry.ts';

/** Before the app is ready: the system knows an app by the name of its entry, and a clone must not pass for the package. */
export function nameEntry(): void {
  if (process.platform === 'linux' && !electron.isPackaged) electron.setDesktopName(UNPACKAGED_ENTRY);
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

function writeEntry(text: string): void {
  const data = process.env['XDG_DATA_HOME'] ?? '';
  const folder = join(data === '' ? join(homedir(), '.local', 'share') : data, 'applications');
  const file = join(folder, UNPACKAGED_ENTRY);
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
