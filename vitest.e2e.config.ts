import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Two files at a time: each mostly waits for the product it started and for its browser.
export default defineConfig({
  test: {
    // The product's cache, once for all of them, and not in the home of whoever runs them.
    env: { XDG_CACHE_HOME: join(import.meta.dirname, '.cache') },
    include: ['test/e2e/**/*.test.ts'],
    maxWorkers: 2,
    // Two browsers and two servers share what cores there are: what fails twice is broken.
    retry: 1,
    // What is waited for comes when it comes: these limits only end a test that hangs.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
