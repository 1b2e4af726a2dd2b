import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { importFile } from '../../../src/main/dataset/import/importFile.ts';
import { readHere } from '../../../src/main/dataset/import/readOnThread.ts';
import { createSourceStore } from '../../../src/main/dataset/import/sourceStore.ts';
import { openLog } from '../../support/log.ts';
import { lines } from './support.ts';

const COUNT = 400;
const chat = (number: number) => ({
  messages: [
    { role: 'user', content: `question ${String(number)} ${'long '.repeat(200)}` },
    { role: 'assistant', content: 'b' },
  ],
});

let folder = '';
let file = '';
let made = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-broken-off-'));
  file = join(folder, 'people.jsonl');
  writeFileSync(file, lines(...Array.from({ length: COUNT }, (_, number) => chat(number))));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The product as a process has it: what it holds in memory goes with it. */
function start() {
  const log = openLog(join(folder, 'log.db'));
  const place = join(folder, 'sources');
  const newId = (): string => `i${String((made += 1))}`;
  const clock = (): number => 1_800_000_000_000;
  const sources = createSourceStore(place, newId);
  const parts = { log, clock, newId, sources, read: readHere({ sources, newId }).read };
  const read = (stopAfter = Number.POSITIVE_INFINITY) => {
    const stopping = new AbortController();
    let episodes = 0;
    return importFile(
      parts,
      { name: 'people.jsonl', path: file, beside: [] },
      {
        signal: stopping.signal,
        onBytes: () => undefined,
        onEpisode: () => {
          episodes += 1;
          if (episodes >= stopAfter) stopping.abort();
        },
      },
    );
  };
  return { read, end: async () => (await log.importing.close(), log.close()) };
}

it('an import that the end of the process broke off keeps its whole episodes, and the same file brings the rest', async () => {
  const before = start();
  const cut = await before.read(50);
  await before.end();
  expect(cut.episodes).toBeGreaterThanOrEqual(50);
  expect(cut.episodes).toBeLessThan(COUNT);

  const after = start();
  expect(await after.read()).toMatchObject({ episodes: COUNT, known: cut.episodes, failure: null });
  await after.end();
});
