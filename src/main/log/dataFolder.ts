// Owns: one process per data folder. A lock file names the owner; a dead owner's lock is taken over.
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { Failure } from '../../shared/failure.ts';

const Lock = z.object({ pid: z.number().int(), url: z.string().nullable().optional() });

export type DataFolder = { path: string; file(name: string): string; release(): void };

/**
 * Takes the folder (making it if needed). Throws `data_in_use` naming the owner's process, or `data_unwritable`.
 */
export function takeDataFolder(path: string, isAlive: (pid: number) => boolean = isProcessAlive): DataFolder {
  const lock = join(path, 'interject.lock');
  try {
    makeFolder(path);
    writeLock(lock, path, isAlive);
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    throw new Failure('data_unwritable', `cannot use the data folder ${path}: ${messageOf(thrown)}`, {
      cause: thrown,
      next: 'Check that it exists and is writable, or choose another with --data.',
    });
  }
  let isHeld = true;
  const release = (): void => {
    if (isHeld) rmSync(lock, { force: true });
    isHeld = false;
  };
  return { path, file: (name) => join(path, name), release };
}

/**
 * Makes a folder and what is missing above it, for this user alone. Node's own recursive call never returns on a file
 * system that answers "no such file" to every attempt.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const folder of missing) mkdirSync(folder, { mode: 0o700 });
}

function writeLock(lock: string, path: string, isAlive: (pid: number) => boolean): void {
  try {
    const handle = openSync(lock, 'wx', 0o600);
    writeSync(handle, JSON.stringify({ pid: process.pid }));
    closeSync(handle);
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
    const owner = ownerOf(lock);
    if (owner !== null && owner !== process.pid && isAlive(owner)) {
      throw new Failure('data_in_use', `process ${String(owner)} already uses the data folder ${path}`, {
        next: 'Close that Interject, or choose another data folder with --data.',
      });
    }
    rmSync(lock, { force: true });
    writeLock(lock, path, isAlive);
  }
}

function ownerOf(lock: string): number | null {
  try {
    return Lock.parse(JSON.parse(readFileSync(lock, 'utf8'))).pid;
  } catch {
    return null;
  }
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
