import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { beforeAll, expect, it } from 'vitest';
import { ENTRIES } from '../support/freezing.ts';
import type { WayTimes } from '../support/freezingTimes.ts';

const times = new Map<string, WayTimes>();
beforeAll(async () => {
  const thread = new Worker(join(import.meta.dirname, '../support/freezingTimes.ts'));
  thread.on('message', (one: WayTimes) => times.set(one.name, one));
  await new Promise((resolve, reject) => {
    thread.once('exit', resolve);
    thread.once('error', reject);
  });
}, 600_000);

it.each(Object.keys(ENTRIES))('text from outside does not freeze main %s', (name) => {
  expect(times.get(name)?.growth).toEqual([]);
});
