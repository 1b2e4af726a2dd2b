// Owns: the log's own way out and back in: every event of every ended episode, texts whole, nothing lost; and the files
// that imported episodes came from, byte for byte.
import { statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { ExportRules } from '../../shared/contract/export.ts';
import type { EventLog } from '../log/eventLog.ts';
import { paceOf, writeAside, type Into, type Written } from './aside.ts';
import { chosenEpisodes } from './export/chosen.ts';
import { bundleHead } from './export/evidence.ts';
import { sumOf } from './export/folder.ts';
import { openLines, type FileSum } from './export/lines.ts';
import { CHECKSUMS, EVENTS_FILE } from './export/ownFolder.ts';
import type { Sources } from './import/sources.ts';
import { originsOf } from './origins.ts';
import { withTexts } from './withTexts.ts';

const PAGE = 500;

/** `rules` choose episodes; those that choose rows are not looked at. */
type Where = Into & { rules?: ExportRules };

/**
 * Writes `events.jsonl`: a line that names the format, then an event a line, an episode after the other. Episodes whose
 * texts were erased are left out. Throws as `writeAside` does.
 */
export const writeBundle = (
  log: EventLog,
  { rules = ExportRules.parse({}), ...into }: Where,
): Promise<Written> =>
  writeAside(into, { places: [EVENTS_FILE], isPlain: true }, async (stage, pace) => {
    const lines = openLines(stage.path(EVENTS_FILE));
    let rows = 0;
    const dropped: Record<string, number> = {};
    try {
      lines.add(bundleHead());
      for (const episode of chosenEpisodes(log, rules, dropped)) {
        for (let after = 0; ;) {
          const page = log.read(episode, after, PAGE);
          for (const { n, at, actor, event } of page)
            lines.add(
              JSON.stringify({
                episode,
                n,
                at,
                actor,
                event: withTexts(event, (text) => log.texts.whole(text)),
              }),
            );
          rows += page.length;
          after = page.at(-1)?.n ?? after;
          await pace();
          if (page.length < PAGE) break;
        }
      }
    } finally {
      lines.close();
    }
    return { rows, dropped, files: [EVENTS_FILE], sums: new Map([[EVENTS_FILE, lines.close()]]) };
  });

/** Writes the files that imported episodes came from, and what lay beside them, as they were. Throws as `writeAside` does. */
export async function writeSources(
  log: EventLog,
  sources: Sources,
  { rules = ExportRules.parse({}), ...into }: Where,
): Promise<Written> {
  const { files, dropped } = await keptOf(log, sources, { rules, ...into });
  // What holds these very bytes is replaced by them: nothing is lost.
  const places = [...files].filter(([name, { sha256 }]) => !holds(into.folder, name, sha256));
  return writeAside(into, { places: places.map(([name]) => name) }, async (stage, pace) => {
    for (const [name, { sha256 }] of files) {
      await sources.writeBack(sha256, stage.path(name));
      await pace();
    }
    return { rows: files.size, dropped, files: [...files.keys()], sums: files };
  });
}

/** The files that are kept, under the names they are written back as. */
async function keptOf(
  log: EventLog,
  sources: Sources,
  { rules, ...into }: Required<Pick<Where, 'rules'>> & Into,
) {
  const pace = paceOf(into);
  const files = new Map<string, FileSum>();
  const seen = new Set<string>();
  const dropped: Record<string, number> = {};
  for (const episode of chosenEpisodes(log, rules, dropped)) {
    const kept = originsOf(log, episode).flatMap(({ source, companions }) => [source, ...companions]);
    for (const { sha256, name, bytes } of kept) {
      if (seen.has(sha256)) continue;
      seen.add(sha256);
      if (sources.find(sha256) === null) dropped['not_kept'] = (dropped['not_kept'] ?? 0) + 1;
      else files.set(freeName(basename(name), sha256, files), { sha256, bytes });
    }
    await pace();
  }
  return { files, dropped };
}

function holds(folder: string, name: string, sha256: string): boolean {
  const path = join(folder, name);
  return (
    statSync(path, { throwIfNoEntry: false })?.isFile() === true && sumOf(folder, name).sha256 === sha256
  );
}

/** The file's own name where it is free and harmless, else with its hash in it. */
function freeName(name: string, sha256: string, taken: ReadonlyMap<string, unknown>): string {
  const safe =
    name
      .replace(/[^\p{L}\p{N}._ -]/gu, '_')
      .replace(/^\.+/, '_')
      .slice(0, 120) || 'file';
  if (!taken.has(safe) && safe !== CHECKSUMS) return safe;
  const extension = extname(safe);
  return `${safe.slice(0, safe.length - extension.length)}-${sha256.slice(0, 8)}${extension}`;
}
