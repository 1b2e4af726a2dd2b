import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { collector, createMemoryBack } from '../../src/main/gateway/memoryBack.ts';

describe('memory after a crowd', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const leave = (count: number, closed: () => void): void => {
    for (let i = 0; i < count; i += 1) closed();
  };

  it('is given back once, when no more of it leaves', () => {
    const collect = vi.fn();
    const memory = createMemoryBack(collect, () => 0);
    leave(400, memory.closed);
    vi.advanceTimersByTime(900);
    memory.closed();
    vi.advanceTimersByTime(900);
    expect(collect).not.toHaveBeenCalled();
    vi.advanceTimersByTime(200);
    expect(collect).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(60_000);
    expect(collect).toHaveBeenCalledTimes(1);
  });

  it('waits for a second in which nothing passes, though not for ever', () => {
    const collect = vi.fn();
    let frames = 0;
    const memory = createMemoryBack(collect, () => frames);
    const others = setInterval(() => (frames += 1), 100);
    leave(400, memory.closed);
    vi.advanceTimersByTime(10_000);
    expect(collect).not.toHaveBeenCalled();
    vi.advanceTimersByTime(21_000);
    expect(collect).toHaveBeenCalledTimes(1);

    leave(400, memory.closed);
    vi.advanceTimersByTime(5_000);
    clearInterval(others);
    vi.advanceTimersByTime(2_000);
    expect(collect).toHaveBeenCalledTimes(2);
  });
});

it('really collects: what nothing refers to any more is gone', async () => {
  const collect = collector();
  let kept: object | null = { large: Buffer.alloc(1 << 20) };
  const seen = new WeakRef(kept);
  kept = null;
  await new Promise((resolve) => setTimeout(resolve, 0));
  collect();
  expect(kept).toBeNull();
  expect(seen.deref()).toBeUndefined();
});
