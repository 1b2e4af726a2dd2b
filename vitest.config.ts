import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    env: {
      // The key of whoever runs the tests knows no folder of theirs.
      XDG_CONFIG_HOME: join(import.meta.dirname, '.cache', 'config'),
      // Programs that tests start find their sources compiled: a command begins in half the time.
      NODE_COMPILE_CACHE: join(import.meta.dirname, '.cache', 'compiled'),
    },
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/peers/**',
      'test/outside/**',
      'test/e2e/**',
      'test/desktop/**',
      'test/packages/**',
      'node_modules/**',
    ],
    // What is waited for comes when it comes, on a busy machine too: these limits only end a test that hangs.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // With isolation each file imports the product anew: 1.8 times the processor time, measured over 85 files. Without it
    // a file must leave nothing behind that another could trip over; `vitest run --isolate` shows whether one does.
    isolate: false,
    // Many of these wait for a socket or a process.
    maxWorkers: availableParallelism() + 1,
  },
});
