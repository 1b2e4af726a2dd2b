// One job of main's at a time, from asking for it to its end: started anew, followed, cancelled.
import type {
  ExportJob,
  ExportFormat,
  ExportReport,
  ExportRules,
  exporting,
} from '../../../shared/contract/export.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useMemo, useCallback, useEffect, useRef, useState } from 'react';
import type { Session } from '../../state/session.ts';
import { useSession, useConsole } from '../../state/hooks.ts';
import { z } from 'zod';
import { useAsk } from '../../state/queries.ts';

type JobEdges = {
  job: (id: string) => Promise<ExportJob>;
  cancel: (id: string) => Promise<unknown>;
  sleep: (ms: number) => Promise<void>;
};

/** `asked`: on its way, main has not named the job yet. */
export type JobNews = { isRunning: boolean; job: ExportJob | null; failure: FailureShape | null };

type JobRunner = {
  /** Ends what ran before, waits, and asks for another. */
  start: (ask: () => Promise<{ export: string }>, delayMs?: number) => void;
  /** Goes on with one that was asked for earlier. */
  follow: (id: string) => void;
  cancel: () => void;
  /** Tells nobody any more; what runs is cancelled, or left to end by itself. */
  close: (does: 'cancel' | 'leave') => void;
};

const IDLE: JobNews = { isRunning: false, job: null, failure: null };

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

function useExportCalls(): { call: Session['call']; edges: JobEdges } {
  const { call } = useSession();
  const edges = useMemo(
    () => ({
      job: (id: string) => call('export.job', { export: id }),
      cancel: (id: string) => call('export.cancel', { export: id }),
      sleep: (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms)),
    }),
    [call],
  );
  return { call, edges };
}

export type Check = {
  isRunning: boolean;
  job: ExportJob | null;
  failure: FailureShape | null;
  isCancelled: boolean;
  /** The newest that was finished, of these rules or of earlier ones. */
  report: ExportReport | null;
  /** The report is of other rules than those in the form, or a newer one is being made. */
  isStale: boolean;
  /** UTC ms at which the report was finished. */
  at: number;
  again: () => void;
  cancel: () => void;
};

/** After the last change: long enough to type a number, short enough not to be waited for. */
const CHECK_PAUSE_MS = 350;

type FinishedCheck = { key: string; report: ExportReport; at: number };

export function useExportCheck(format: ExportFormat, rules: ExportRules): Check {
  const { call, edges } = useExportCalls();
  const isOpen = useConsole(({ ui }) => ui.connection.state === 'open');
  const key = JSON.stringify([format, rules]);
  const [tries, setTries] = useState(0);
  const [news, setNews] = useState<JobNews>({ ...IDLE, isRunning: true });
  const [finished, setFinished] = useState<FinishedCheck | null>(null);
  const runner = useRef<JobRunner | null>(null);
  const asked = useRef('');

  useEffect(() => {
    const own = createJobRunner(edges, (next) => {
      setNews(next);
      const report = next.job?.state === 'done' ? next.job.report : null;
      if (report !== null) setFinished({ key: asked.current, report, at: Date.now() });
    });
    runner.current = own;
    return () => {
      asked.current = '';
      own.close('cancel');
    };
  }, [edges]);

  useEffect(() => {
    if (!isOpen) return;
    const isFirst = asked.current === '';
    asked.current = key;
    const request = { format, rules, write: null };
    runner.current?.start(() => call('export.start', request), isFirst ? 0 : CHECK_PAUSE_MS);
    // `key` says all that `format` and `rules` do, and keeps its identity while they say the same.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key, tries, isOpen, call, edges]);

  return {
    isRunning: news.isRunning,
    job: news.job,
    failure: news.failure,
    isCancelled:
      news.job?.state === 'cancelled' || (!news.isRunning && news.job === null && news.failure === null),
    report: finished?.report ?? null,
    isStale: finished !== null && (finished.key !== key || news.isRunning),
    at: finished?.at ?? 0,
    again: useCallback(() => setTries((count) => count + 1), []),
    cancel: useCallback(() => runner.current?.cancel(), []),
  };
}

type WriteRequest = z.output<(typeof exporting)['export.start']['input']>;

export type ExportWriting = {
  isRunning: boolean;
  /** The newest write, until it is put away. */
  job: ExportJob | null;
  failure: FailureShape | null;
  write: (request: WriteRequest) => void;
  cancel: () => void;
  /** Puts the result or the failure away. */
  close: () => void;
};

const WRITING_NAME = 'data-writing';

export function useWrite(): ExportWriting {
  const { own } = useSession();
  const { call, edges } = useExportCalls();
  const [news, setNews] = useState<JobNews>(IDLE);
  const runner = useRef<JobRunner | null>(null);
  useEffect(() => {
    const mine = createJobRunner(edges, (next) => {
      if (next.job !== null) own.write(WRITING_NAME, next.job.export);
      setNews(next);
    });
    runner.current = mine;
    const before = own.read(WRITING_NAME, z.string().nullable(), null);
    if (before !== null) mine.follow(before);
    return () => mine.close('leave');
  }, [edges, own]);
  const write = useCallback(
    (request: WriteRequest) => {
      own.remove(WRITING_NAME);
      runner.current?.start(() => call('export.start', request));
    },
    [call, own],
  );
  const close = useCallback(() => {
    own.remove(WRITING_NAME);
    setNews(IDLE);
  }, [own]);
  // A job that main no longer knows was written before main started again: the history has it.
  const isForgotten = news.failure?.code === 'not_found' && news.job === null;
  return {
    isRunning: news.isRunning,
    job: news.job,
    failure: isForgotten ? null : news.failure,
    write,
    cancel: useCallback(() => runner.current?.cancel(), []),
    close,
  };
}

/** Null when nothing stands in the way. */
export function blockedBy(
  {
    report,
    isStale,
    isRunning,
    failure,
    isCancelled,
  }: Pick<Check, 'report' | 'isStale' | 'isRunning' | 'failure' | 'isCancelled'>,
  despite: ReadonlySet<string>,
): string | null {
  if (isRunning) return 'Checking first';
  if (failure !== null) return 'It could not be checked';
  if (report === null || isStale || isCancelled) return 'Not checked yet';
  if (report.rows === 0) return 'No row passes the rules';
  const open = new Set(
    report.findings
      .filter(({ level, check }) => level === 'error' && !despite.has(check))
      .map(({ check }) => check),
  );
  if (open.size === 0) return null;
  return open.size === 1
    ? `Resolve this error first: ${[...open].join('').replaceAll('_', ' ')}`
    : `${String(open.size)} errors to resolve first`;
}

export type PastExport = z.output<(typeof exporting)['export.history']['output']>['exports'][number];

/** Read again whenever `written` changes: another write has ended. */
export function useHistory(written: string): {
  exports: readonly PastExport[];
  failure: FailureShape | null;
  again: () => void;
} {
  const { value, failure, again } = useAsk('export.history', {}, { revision: written });
  return { exports: value?.exports ?? NO_EXPORTS, failure, again };
}

const NO_EXPORTS: readonly PastExport[] = [];
