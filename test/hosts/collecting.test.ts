// How much room V8 gives to what is young, as V8 itself tells it, in a process of its own that makes much.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Megabytes of both halves: 8, and what a collection that is under way takes besides; V8's own room is 64. */
const SMALL = 24;
const FILE = JSON.stringify(join(import.meta.dirname, '../../src/main/hosts/collecting.ts'));
const LOOK = `const { getHeapSpaceStatistics } = process.getBuiltinModule('node:v8');
const keep = [];
for (let at = 0; at < 3e6; at += 1) {
  keep.push({ at });
  if (keep.length > 2e5) keep.length = 1e5;
}
const { space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
const megabytes = space_size / 2 ** 20;`;

/** Megabytes of the young on the main thread, and on a thread that began later. */
function roomAfter(before: string): { main: number; thread: number } {
  const code = `${before}
const { Worker } = await import('node:worker_threads');
${LOOK}
const thread = new Worker(${JSON.stringify(`${LOOK} process.getBuiltinModule('node:worker_threads').parentPort.postMessage(megabytes)`)}, { eval: true });
thread.on('message', (of) => console.log(JSON.stringify({ main: megabytes, thread: of })));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  return JSON.parse(said) as { main: number; thread: number };
}

it('what is young has a small room where people are served, and in threads that begin there', () => {
  const usual = roomAfter('');
  const served = roomAfter(`const { collectInShortPauses } = await import(${FILE}); collectInShortPauses();`);

  expect(usual.main).toBeGreaterThan(SMALL);
  expect(served.main).toBeLessThan(SMALL);
  expect(served.thread).toBeLessThan(SMALL);
});

it('a room that has grown before is made small', () => {
  const late = roomAfter(
    `{ ${LOOK} } const { collectInShortPauses } = await import(${FILE}); collectInShortPauses();`,
  );

  expect(late.main).toBeLessThan(SMALL);
});
