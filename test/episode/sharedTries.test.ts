import { describe, expect, it } from 'vitest';
import { createSharedTries } from '../../src/main/episode/sharedTries.ts';

/** Work that ends when it is told to, and says what was begun and given up. */
function openTries(atOnce = 1, kept = 4) {
  const tries = createSharedTries<string>({ atOnce, kept });
  const begun: string[] = [];
  const stopped: string[] = [];
  const works = new Map<string, PromiseWithResolvers<string>>();
  const ask = (key: string, over: { signal?: AbortSignal; isAskedFor?: boolean; group?: string } = {}) =>
    tries.ask({
      key,
      group: over.group ?? 'episode',
      isAskedFor: over.isAskedFor ?? false,
      signal: over.signal ?? new AbortController().signal,
      make: (signal) => {
        begun.push(key);
        const work = Promise.withResolvers<string>();
        works.set(key, work);
        signal.addEventListener('abort', () => {
          stopped.push(key);
          work.reject(signal.reason as Error);
        });
        return work.promise;
      },
    });
  const end = (key: string): void => works.get(key)?.resolve(`${key} ended`);
  return { tries, begun, stopped, works, ask, end };
}

describe('tries of the same calls in the same state', () => {
  it('are made once for all who ask, and kept for those who ask later', async () => {
    const { begun, ask, end } = openTries();
    const both = Promise.all([ask('a'), ask('a')]);
    end('a');

    expect(await both).toEqual(['a ended', 'a ended']);
    expect(await ask('a')).toBe('a ended');
    expect(begun).toEqual(['a']);
  });

  it('go on while one of those who asked still waits, and end with the last of them', async () => {
    const { stopped, ask } = openTries();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = ask('a', { signal: one.signal });
    const second = ask('a', { signal: two.signal });

    one.abort();
    await expect(first).rejects.toThrow(/given up/);
    expect(stopped).toEqual([]);
    two.abort();
    await expect(second).rejects.toThrow(/given up/);
    expect(stopped).toEqual(['a']);
  });

  it('take the newest first where more are asked for than are made at once', async () => {
    const { begun, ask, end } = openTries();
    const all = Promise.all(['a', 'b', 'c'].map((key) => ask(key)));
    for (const key of ['a', 'c', 'b']) {
      await expect.poll(() => begun.at(-1)).toBe(key);
      end(key);
    }

    expect(await all).toEqual(['a ended', 'b ended', 'c ended']);
  });

  it('end when the question closes, but for those that a person asked for', async () => {
    const { tries, stopped, ask, end } = openTries(4);
    const own = ask('shown');
    const others = Promise.all([ask('elsewhere', { group: 'other' }), ask('asked', { isAskedFor: true })]);

    tries.endGroup('episode');
    end('asked');
    end('elsewhere');

    await expect(own).rejects.toThrow(/given up/);
    expect(await others).toEqual(['elsewhere ended', 'asked ended']);
    expect(stopped).toEqual(['shown']);
  });

  it('are made again after a failure, and when the oldest of many was dropped', async () => {
    const { begun, works, ask, end } = openTries(1, 2);
    const failing = ask('a');
    works.get('a')?.reject(new Error('no room'));
    await expect(failing).rejects.toThrow('no room');
    for (const key of ['a', 'b', 'c', 'a']) {
      const asked = ask(key);
      end(key);
      await asked;
    }

    expect(begun).toEqual(['a', 'a', 'b', 'c', 'a']);
  });
});
