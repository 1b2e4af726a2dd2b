// Does what takes long with a large value on a thread of this process, which is started when there is one and let go when
// there was none for long.
import type { MessagePort, Worker } from 'node:worker_threads';
import { answerCover } from '../../shared/redact/cover.ts';
import { LARGE, sizeOf, type CoverAnswer, type CoverRequest } from '../../shared/redact/ahead.ts';
import { Failure } from '../../shared/failure.ts';
import type { StartThread } from './checkpoints.ts';

/** Work that needs nothing but what it is given. Both are copied between threads: texts and bytes, not many small values. */
export type Job<Given, Result> = { name: string; run: (given: Given) => Result };
export type RunJob = <Given, Result>(job: Job<Given, Result>, given: Given) => Promise<Result>;

export const COVER: Job<CoverRequest, CoverAnswer> = { name: 'cover', run: answerCover };

type Asked = { id: number; name: string; given: unknown };
type Answered = { id: number; result: unknown; isDone: boolean };

/** A thread that has had nothing to do for so long is let go. */
const THREAD_IDLE_MS = 15_000;

/** The other end: serves until it is ended. */
export function serveJobs(port: MessagePort, jobs: readonly Job<never, unknown>[]): void {
  const byName = new Map(jobs.map((job) => [job.name, job]));
  port.on('message', ({ id, name, given }: Asked) => {
    let answer: Answered = { id, result: null, isDone: false };
    try {
      const job = byName.get(name);
      if (job !== undefined) answer = { id, result: job.run(given as never), isDone: true };
    } catch {
      // Whoever asked does it and meets the same.
    }
    port.postMessage(answer);
  });
}

/** Rejects where the thread cannot be started or ends before it has answered. */
export function runOnThread(start: StartThread): RunJob {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let thread: Worker | null = null;
  let idle: ReturnType<typeof setTimeout> | null = null;
  let last = 0;
  const end = async (): Promise<void> => {
    if (idle !== null) clearTimeout(idle);
    const ended = thread;
    thread = null;
    for (const { reject } of waiting.values())
      reject(new Failure('closed', 'the thread for large values has ended'));
    waiting.clear();
    await ended?.terminate();
  };
  const open = (): Worker => {
    const opened = start('large', null);
    const lost = (): void => void (thread === opened && end());
    opened.on('message', ({ id, result, isDone }: Answered) => {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (isDone) asked?.resolve(result);
      else asked?.reject(new Error('it could not be done'));
      if (waiting.size > 0 || thread !== opened) return;
      opened.unref();
      idle = setTimeout(() => void end(), THREAD_IDLE_MS);
      idle.unref();
    });
    opened.on('error', lost);
    opened.on('exit', lost);
    opened.unref();
    return opened;
  };
  return async <Given, Result>(job: Job<Given, Result>, given: Given) => {
    if (idle !== null) clearTimeout(idle);
    thread ??= open();
    const id = (last += 1);
    thread.postMessage({ id, name: job.name, given } satisfies Asked);
    // Whoever waits for it must not see the process end for want of work.
    thread.ref();
    const asked = Promise.withResolvers<unknown>();
    waiting.set(id, asked);
    return (await asked.promise) as Result;
  };
}

/** The same where nothing may be lost: what is not large, and what the thread could not do, is done here. */
export const runLarge =
  (onThread: RunJob | null): RunJob =>
  async (job, given) =>
    onThread === null || sizeOf(given) <= LARGE
      ? job.run(given)
      : onThread(job, given).catch(() => job.run(given));
