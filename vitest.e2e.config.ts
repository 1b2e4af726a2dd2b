import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// One file after the other: each starts the built product and a browser, and two at once only wait for each other.
export default defineConfig({
  test: {
    // The product's cache, once for all of them, and not in the home of whoever runs them.
    env: { XDG_CACHE_HOME: join(import.meta.dirname, '.cache') },
    include: ['test/e2e/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
