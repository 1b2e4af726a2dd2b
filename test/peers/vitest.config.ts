import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/peers/**/*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // They mostly wait for Python to start.
    maxWorkers: 2,
  },
});
