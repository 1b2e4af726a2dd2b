// Writing a data set: asked, followed, cancelled, and still followed when the person comes back to the view.
import { useCallback, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import type { ExportJob, exporting } from '../../../shared/contract/export.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';
import { useExportCalls } from './exportCalls.ts';
import { createJobRunner, IDLE, type JobNews, type JobRunner } from './jobRunner.ts';

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
