// Owns: finding a Chromium for the browser tests: the one named, the one npm brought, or one the system has.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

export type FoundBrowser = { path: string; env: Record<string, string> };

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const NAMES = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'microsoft-edge'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * The browser to test in, or null where there is none. The one npm brings comes first: it is the same on every machine,
 * and opens a page with a quarter of the processor time that a desktop's Chromium takes.
 */
export const findBrowser = (): FoundBrowser | null => named() ?? npmBrowser() ?? systemBrowser();

/** The browser to measure and to take pictures in: one that people use, where the system has it. */
export const findDesktopBrowser = (): FoundBrowser | null => named() ?? systemBrowser() ?? npmBrowser();

/** A CHROMIUM_PATH that names nothing is an error, not a skip. */
function named(): FoundBrowser | null {
  const path = process.env['CHROMIUM_PATH'];
  if (path === undefined || path === '') return null;
  if (!existsSync(path)) throw new Error(`CHROMIUM_PATH names ${path}, which is not there`);
  return { path, env: {} };
}

function systemBrowser(): FoundBrowser | null {
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const path = [...onPath, ...PLACES].find((place) => existsSync(place));
  return path === undefined ? null : { path, env: {} };
}

/** Chromium from the optional package, unpacked once per version into the temporary folder. Linux x64 only. */
export function npmBrowser(): FoundBrowser | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const entry = packageEntry('@sparticuz/chromium');
  if (entry === null) return null;
  const { version } = JSON.parse(readFileSync(join(packageFolder(entry), 'package.json'), 'utf8')) as {
    version: string;
  };
  const home = join(tmpdir(), `interject-chromium-${version}-${String(process.getuid?.() ?? 0)}`);
  if (!existsSync(join(home, 'chromium'))) unpack(entry, home);
  const libraries = [join(home, 'al2023', 'lib'), process.env['LD_LIBRARY_PATH'] ?? ''].filter(Boolean);
  return {
    path: join(home, 'chromium'),
    env: {
      LD_LIBRARY_PATH: libraries.join(':'),
      // A bare machine has no fonts; the package brings one.
      ...(existsSync('/usr/share/fonts') ? {} : { FONTCONFIG_PATH: join(home, 'fonts') }),
    },
  };
}

function packageEntry(name: string): string | null {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    return null;
  }
}

function packageFolder(entry: string): string {
  let folder = dirname(entry);
  while (!existsSync(join(folder, 'bin'))) folder = dirname(folder);
  return folder;
}

/**
 * The package unpacks into TMPDIR under fixed names, and its libraries only where it believes to be on Amazon Linux. So
 * it runs in a process of its own, in a folder nobody else writes to, which is put in place when it is whole.
 */
function unpack(entry: string, home: string): void {
  mkdirSync(dirname(home), { recursive: true });
  const partial = mkdtempSync(`${home}-`);
  try {
    const script = `require(${JSON.stringify(entry)}).executablePath()`;
    execFileSync(process.execPath, ['-e', script], {
      env: { ...process.env, TMPDIR: partial, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    renameSync(partial, home);
  } catch (thrown) {
    rmSync(partial, { recursive: true, force: true });
    // Another run may have put it in place meanwhile.
    if (!existsSync(join(home, 'chromium'))) throw thrown;
  }
}

export const launch = ({ path, env }: FoundBrowser): Promise<Browser> =>
  chromium.launch({
    executablePath: path,
    args: ARGS,
    env: { ...(process.env as Record<string, string>), ...env },
  });
