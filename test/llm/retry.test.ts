import { describe, expect, it } from 'vitest';
import type { Trouble } from '../../src/main/llm/failures.ts';
import { retryDelay, sleepFor, withRetries } from '../../src/main/llm/retry.ts';
import { Failure, type FailureCode } from '../../src/shared/failure.ts';

const failure = (code: FailureCode, trouble: Partial<Trouble> = {}): Failure =>
  new Failure(code, code, {
    cause: { status: null, retryAfterMs: null, isPassing: true, ...trouble } satisfies Trouble,
  });
const calm = new AbortController().signal;

describe('the schedule', () => {
  it('waits longer each time, within limits, and gives up', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((tries) =>
      retryDelay(failure('model_rate_limited'), tries, 1),
    );

    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, null]);
    expect(retryDelay(failure('model_rate_limited'), 1, 0)).toBe(500);
  });

  it('never waits less than the server asked for, and does not wait for ever', () => {
    expect(retryDelay(failure('model_rate_limited', { retryAfterMs: 20_000 }), 1, 0)).toBe(20_000);
    expect(retryDelay(failure('model_unavailable', { retryAfterMs: 0 }), 1, 0)).toBe(0);
    expect(retryDelay(failure('model_rate_limited', { retryAfterMs: 3_600_000 }), 1, 0)).toBeNull();
  });

  it.each([
    'model_unauthorized',
    'model_bad_request',
    'model_refused',
    'model_truncated',
    'internal',
  ] as const)('does not repeat %s', (code) => {
    expect(retryDelay(failure(code), 1, 0)).toBeNull();
  });

  it('does not repeat what will not pass, and nothing that says nothing about it', () => {
    expect(retryDelay(failure('model_rate_limited', { isPassing: false }), 1, 0)).toBeNull();
    expect(retryDelay(new Failure('model_unavailable', 'x'), 1, 0)).toBeNull();
  });
});

describe('trying again', () => {
  const run = async (outcomes: (Failure | string)[]) => {
    const heard: (number | null)[] = [];
    const slept: number[] = [];
    const result = await withRetries(
      () => {
        const next = outcomes.shift();
        return typeof next === 'string'
          ? Promise.resolve(next)
          : Promise.reject(next ?? new Error('none left'));
      },
      {
        sleep: (ms) => {
          slept.push(ms);
          return Promise.resolve();
        },
        random: () => 0,
        failed: (_, ms) => heard.push(ms),
      },
      calm,
    ).catch((thrown: unknown) => thrown);
    return { result, heard, slept };
  };

  it('tells of each failure before it waits, and gives the first success', async () => {
    const limited = failure('model_rate_limited', { retryAfterMs: 7_000 });

    expect(await run([limited, failure('model_unavailable'), 'ok'])).toEqual({
      result: 'ok',
      heard: [7_000, 1_000],
      slept: [7_000, 1_000],
    });
  });

  it('throws the last failure, having told that there is no further try', async () => {
    const last = failure('model_timeout');

    expect(await run([failure('model_timeout'), failure('model_timeout'), last])).toEqual({
      result: last,
      heard: [500, 1_000, null],
      slept: [500, 1_000],
    });
  });

  it('ends as cancelled when it is stopped while it waits', async () => {
    const stop = new AbortController();
    const waiting = withRetries(
      () => Promise.reject(failure('model_unavailable')),
      {
        sleep: (ms, signal) => {
          const slept = sleepFor(ms, signal);
          stop.abort();
          return slept;
        },
        random: () => 0,
        failed: () => undefined,
      },
      stop.signal,
    );

    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  });
});
