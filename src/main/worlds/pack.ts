// One scenario pack in memory: read from its folder, its initial database built once and handed out as bytes. Must
// not know: sessions or sockets.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { Failure } from '../../shared/failure.ts';
import { PackFile, PackTask, PackTool } from './packFiles.ts';

export type Pack = PackFile & {
  tools: ReadonlyMap<string, PackTool>;
  /** The tools as `list_tools` shows them. */
  listed: { name: string; description: string; input_schema: object }[];
  tasks: PackTask[];
  /** The initial database as a file's bytes; built on first use, the same bytes ever after. */
  image(): Buffer;
};

/** Reads a pack. Throws `pack_invalid` naming the file and what is wrong with it. */
export function readPack(folder: string): Pack {
  const pack = openPack(folder);
  // Whoever asks for one pack is to hear at once what is wrong with it.
  void [pack.tools, pack.tasks];
  return pack;
}

/** A pack of which only `pack.json` is read yet: the product starts without reading every world's tools and tasks. */
function openPack(folder: string): Pack {
  const about = parseFile(folder, 'pack.json', PackFile);
  const tools = readOnce(() => parseFile(folder, 'tools.json', z.array(PackTool).min(1)));
  const byName = readOnce(() => new Map(tools().map((tool) => [tool.name, tool])));
  const listed = readOnce(() =>
    tools().map(({ name, description, input_schema }) => ({ name, description, input_schema })),
  );
  const tasks = readOnce(() => parseFile(folder, 'tasks.json', z.array(PackTask).min(1)));
  return {
    ...about,
    get tools() {
      return byName();
    },
    get listed() {
      return listed();
    },
    get tasks() {
      return tasks();
    },
    image: readOnce(() => buildImage(folder)),
  };
}

function readOnce<T>(read: () => T): () => T {
  let kept: { value: T } | null = null;
  return () => (kept ??= { value: read() }).value;
}

/**
 * Every pack below a folder, and a person's own: the packs below another folder, or the one pack it is. What could not be
 * read is told apart, so that one bad pack harms no other.
 */
export function readPacks(
  folder: string,
  own: string | null = null,
): { packs: Map<string, Pack>; problems: Failure[] } {
  const packs = new Map<string, Pack>();
  const problems: Failure[] = [];
  for (const path of own === null ? [folder] : [folder, own]) {
    const read: Pack[] = [];
    for (const at of packFolders(path)) {
      try {
        // Packs that are shipped are proven; a person's own is read whole, to say at once what is wrong.
        read.push(path === folder ? openPack(at) : readPack(at));
      } catch (thrown) {
        problems.push(thrown instanceof Failure ? thrown : invalid(at, String(thrown)));
      }
    }
    if (!existsSync(path)) problems.push(invalid(path, 'the folder of packs is missing'));
    read.sort((a, b) => a.position - b.position || a.name.localeCompare(b.name));
    for (const pack of read) {
      if (packs.has(pack.name)) problems.push(invalid(path, `there is a world ${pack.name} already`));
      else packs.set(pack.name, pack);
    }
  }
  return { packs, problems };
}

/** The folder itself where it is a pack, else the folders in it. */
export function packFolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  if (existsSync(join(folder, 'pack.json'))) return [folder];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));
}

const invalid = (path: string, why: string, cause?: unknown): Failure =>
  new Failure('pack_invalid', `${path}: ${why}`, {
    cause,
    next: 'Correct the pack, then run `interject world check` on it.',
  });

function readPackFile(folder: string, file: string): string {
  try {
    return readFileSync(join(folder, file), 'utf8');
  } catch (cause) {
    throw invalid(join(folder, file), 'cannot be read', cause);
  }
}

function parseFile<T>(folder: string, file: string, schema: z.ZodType<T>): T {
  const text = readPackFile(folder, file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(join(folder, file), cause instanceof Error ? cause.message : 'is not JSON', cause);
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalid(join(folder, file), z.prettifyError(parsed.error), parsed.error);
  return parsed.data;
}

function buildImage(folder: string): Buffer {
  const db = new Sqlite(':memory:');
  try {
    db.pragma('foreign_keys = ON');
    for (const file of ['schema.sql', 'seed.sql']) {
      const sql = readPackFile(folder, file);
      try {
        db.exec(sql);
      } catch (cause) {
        throw invalid(join(folder, file), cause instanceof Error ? cause.message : String(cause), cause);
      }
    }
    return db.serialize();
  } finally {
    db.close();
  }
}
