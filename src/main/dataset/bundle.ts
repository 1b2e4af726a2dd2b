// Exports the log itself: every event of every ended episode with its long texts, and the source files of imported
// episodes byte for byte.
import { statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { ExportRules, type Finding } from '../../shared/contract/export.ts';
import type { EventLog } from '../log/eventLog.ts';
import { isDamagedLog, Failure } from '../../shared/failure.ts';
import { countOne } from './export/collectedRows.ts';
import { type YieldToOthers, createPace } from './export/pace.ts';
import { chosenEpisodes } from './export/select.ts';
import { bundleHead } from './export/rowFiles.ts';
import {
  sumOfFile,
  CHECKSUMS,
  EVENTS_FILE,
  openStage,
  type FolderStage,
  EXPORT_MARK,
  markText,
} from './export/folderStage.ts';
import { holdsKey, holdsNamedSecret } from './export/preflight/privacy.ts';
import { plainText } from './export/preflight/seenRow.ts';
import { openLineWriter, type FileSum, writeTextFile } from './export/lineWriter.ts';
import type { SourceStore } from './import/sourceStore.ts';
import { originsOf } from './origins.ts';
import { withTexts } from '../../shared/events/text.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';

const EPISODES_PER_PAGE = 500;

/** `rules` choose episodes; those that choose rows are not looked at. */
type BundleTarget = Into & { rules?: ExportRules };

/**
 * Writes `events.jsonl`: a line that names the format, then an event a line, an episode after the other. Episodes whose
 * texts were erased are left out, and so are those that cannot be read, which are named. Throws as `writeAside` does.
 */
export const writeEventBundle = (
  log: EventLog,
  { rules = ExportRules.parse({}), ...into }: BundleTarget,
): Promise<WrittenFiles> =>
  writeAside(into, { places: [EVENTS_FILE], isPlain: true }, async (stage, pace) => {
    const lines = openLineWriter(stage.path(EVENTS_FILE));
    let rows = 0;
    const dropped: Record<string, number> = {};
    const suspects = new Map<string, number>();
    const damaged: string[] = [];
    try {
      lines.add(bundleHead());
      for (const episode of chosenEpisodes(log, rules, dropped)) {
        try {
          // An episode is written whole or not at all.
          const all = await episodeLines(log, episode, pace);
          for (const line of all.lines) lines.add(line);
          rows += all.lines.length;
          if (all.suspect !== null) suspects.set(episode, all.suspect);
        } catch (thrown) {
          if (!isDamagedLog(thrown)) throw thrown;
          countOne(dropped, 'damaged');
          damaged.push(episode);
        }
      }
    } finally {
      lines.close();
    }
    const sums = new Map([[EVENTS_FILE, lines.close()]]);
    return {
      rows,
      dropped,
      files: [EVENTS_FILE],
      sums,
      findings: secretFindings(suspects),
      ...(damaged.length === 0 ? {} : { damaged }),
    };
  });

type EpisodeLines = {
  lines: string[];
  /** The first event that holds what looks like a secret. */
  suspect: number | null;
};

async function episodeLines(log: EventLog, episode: string, pace: YieldToOthers): Promise<EpisodeLines> {
  const lines: string[] = [];
  let suspect: number | null = null;
  for (let after = 0; ;) {
    const page = log.read(episode, after, EPISODES_PER_PAGE);
    for (const { n, at, actor, event: stored } of page) {
      const event = withTexts(stored, (text) => log.texts.loadText(text));
      const line = JSON.stringify({ episode, n, at, actor, event });
      if (suspect === null && (holdsKey(plainText(line)) || holdsNamedSecret(line))) suspect = n;
      lines.push(line);
    }
    after = page.at(-1)?.n ?? after;
    await pace();
    if (page.length < EPISODES_PER_PAGE) return { lines, suspect };
  }
}

/** The bare log is written as it is, so that what it holds is said and not taken out. */
function secretFindings(suspects: ReadonlyMap<string, number>): Finding[] {
  if (suspects.size === 0) return [];
  const episodes = suspects.size === 1 ? '1 episode' : `${suspects.size.toLocaleString('en')} episodes`;
  const message = `${EVENTS_FILE} is the log as it is: in ${episodes} it holds what looks like a key, a token or a password. Erase it from the log before you give the file away.`;
  const at = [...suspects].slice(0, 20).map(([episode, n]) => ({ episode, n }));
  return [{ check: 'events_secrets', level: 'warning', message, count: suspects.size, at }];
}

/** Writes the files that imported episodes came from, and what lay beside them, as they were. Throws as `writeAside` does. */
export async function writeSources(
  log: EventLog,
  sources: SourceStore,
  { rules = ExportRules.parse({}), ...into }: BundleTarget,
): Promise<WrittenFiles> {
  const { files, dropped } = await keptOf(log, sources, { rules, ...into });
  // What holds these very bytes is replaced by them: nothing is lost.
  const places = [...files].filter(([name, { sha256 }]) => !hasFile(into.folder, name, sha256));
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
  sources: SourceStore,
  { rules, ...into }: Required<Pick<BundleTarget, 'rules'>> & Into,
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
      else files.set(freeSourceName(basename(name), sha256, files), { sha256, bytes });
    }
    await pace();
  }
  return { files, dropped };
}

function hasFile(folder: string, name: string, sha256: string): boolean {
  const path = join(folder, name);
  return (
    statSync(path, { throwIfNoEntry: false })?.isFile() === true && sumOfFile(folder, name).sha256 === sha256
  );
}

/** The file's own name where it is free and harmless, else with its hash in it. */
function freeSourceName(name: string, sha256: string, taken: ReadonlyMap<string, unknown>): string {
  const safe =
    name
      .replace(/[^\p{L}\p{N}._ -]/gu, '_')
      .replace(/^\.+/, '_')
      .slice(0, 120) || 'file';
  if (!taken.has(safe) && safe !== CHECKSUMS) return safe;
  const extension = extname(safe);
  return `${safe.slice(0, safe.length - extension.length)}-${sha256.slice(0, 8)}${extension}`;
}

export type Into = { folder: string; isForced: boolean; signal?: AbortSignal };
type WriteCounts = {
  rows: number;
  dropped: Record<string, number>;
  files: string[];
  /** What whoever gives the files away should know. */
  findings?: Finding[];
  /** Episodes that were left out because they cannot be read. */
  damaged?: string[];
};
export type WrittenFiles = WriteCounts & { folder: string };

type Wrote = WriteCounts & {
  /** Of files that need not be read again to be summed up. */
  sums?: ReadonlyMap<string, FileSum>;
};
type WritePlan = {
  /** Names that are free or an earlier export's, or nothing is written. */
  places: readonly string[];
  /** The files say by themselves that they are ours. */
  isPlain?: boolean;
};

const NEVER = new AbortController().signal;
const paceOf = ({ signal = NEVER }: Into): YieldToOthers => createPace(signal);

/** Writes the files, or nothing. Throws `export_refused` for what is in the way, and `cancelled`. */
export async function writeAside(
  into: Into,
  { places, isPlain = false }: WritePlan,
  write: (stage: FolderStage, pace: YieldToOthers) => Wrote | Promise<Wrote>,
): Promise<WrittenFiles> {
  const { folder, isForced, signal = NEVER } = into;
  const stage = openStage(folder, isForced, [...places, CHECKSUMS, ...(isPlain ? [] : [EXPORT_MARK])]);
  try {
    const { sums = new Map<string, FileSum>(), ...counts } = await write(stage, paceOf(into));
    if (!isPlain) writeTextFile(stage.path(EXPORT_MARK), markText());
    // A signal is heard between turns only.
    await nextTurn();
    if (signal.aborted) throw new Failure('cancelled', 'the export was cancelled');
    stage.finish(sums);
    return { ...counts, folder };
  } catch (thrown) {
    stage.abandon();
    throw thrown;
  }
}
