// Archiving and bringing back many episodes, a few at a time, so that live episodes never wait for long.
import { join } from 'node:path';
import type { Actor } from '../../shared/events/actor.ts';
import { Failure } from '../../shared/failure.ts';
import { ARCHIVES } from './archived.ts';
import type { ArchiveDraft } from './archiveDraft.ts';
import type { EventLog } from './eventLog.ts';

export type ArchiveProgress = {
  stage: 'writing' | 'checking' | 'removing' | 'compacting' | 'restoring' | 'undoing';
  done: number;
  total: number;
};

/** Abort with this reason when the process is about to end: what was moved stays where it is, since nobody can wait. */
export const LEAVING = 'leaving';

export type ArchiveRequest = {
  episodes: readonly string[];
  actor: Actor;
  /** Whether the log's file is written anew, which everything waits for. */
  isCompacted: boolean;
  signal: AbortSignal;
  onProgress: (progress: ArchiveProgress) => void;
};
type ArchiveOutcome = { file: string | null; episodes: number; skipped: number; freed: number };

/** Where a new archive goes: its name says when it was made. */
export const newArchivePath = (folder: string, now: number): string =>
  join(folder, ARCHIVES, `episodes-${new Date(now).toISOString().replace(/[:.]/g, '-')}.sqlite`);

/** Episodes of the first step, which nothing else interrupts, and of the longest. */
const STEP_MIN = 4;
const STEP_MAX = 64;
/** A step that took less than this lets the next be longer, and one that took more than the other shorter. */
const BRISK_MS = 20;
const SLOW_MS = 40;

/**
 * Writes the episodes to `path`, proves the file and takes them out of the log. Stopped or failed on the way, everything
 * is as it was: the file is gone, and what had been taken out is back.
 */
export async function archiveEpisodes(
  log: EventLog,
  path: string,
  { episodes, isCompacted, ...hooks }: ArchiveRequest,
): Promise<ArchiveOutcome> {
  const { archiver } = log;
  const ready = archiver.ready(episodes);
  const skipped = episodes.length - ready.length;
  if (ready.length === 0) return { file: null, episodes: 0, skipped, freed: 0 };
  const before = log.bytes();
  const added = await writeFile(archiver.draft(path), ready, hooks);
  await takeOut(log, path, added, hooks);
  const more = archiver.dropTexts(path);
  while (more()) await yieldToEventLoop();
  if (isCompacted) {
    hooks.onProgress({ stage: 'compacting', done: 0, total: 1 });
    await yieldToEventLoop();
    archiver.compact();
  }
  const freed = isCompacted ? Math.max(0, before - log.bytes()) : 0;
  return { file: path, episodes: added.length, skipped, freed };
}

type Hooks = Pick<ArchiveRequest, 'actor' | 'signal' | 'onProgress'>;

/** Resolves with the episodes that the file holds once it is read back, compared and named. */
async function writeFile(
  draft: ArchiveDraft,
  episodes: readonly string[],
  { signal, onProgress }: Hooks,
): Promise<string[]> {
  const added: string[] = [];
  try {
    await inSteps(episodes, (step, done) => {
      signal.throwIfAborted();
      added.push(...draft.add(step));
      onProgress({ stage: 'writing', done, total: episodes.length });
    });
    draft.addBeside();
    onProgress({ stage: 'checking', done: 0, total: added.length });
    await yieldToEventLoop();
    for (let done = 0; ;) {
      const checked = draft.check();
      if (checked === 0) break;
      signal.throwIfAborted();
      done += checked;
      onProgress({ stage: 'checking', done, total: added.length });
      await yieldToEventLoop();
    }
    await draft.checkPages();
    signal.throwIfAborted();
    draft.seal();
    return added;
  } catch (thrown) {
    draft.discard();
    throw signal.aborted ? stopped('Nothing was taken out of the log.') : thrown;
  }
}

async function takeOut(
  log: EventLog,
  path: string,
  episodes: readonly string[],
  hooks: Hooks,
): Promise<void> {
  const { actor, signal, onProgress } = hooks;
  let out = 0;
  try {
    await inSteps(episodes, (step, done) => {
      signal.throwIfAborted();
      log.archiver.remove(path, step, actor);
      out = done;
      onProgress({ stage: 'removing', done, total: episodes.length });
    });
  } catch (thrown) {
    if (signal.reason === LEAVING) throw stopped(`${String(out)} episodes are in ${path}.`);
    await putBack(log, path, episodes.slice(0, out), hooks);
    throw signal.aborted ? stopped('Everything is as it was.') : thrown;
  }
}

/** Undoes what was taken out, then removes the file. Where that fails, the file stays and holds what is not back. */
async function putBack(
  log: EventLog,
  path: string,
  episodes: readonly string[],
  { actor, onProgress }: Hooks,
): Promise<void> {
  await inSteps(episodes, (step, done) => {
    log.archiver.bringBack(step, actor);
    onProgress({ stage: 'undoing', done, total: episodes.length });
  });
  log.archives.remove(path);
}

/** Writes archived episodes back into the log; those that are not archived are left as they are. */
export async function bringEpisodesBack(
  log: EventLog,
  { episodes, actor, signal, onProgress }: Omit<ArchiveRequest, 'isCompacted'>,
): Promise<ArchiveOutcome> {
  const archived = episodes.filter((id) => log.archives.path(id) !== null);
  let back = 0;
  await inSteps(archived, (step, done) => {
    if (signal.aborted)
      throw stopped(
        `${String(back)} of ${String(archived.length)} episodes are back, the others stay archived.`,
      );
    log.archiver.bringBack(step, actor);
    back = done;
    onProgress({ stage: 'restoring', done, total: archived.length });
  });
  return { file: null, episodes: archived.length, skipped: episodes.length - archived.length, freed: 0 };
}

const stopped = (what: string): Failure => new Failure('cancelled', `it was stopped. ${what}`);

/** Works through the episodes some at a time, so many that everything else has its turn soon. */
async function inSteps(
  all: readonly string[],
  work: (step: readonly string[], done: number) => void,
): Promise<void> {
  let size = STEP_MIN;
  for (let at = 0; at < all.length;) {
    const step = all.slice(at, at + size);
    at += step.length;
    const began = performance.now();
    work(step, at);
    const took = performance.now() - began;
    if (took < BRISK_MS) size = Math.min(STEP_MAX, size * 2);
    if (took > SLOW_MS) size = Math.max(STEP_MIN, Math.floor(size / 2));
    await yieldToEventLoop();
  }
}

const yieldToEventLoop = (): Promise<void> => new Promise((go) => setImmediate(go));
