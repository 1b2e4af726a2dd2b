// The product as npm installed it into a folder that was empty, run from there with the system's own Node.
import { spawn, type ChildProcess } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** The folder; `npm run test:packages` makes it and names it. */
export const installed = process.env['INTERJECT_INSTALLED'] ?? '';
export const product = join(installed, 'node_modules', 'interject');

/** A person's own variables: none of the project's, and no program that the project's packages brought. */
const variables = (home: string): NodeJS.ProcessEnv => {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|INTERJECT_|INIT_CWD$|NODE_)/i.test(name),
  );
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !/node_modules/.test(folder));
  return { ...Object.fromEntries(own), PATH: path.join(delimiter), INTERJECT_HOME: home };
};

/** `npx interject …`, which never fetches a package of that name. */
export const npx = (home: string, args: readonly string[]): ChildProcess =>
  spawn('npx', ['--no', 'interject', ...args], {
    cwd: installed,
    env: variables(home),
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });

export type Ran = { code: number | null; out: string; err: string };

export function finished(child: ChildProcess): Promise<Ran> {
  const text = { out: '', err: '' };
  child.stdout?.on('data', (chunk: Buffer) => (text.out += String(chunk)));
  child.stderr?.on('data', (chunk: Buffer) => (text.err += String(chunk)));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...text }));
  });
}
