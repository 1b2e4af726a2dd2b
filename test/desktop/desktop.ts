// Starts the desktop app on the Electron that is there, drives its window, and reads what it left behind.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { z } from 'zod';
import { parseJson } from '../../src/shared/json.ts';
import type { Bridge, BridgeReply } from '../../src/shared/contract/bridge.ts';

const Here = z.object({ name: z.string(), executable: z.string(), args: z.array(z.string()) });

/** The Electron the tests run on; `npm run test:desktop` names it. */
const here = Here.parse(JSON.parse(process.env['INTERJECT_DESKTOP'] ?? '{}'));
export const electronName = here.name;

const AskedShape = z.object({
  message: z.string(),
  detail: z.string(),
  buttons: z.array(z.string()),
  answered: z.string().optional(),
});
type Asked = z.infer<typeof AskedShape>;
/** What `dialogs.cjs` puts into the app. */
type Dialogs = {
  askedOfPerson: Asked[];
  answerDialogsWith: (button: string) => void;
  shownOutside: Outside & { announced: { title: string; emit: (event: string) => void }[] };
};
/** What a person sees without the window. */
type Outside = { tray: string; badge: number };

export type Desktop = {
  app: ElectronApplication;
  page: Page;
  /** A home of its own: data folder `data`, and where a system keeps a person's settings. */
  home: string;
  folder: string;
  process: ChildProcess;
  /** What it wrote to its two outputs. */
  said: () => string;
  /** Questions of the system's own dialogs, as a person would see them. */
  asked: () => Promise<Asked[]>;
  /** Answers each dialog from now on with the button of this name. */
  answerWith: (button: string) => Promise<void>;
  /** The tray's label, the badge, and the titles of what was announced. */
  outside: () => Promise<Outside & { announced: string[] }>;
  /** Clicks the latest announcement. */
  clickAnnouncement: () => Promise<void>;
  exit: Promise<number | null>;
};

export const newHome = (): string => mkdtempSync(join(tmpdir(), 'interject-desktop-'));

const DIALOGS = join(import.meta.dirname, 'dialogs.cjs');

const variables = (home: string): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ),
  HOME: home,
  XDG_CONFIG_HOME: join(home, 'config'),
  XDG_DATA_HOME: join(home, 'share'),
  XDG_CACHE_HOME: join(home, 'cache'),
  // Elsewhere the usual folder is the person's own, whatever HOME says.
  INTERJECT_HOME: process.platform === 'linux' ? '' : join(home, 'share', 'interject'),
  TEST_REQUIRE: DIALOGS,
});

/** Ways to load code before the app: `-r` where Electron starts it by its folder, the environment where the app is its own. */
const argumentsOf = (more: readonly string[]): string[] => [
  ...(here.args.length > 0 ? ['-r', DIALOGS, ...here.args] : []),
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ...more,
];

/** Starts the app on a home, and waits for its window. */
export async function startDesktop(
  home: string,
  flags: readonly string[] = ['--port', '0'],
  more: Record<string, string> = {},
): Promise<Desktop> {
  const app = await _electron.launch({
    executablePath: here.executable,
    args: argumentsOf(flags),
    env: { ...variables(home), ...more },
    timeout: 90_000,
  });
  const child = app.process();
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => said.push(String(chunk)));
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const page = await app.firstWindow({ timeout: 90_000 });
  await page.getByRole('navigation').first().waitFor();
  const at = flags.indexOf('--data');
  return {
    app,
    page,
    home,
    folder: at === -1 ? join(home, 'share', 'interject') : (flags[at + 1] ?? ''),
    process: child,
    said: () => said.join(''),
    asked: () => app.evaluate(() => (globalThis as unknown as Dialogs).askedOfPerson),
    answerWith: (button) =>
      app.evaluate(
        (_electron, wanted) => (globalThis as unknown as Dialogs).answerDialogsWith(wanted),
        button,
      ),
    outside: () =>
      app.evaluate(() => {
        const { tray, badge, announced } = (globalThis as unknown as Dialogs).shownOutside;
        return { tray, badge, announced: announced.map(({ title }) => title) };
      }),
    clickAnnouncement: () =>
      app.evaluate(() => (globalThis as unknown as Dialogs).shownOutside.announced.at(-1)?.emit('click')),
    exit,
  };
}

/** A command of the console, as its page sends it. */
export async function request({ page }: Desktop, method: string, input: unknown): Promise<unknown> {
  const text = await page.evaluate(
    ([name, given]) =>
      (window as unknown as { interject: Bridge }).interject.request(name, given, 'seat-test'),
    [method, JSON.stringify(input)] as const,
  );
  const reply = parseJson(text) as BridgeReply;
  if (!reply.ok) throw new Error(`${method}: ${reply.failure.message}`);
  return reply.value;
}

/** Waits for the question after those before it, answers it, and gives it. */
export async function answerQuestion(
  { asked, answerWith }: Desktop,
  message: RegExp,
  button: string,
): Promise<Asked> {
  const open = async () => (await asked()).findLast((one) => message.test(one.message));
  await expect.poll(open).toBeDefined();
  await answerWith(button);
  await expect.poll(async () => (await open())?.answered).toBe(button);
  return AskedShape.parse(await open());
}

/** Ends it if it still runs, and removes its home. */
export async function endDesktop({ process: child, exit }: Desktop): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await exit;
}

export const removeHome = (home: string): void =>
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });

/** Starts it as a person would a second time, and gives its exit code. */
export function startAgain(home: string, flags: readonly string[]): Promise<number | null> {
  const child = spawn(here.executable, argumentsOf(flags), { env: variables(home), stdio: 'ignore' });
  return new Promise((resolve) => child.once('exit', resolve));
}

/** Starts an app and waits until it has taken its data folder, which is before it has a window. */
export async function startUntilTaken(
  home: string,
): Promise<{ folder: string; end: (signal: NodeJS.Signals) => Promise<number | null> }> {
  const folder = join(home, 'share', 'interject');
  const child = spawn(here.executable, argumentsOf(['--port', '0']), {
    env: variables(home),
    stdio: 'ignore',
  });
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await expect.poll(() => existsSync(join(folder, 'interject.lock')), { interval: 5 }).toBe(true);
  return {
    folder,
    end: (signal) => {
      child.kill(signal);
      return exit;
    },
  };
}

/** Starts an app that must not come up: the question it shows, answered with `Quit`, and how it ended. */
export async function startFailing(
  home: string,
  flags: readonly string[],
): Promise<{ asked: Asked; code: number | null; said: string }> {
  const file = join(home, 'asked.jsonl');
  const child = spawn(here.executable, argumentsOf(flags), {
    env: { ...variables(home), TEST_DIALOG_ANSWER: 'Quit', TEST_DIALOG_FILE: file },
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => said.push(String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { asked: AskedShape.parse(JSON.parse(readFileSync(file, 'utf8'))), code, said: said.join('') };
}

type Row = { stream: string; kind: string; body: string };

/** The log's events as SQLite alone reads them, in order. */
export function eventsIn(folder: string): Row[] {
  const db = new Sqlite(join(folder, 'interject.db'), { readonly: true, fileMustExist: true });
  try {
    return db.prepare<[], Row>('SELECT stream, kind, body FROM events ORDER BY seq').all();
  } finally {
    db.close();
  }
}

/** Nobody holds the folder, and no process of the tap serves it. */
export const isLetGo = (folder: string): boolean =>
  !existsSync(join(folder, 'interject.lock')) && !existsSync(join(folder, 'tap.json'));
