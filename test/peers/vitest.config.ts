import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/peers/**/*.test.ts'],
    // Programs that tests start find their sources compiled.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../.cache/compiled') },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // They mostly wait for Python to start.
    maxWorkers: 2,
  },
});
