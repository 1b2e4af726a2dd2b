// The check of what would be written: asked by itself when the rules change, followed, cancelled, dated.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ExportFormat, ExportJob, ExportReport, ExportRules } from '../../../shared/contract/export.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { useConsole } from '../../state/hooks.ts';
import { useExportCalls } from './exportCalls.ts';
import { createJobRunner, IDLE, type JobNews, type JobRunner } from './jobRunner.ts';

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
