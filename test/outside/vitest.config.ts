import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // The loop trains a model where the kit is there; without it, it is one of the peers.
    include: ['test/outside/**/*.test.ts', 'test/peers/loop.test.ts'],
    // Programs that tests start find their sources compiled.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../.cache/compiled') },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // They mostly wait for Python to start.
    maxWorkers: 2,
  },
});
