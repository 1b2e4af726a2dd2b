import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/peers/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Real Python processes on a small machine: one file after the other.
    fileParallelism: false,
  },
});
