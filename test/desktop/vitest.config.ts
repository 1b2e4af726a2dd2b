import { defineConfig } from 'vitest/config';

// Each app has a window and a home of its own; two of them keep two processors busy.
export default defineConfig({
  test: {
    include: ['test/desktop/**/*.test.ts'],
    maxWorkers: 2,
    retry: 1,
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
