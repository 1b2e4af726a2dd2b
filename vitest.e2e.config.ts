import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Three files at a time: each mostly waits for the product it started and for its browser, and two left a third of two
// cores idle.
export default defineConfig({
  test: {
    env: {
      // The key of whoever runs the tests knows no folder of theirs.
      XDG_CONFIG_HOME: join(import.meta.dirname, '.cache', 'config'),
      // Programs that tests start find their sources compiled: a command begins in half the time.
      NODE_COMPILE_CACHE: join(import.meta.dirname, '.cache', 'compiled'),
    },
    include: ['test/e2e/**/*.test.ts'],
    maxWorkers: 3,
    // A browser and a server for each of three files share what cores there are, and now and then one of them stands still
    // for long enough to fail a test. Every test starts on a server of its own, so what fails twice is broken.
    retry: 1,
    // Where so many fail, the product does not work at all: the rest would only wait for what never comes.
    bail: 5,
    // What is waited for comes when it comes: these limits only end a test that hangs.
    expect: { poll: { timeout: 40_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
