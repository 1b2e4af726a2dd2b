// Runs the archiving that a console asked for, one job at a time, with its progress.
import type { ArchiveChoice, ArchiveJob } from '../../shared/contract/archive.ts';
import type { Actor } from '../../shared/events/actor.ts';
import { Failure, failureShape } from '../../shared/failure.ts';
import { archiveEpisodes, bringEpisodesBack, LEAVING, newArchivePath } from './archiveRun.ts';
import type { EventLog } from './eventLog.ts';

export type ArchiveJobs = {
  /** Into a new file of the data folder, or at a whole path. */
  archive(choice: ArchiveChoice, isCompacted: boolean, actor: Actor, to?: string): string;
  bringBack(from: { episodes: readonly string[] } | { file: string }, actor: Actor): string;
  jobs(): ArchiveJob[];
  /** Stops a job, or forgets one that is over. Throws `not_found`. */
  cancel(id: string): void;
  /** Resolves when it is over. Throws `not_found`. */
  ended(id: string): Promise<ArchiveJob>;
  /** The episodes of a choice. */
  episodesOf(choice: ArchiveChoice): Promise<readonly string[]>;
  close(): Promise<void>;
};

type ArchiveJobsDependencies = { log: EventLog; folder: string; clock: () => number; newId: () => string };
type RunningJob = { job: ArchiveJob; stopping: AbortController; over: PromiseWithResolvers<void> };
type Hooks = { signal: AbortSignal; onProgress: (progress: ArchiveJob['progress']) => void };
type Work = (hooks: Hooks) => Promise<Pick<ArchiveJob, 'episodes' | 'skipped' | 'freed'>>;

const FINISHED_MAX = 20;
const IDS_PER_PAGE = 1_000;

export function createArchiveJobs({ log, folder, clock, newId }: ArchiveJobsDependencies): ArchiveJobs {
  const jobs = new Map<string, RunningJob>();
  let queue: Promise<void> = Promise.resolve();
  const begin = (act: ArchiveJob['act'], path: string | null, work: Work): string => {
    const job: ArchiveJob = {
      job: newId(),
      act,
      state: 'waiting',
      progress: null,
      file: path === null ? null : log.archives.nameOf(path),
      path,
      episodes: 0,
      skipped: 0,
      freed: 0,
      failure: null,
    };
    const running = { job, stopping: new AbortController(), over: Promise.withResolvers<void>() };
    forgetOldJobs(jobs);
    jobs.set(job.job, running);
    queue = queue.then(() => runJob(running, work)).then(running.over.resolve);
    return job.job;
  };
  const episodesOf = async (choice: ArchiveChoice): Promise<readonly string[]> =>
    'episodes' in choice ? choice.episodes : endedBefore(log, choice.ended_before);
  return {
    episodesOf,
    archive: (choice, isCompacted, actor, to) => {
      const path = to ?? newArchivePath(folder, clock());
      return begin('archive', path, async (hooks) =>
        archiveEpisodes(log, path, {
          episodes: await episodesOf(choice),
          // Everything waits for that, so episodes that have begun meanwhile would stand still.
          isCompacted: isCompacted && log.projections.open().length === 0,
          actor,
          ...hooks,
        }),
      );
    },
    bringBack: (from, actor) => {
      const isFile = 'file' in from;
      const episodes = isFile ? log.archives.episodes(from.file) : from.episodes;
      const path = isFile ? log.archives.pathOf(from.file) : null;
      return begin('bring_back', path, (hooks) => bringEpisodesBack(log, { episodes, actor, ...hooks }));
    },
    ended: (id) => endOf(findJob(jobs, id)),
    jobs: () => [...jobs.values()].map(({ job }) => ({ ...job })),
    cancel: (id) => {
      const found = findJob(jobs, id);
      if (isOver(found)) jobs.delete(id);
      else found.stopping.abort();
    },
    close: async () => {
      for (const { stopping } of jobs.values()) stopping.abort(LEAVING);
      await queue;
    },
  };
}

function findJob(jobs: ReadonlyMap<string, RunningJob>, id: string): RunningJob {
  const found = jobs.get(id);
  if (found === undefined) throw new Failure('not_found', 'there is no such archiving');
  return found;
}

async function endOf({ job, over }: RunningJob): Promise<ArchiveJob> {
  await over.promise;
  return { ...job };
}

const isOver = ({ job }: RunningJob): boolean => job.state !== 'running' && job.state !== 'waiting';

function forgetOldJobs(jobs: Map<string, RunningJob>): void {
  const over = [...jobs.entries()].filter(([, job]) => isOver(job));
  for (const [id] of over.slice(0, Math.max(0, over.length - FINISHED_MAX))) jobs.delete(id);
}

async function runJob({ job, stopping: { signal } }: RunningJob, work: Work): Promise<void> {
  if (signal.aborted) return void (job.state = 'cancelled');
  job.state = 'running';
  const onProgress: Hooks['onProgress'] = (progress) => {
    job.progress = progress;
  };
  try {
    const { episodes, skipped, freed } = await work({ signal, onProgress });
    Object.assign(job, { state: 'done', episodes, skipped, freed });
  } catch (thrown) {
    const failure = failureShape(thrown);
    job.state = failure.code === 'cancelled' ? 'cancelled' : 'failed';
    job.failure = failure;
  }
}

/** Looked for a page at a time, since there may be very many. */
async function endedBefore(log: EventLog, at: number): Promise<string[]> {
  const ids: string[] = [];
  for (let after: { id: string; startedAt: number } | null = null; ;) {
    const page = log.projections.endedEpisodes.endedBefore(at, after, IDS_PER_PAGE);
    ids.push(...page.map(({ id }) => id));
    after = page.at(-1) ?? null;
    if (page.length < IDS_PER_PAGE) return ids;
    await new Promise((go) => setImmediate(go));
  }
}
