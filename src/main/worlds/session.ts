// One session's world: its own in-memory database, the untouched initial one, and the folder a client keeps. Must not
// know: labels, rewards or frames.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Pack } from './pack.ts';
import { createRunTool, type ToolOutcome } from './runTool.ts';
import { verdictOn, type WorldVerdict } from './verifier.ts';

const OWNER_ONLY_FILE = { mode: 0o600 };

export type WorldSession = {
  pack: Pack;
  call(tool: string, args: Record<string, unknown>): ToolOutcome;
  /** Null when the pack has no such task. */
  verify(task_idx: number, final_answer: unknown): WorldVerdict | null;
  /** Writes the trajectory, and with `keep` both databases, into a folder of its own. */
  save(folder: string, trajectory: object | null, keep: boolean): void;
  /** The database as it was at reset, and as it is now, in SQLite's file format. */
  images(): { initial: Uint8Array; current: Uint8Array };
  close(): void;
};

/** A fresh world: nothing another session did is in it. The seed decides which calls falter. */
export function openWorldSession(pack: Pack, seed = 0): WorldSession {
  const image = pack.image();
  const db = new Sqlite(image);
  db.pragma('foreign_keys = ON');
  const runTool = createRunTool(db, seed);
  return {
    pack,
    call: (name, args) => {
      const tool = pack.tools.get(name);
      return tool === undefined
        ? { ok: false, error: `Unknown tool: ${name}` }
        : runTool(tool, args, pack.world_time);
    },
    verify: (task_idx, final_answer) => {
      const task = pack.tasks[task_idx];
      if (task === undefined) return null;
      const initial = new Sqlite(image, { readonly: true });
      try {
        return verdictOn(task, initial, db, final_answer, new Set(pack.stamped_columns));
      } finally {
        initial.close();
      }
    },
    save: (folder, trajectory, keep) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (trajectory !== null)
        writeFileSync(join(folder, 'trajectory.json'), JSON.stringify(trajectory, null, 2), OWNER_ONLY_FILE);
      if (!keep) return;
      writeFileSync(join(folder, `${pack.name}.db`), db.serialize(), OWNER_ONLY_FILE);
      writeFileSync(join(folder, `${pack.name}_initial.db`), image, OWNER_ONLY_FILE);
    },
    images: () => ({ initial: image, current: db.serialize() }),
    close: () => db.close(),
  };
}

/** Removes a session's folder. One that cannot be removed stays: nobody asked for what is in it. */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A leftover folder must not end the process from a socket's close event.
  }
}
