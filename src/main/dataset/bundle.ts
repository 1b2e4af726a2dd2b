// Owns: the log's own way out and back in: every event of every ended episode, texts whole, nothing lost; and the files
// that imported episodes came from, byte for byte.
import { closeSync, existsSync, openSync, readdirSync, writeSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { ExportRules } from '../../shared/contract/export.ts';
import type { Imported } from './import/read.ts';
import { Failure } from '../../shared/failure.ts';
import { makeFolder } from '../log/dataFolder.ts';
import type { EventLog } from '../log/eventLog.ts';
import { chosenEpisodes } from './export/chosen.ts';
import { withTexts } from './withTexts.ts';
import { BUNDLE, BUNDLE_VERSION } from './import/ownEvents.ts';
import type { Sources } from './import/sources.ts';

export type BundleWritten = {
  rows: number;
  dropped: Record<string, number>;
  folder: string;
  files: string[];
};

const FILE = 'events.jsonl';
const PAGE = 500;
/** An imported episode says where it came from right after it began. */
const ORIGIN = 2;

/** Throws `export_refused` when the folder holds something and `isForced` is false. */
export function checkFolder(folder: string, isForced: boolean): void {
  if (isForced || !existsSync(folder) || readdirSync(folder).length === 0) return;
  throw new Failure('export_refused', `${folder} is not empty`, {
    next: 'Choose an empty folder, or overwrite with --force.',
  });
}

/** `rules` choose episodes; those that choose rows are not looked at. */
type Where = { folder: string; isForced: boolean; rules?: ExportRules };

/**
 * Writes `events.jsonl`: a line that names the format, then an event a line, an episode after the other. Episodes whose
 * texts were erased are left out.
 */
export function writeBundle(
  log: EventLog,
  { folder, isForced, rules = ExportRules.parse({}) }: Where,
): BundleWritten {
  checkFolder(folder, isForced);
  makeFolder(folder);
  const file = openSync(join(folder, FILE), 'w', 0o600);
  let rows = 0;
  const dropped: Record<string, number> = {};
  try {
    writeSync(file, `${JSON.stringify({ type: BUNDLE, v: BUNDLE_VERSION })}\n`);
    for (const episode of chosenEpisodes(log, rules, dropped)) {
      for (let after = 0; ;) {
        const page = log.read(episode, after, PAGE);
        const lines = page.map(({ n, at, actor, event }) =>
          JSON.stringify({ episode, n, at, actor, event: withTexts(event, (text) => log.texts.whole(text)) }),
        );
        if (lines.length > 0) writeSync(file, `${lines.join('\n')}\n`);
        rows += page.length;
        after = page.at(-1)?.n ?? after;
        if (page.length < PAGE) break;
      }
    }
  } finally {
    closeSync(file);
  }
  return { rows, dropped, folder, files: [FILE] };
}

/** Writes the files that imported episodes came from, and what lay beside them, as they were. */
export async function writeSources(
  log: EventLog,
  sources: Sources,
  { folder, isForced, rules = ExportRules.parse({}) }: Where,
): Promise<BundleWritten> {
  checkFolder(folder, isForced);
  makeFolder(folder);
  const files = new Map<string, string>();
  const dropped: Record<string, number> = {};
  for (const imported of importedOf(log, chosenEpisodes(log, rules, dropped))) {
    for (const { sha256, name } of [imported.source, ...imported.companions]) {
      if (files.has(sha256)) continue;
      if (sources.find(sha256) === null) {
        dropped['not_kept'] = (dropped['not_kept'] ?? 0) + 1;
        continue;
      }
      const file = freeName(basename(name), sha256, new Set(files.values()));
      await sources.writeBack(sha256, join(folder, file));
      files.set(sha256, file);
    }
  }
  return { rows: files.size, dropped, folder, files: [...files.values()] };
}

/** Where each imported episode came from, ours too, whose own stream does not say so. */
function* importedOf(log: EventLog, episodes: Iterable<string>): Generator<Imported> {
  for (const id of episodes) {
    for (const { event } of log.read(id, 0, ORIGIN)) if (event.kind === 'episode.imported') yield event;
    for (const { event } of log.read(`import/${id}`)) if (event.kind === 'episode.imported') yield event;
  }
}

/** The file's own name where it is free and harmless, else with its hash in it. */
function freeName(name: string, sha256: string, taken: ReadonlySet<string>): string {
  const safe =
    name
      .replace(/[^\p{L}\p{N}._ -]/gu, '_')
      .replace(/^\.+/, '_')
      .slice(0, 120) || 'file';
  if (!taken.has(safe)) return safe;
  const extension = extname(safe);
  return `${safe.slice(0, safe.length - extension.length)}-${sha256.slice(0, 8)}${extension}`;
}
