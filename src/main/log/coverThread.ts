// Covers large values on a thread of this process, which is started when there is one and let go when there was none for long.
import type { MessagePort, Worker } from 'node:worker_threads';
import { answerCover } from '../../shared/redact/cover.ts';
import type { CoverAnswer, CoverElsewhere, CoverRequest } from '../../shared/redact/ahead.ts';
import { Failure } from '../../shared/failure.ts';
import { writeBigIntsAsDigits } from '../../shared/json.ts';
import type { StartThread } from './checkpoints.ts';

type Asked = { id: number; request: CoverRequest };
type Answered = { id: number; answer: CoverAnswer | null };

/** A thread that has had nothing to cover for so long is let go. */
const THREAD_IDLE_MS = 15_000;

/** The other end: serves until it is ended. */
export function serveCovering(port: MessagePort): void {
  writeBigIntsAsDigits();
  port.on('message', ({ id, request }: Asked) => {
    let answer: CoverAnswer | null = null;
    try {
      answer = answerCover(request);
    } catch {
      // Whoever asked covers it and meets the same.
    }
    port.postMessage({ id, answer } satisfies Answered);
  });
}

/** Rejects where the thread cannot be started or ends before it has answered. */
export function coverOnThread(start: StartThread): { cover: CoverElsewhere; close(): Promise<void> } {
  const waiting = new Map<number, PromiseWithResolvers<CoverAnswer>>();
  let thread: Worker | null = null;
  let idle: ReturnType<typeof setTimeout> | null = null;
  let last = 0;
  const end = async (): Promise<void> => {
    if (idle !== null) clearTimeout(idle);
    const ended = thread;
    thread = null;
    for (const { reject } of waiting.values())
      reject(new Failure('closed', 'the thread that covers has ended'));
    waiting.clear();
    await ended?.terminate();
  };
  const open = (): Worker => {
    const opened = start('covering', null);
    const lost = (): void => void (thread === opened && end());
    opened.on('message', ({ id, answer }: Answered) => {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (answer === null) asked?.reject(new Error('it could not be covered'));
      else asked?.resolve(answer);
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
  return {
    cover: async (request) => {
      if (idle !== null) clearTimeout(idle);
      thread ??= open();
      const id = (last += 1);
      thread.postMessage({ id, request } satisfies Asked);
      // Whoever waits for it must not see the process end for want of work.
      thread.ref();
      const asked = Promise.withResolvers<CoverAnswer>();
      waiting.set(id, asked);
      return asked.promise;
    },
    close: end,
  };
}
