import { defineConfig } from 'vitest/config';

// One app at a time: each has a window, and the display has one focus.
export default defineConfig({
  test: {
    include: ['test/desktop/**/*.test.ts'],
    maxWorkers: 1,
    retry: 1,
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
