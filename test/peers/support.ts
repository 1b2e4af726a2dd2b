// Owns: starting the real Python packages and our own commands as the separate programs they are, and ending them.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

export const root = resolve(import.meta.dirname, '../..');
/** Where the scripts are that tests run with Python. */
export const PEERS_FOLDER = import.meta.dirname;
/** `npm run test:outside` has an environment of its own, with the large packages. */
const venv = process.env['INTERJECT_PEERS_VENV'] ?? join(PEERS_FOLDER, '.venv');

/** The OpenEnv releases a user can have: the last under the old name, and today's. */
export const RELEASES = ['openenv-core-0.3.0', 'openenv-0.10.0'] as const;
export type Release = (typeof RELEASES)[number];

export type Program = { firstLine: Promise<string>; lines: string[]; end: () => Promise<void> };

function hold(child: ChildProcess, what: string): Program {
  const lines: string[] = [];
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const exited = new Promise<void>((settle) => child.once('exit', () => settle()));
  const firstLine = new Promise<string>((settle, refuse) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      lines.push(line);
      settle(line);
    });
    void exited.then(() => refuse(new Error(`${what} ended early: ${complaint}`)));
  });
  firstLine.catch(() => undefined);
  const end = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  return { firstLine, lines, end };
}

/** A script of this folder, run with one release of OpenEnv. */
export const python = (release: Release, script: string, args: string[] = []): Program =>
  pythonProgram(release, join(import.meta.dirname, script), args);

/** Any script, run with one release of OpenEnv. */
export function pythonProgram(release: Release, script: string, args: string[] = []): Program {
  const child = spawn(join(venv, 'bin/python'), [script, ...args], {
    env: { ...process.env, PYTHONPATH: join(venv, release), PYTHONWARNINGS: 'ignore' },
  });
  return hold(child, script);
}

/** Runs a script to its end and reads the JSON objects it printed, one a line. */
export const pythonRows = (
  release: Release,
  script: string,
  args: string[],
): Promise<Record<string, unknown>[]> =>
  rowsOf(join(venv, 'bin/python'), [resolve(import.meta.dirname, script), ...args], {
    PYTHONPATH: join(venv, release),
  });

const kitVenv = join(import.meta.dirname, '.venv-kit');

/** Whether the training kit's packages are there; `npm run test:outside` says what installs them. */
export const kitIsInstalled = (): boolean => existsSync(join(kitVenv, '.ready'));

/** Runs a script with the training kit's packages to its end and reads the JSON objects it printed. */
export const kitRows = (
  script: string,
  args: string[],
  env: Record<string, string>,
): Promise<Record<string, unknown>[]> =>
  rowsOf(join(kitVenv, 'bin/python'), [script, ...args], {
    // Compiled once for all runs, and never beside the scripts that are shipped.
    PYTHONPYCACHEPREFIX: join(kitVenv, 'compiled'),
    OMP_NUM_THREADS: '1',
    HF_HUB_OFFLINE: '1',
    ...env,
  });

async function rowsOf(
  python: string,
  args: string[],
  env: Record<string, string>,
): Promise<Record<string, unknown>[]> {
  const child = spawn(python, args, { env: { ...process.env, PYTHONWARNINGS: 'ignore', ...env } });
  let printed = '';
  let complaint = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const code = await new Promise((settle) => child.once('close', settle));
  if (code !== 0) throw new Error(`${args[0] ?? ''} ended with ${String(code)}: ${printed}${complaint}`);
  // Trainers print progress for people among their results.
  return printed
    .split('\n')
    .filter((line) => line.startsWith('{"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Our own command, as a person starts it. */
export const interject = (args: string[]): Program =>
  hold(spawn(process.execPath, [join(root, 'bin/interject.mjs'), ...args]), `interject ${args.join(' ')}`);

/** Our own command, to its end. Throws what it said when it failed. */
export function ran(args: string[]): Promise<string> {
  const { promise, resolve: settle, reject } = Promise.withResolvers<string>();
  execFile(process.execPath, [join(root, 'bin/interject.mjs'), ...args], (error, stdout, stderr) =>
    error === null ? settle(stdout) : reject(new Error(`interject ${args.join(' ')}: ${stderr}`)),
  );
  return promise;
}
