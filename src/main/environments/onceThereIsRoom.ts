import { setTimeout as pause } from 'node:timers/promises';
import { failureShape } from '../../shared/failure.ts';

const AGAIN_MS = 200;

/** Tries again while the server has no room, as long as it may take to clear a closed session away. */
export async function onceThereIsRoom<T>(
  { clearedMs, signal }: { clearedMs: number; signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (thrown) {
      const isOver = performance.now() - startedAt > clearedMs;
      if (isOver || failureShape(thrown).code !== 'env_capacity') throw thrown;
      await pause(AGAIN_MS, null, { signal });
    }
  }
}
