// Opens the person's browser at the console. The arguments of a process are visible to every user of the machine, so the
// browser is given a page in the data folder, which only its owner can read, and that page leads to the console.
// Jupyter Server does the same (`use_redirect_file`): a short-lived link in the arguments could be used first by another.
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicVariables } from '../../shared/publicVariables.ts';

/** The page's time, for a browser that is slow to start. */
const PAGE_LIFETIME_MS = 60_000;

export const openerPage = (dataFolder: string): string => join(dataFolder, 'open-console.html');

/** Opens the URL where there is a browser to open; `close` removes the page at once. The URL is printed in any case. */
export function openBrowser(url: string, dataFolder: string): { close: () => void } {
  const hasDisplay =
    process.platform !== 'linux' || 'DISPLAY' in process.env || 'WAYLAND_DISPLAY' in process.env;
  if (!hasDisplay) return { close: () => undefined };
  const page = openerPage(dataFolder);
  const remove = (): void => rmSync(page, { force: true });
  try {
    remove();
    // `wx`: a link that somebody put there is not followed.
    writeFileSync(page, redirectPage(url), { mode: 0o600, flag: 'wx' });
  } catch {
    // A folder that cannot be written to is reported by what needs it; the URL is on screen.
    return { close: () => undefined };
  }
  const timer = setTimeout(remove, PAGE_LIFETIME_MS).unref();
  const [command = 'xdg-open', ...args] = openerOf(process.platform, page);
  const child = spawn(command, args, { stdio: 'ignore', detached: true, env: publicVariables(process.env) });
  // No browser to open is no failure: the URL is on screen.
  child.on('error', () => undefined);
  child.unref();
  return {
    close: () => {
      clearTimeout(timer);
      remove();
    },
  };
}

/** The program that opens a file with what the person uses for it. None of them is a shell. */
export function openerOf(platform: NodeJS.Platform, page: string): string[] {
  if (platform === 'darwin') return ['open', page];
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler', page] : ['xdg-open', page];
}

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A page without a script: it goes to the console by itself, and has a link for browsers that do not. */
function redirectPage(url: string): string {
  const target = url.replaceAll(/[&<>"]/g, (char) => MARKUP[char] ?? char);
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${target}">
<title>Interject</title>
<p><a href="${target}">Open the console</a></p>
`;
}
