// One job of main's at a time, from asking for it to its end: started anew, followed, cancelled.
import type { ExportJob } from '../../../shared/contract/export.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';

export type JobEdges = {
  job: (id: string) => Promise<ExportJob>;
  cancel: (id: string) => Promise<unknown>;
  sleep: (ms: number) => Promise<void>;
};

/** `asked`: on its way, main has not named the job yet. */
export type JobNews = { isRunning: boolean; job: ExportJob | null; failure: FailureShape | null };

export type JobRunner = {
  /** Ends what ran before, waits, and asks for another. */
  start: (ask: () => Promise<{ export: string }>, delayMs?: number) => void;
  /** Goes on with one that was asked for earlier. */
  follow: (id: string) => void;
  cancel: () => void;
  /** Tells nobody any more; what runs is cancelled, or left to end by itself. */
  close: (does: 'cancel' | 'leave') => void;
};

export const IDLE: JobNews = { isRunning: false, job: null, failure: null };

/** A job that reads for long is asked about less often. */
const FIRST_WAIT_MS = 80;
const LONGEST_WAIT_MS = 600;

export function createJobRunner(edges: JobEdges, tell: (news: JobNews) => void): JobRunner {
  let turn = 0;
  let current: string | null = null;

  const end = (id: string): void => void edges.cancel(id).catch(() => undefined);
  const dropCurrent = (): void => {
    turn += 1;
    if (current !== null) end(current);
    current = null;
  };
  const watch = async (mine: number, id: string): Promise<void> => {
    current = id;
    for (let wait = FIRST_WAIT_MS; mine === turn; wait = Math.min(wait * 1.5, LONGEST_WAIT_MS)) {
      const job = await edges.job(id);
      if (mine !== turn) return;
      const isRunning = job.state === 'running';
      if (!isRunning) current = null;
      tell({ isRunning, job, failure: job.failure });
      if (!isRunning) return;
      await edges.sleep(wait);
    }
  };
  const run = (mine: number, work: () => Promise<void>): void =>
    void work().catch((thrown: unknown) => {
      if (mine !== turn) return;
      current = null;
      tell({ isRunning: false, job: null, failure: failureShape(thrown) });
    });

  return {
    start(ask, delayMs = 0) {
      dropCurrent();
      const mine = turn;
      tell({ isRunning: true, job: null, failure: null });
      run(mine, async () => {
        if (delayMs > 0) await edges.sleep(delayMs);
        if (mine !== turn) return;
        const { export: id } = await ask();
        // Asked for something else meanwhile: this one is nobody's.
        if (mine !== turn) return end(id);
        await watch(mine, id);
      });
    },
    follow(id) {
      dropCurrent();
      const mine = turn;
      tell({ isRunning: true, job: null, failure: null });
      run(mine, () => watch(mine, id));
    },
    cancel() {
      // Main says that it was cancelled; a job it has not named yet is ended as soon as it has.
      if (current !== null) return end(current);
      dropCurrent();
      tell(IDLE);
    },
    close(does) {
      if (does === 'leave') current = null;
      dropCurrent();
    },
  };
}

/** `Reading`, `Reading 120 of 4,000 episodes`. */
export const jobProgressText = (verb: string, job: Pick<ExportJob, 'done' | 'total'> | null): string =>
  job === null || job.total === 0
    ? verb
    : `${verb} ${job.done.toLocaleString()} of ${job.total.toLocaleString()} episodes`;
