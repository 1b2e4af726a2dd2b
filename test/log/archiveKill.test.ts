// Archiving and bringing back in a process that is killed at one place after another.
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bringEpisodesBack } from '../../src/main/log/archiveRun.ts';
import { HUMAN } from '../support/log.ts';
import { draftsIn, holdingsOf, killAt, type KillPoint } from '../support/archiveKills.ts';
import { newDataFolder, openFolder, writeEpisode } from '../support/dataFolder.ts';

const hooks = { signal: new AbortController().signal, onProgress: () => undefined };
const EPISODES = 45;
const LONG = 'a result that is very long '.repeat(200);
let folder = '';
beforeEach(() => {
  folder = newDataFolder();
  const opened = openFolder(folder);
  for (let i = 0; i < EPISODES; i += 1)
    writeEpisode(opened, `e${String(i)}`, i % 3 === 0 ? `${LONG}${String(i)}` : 'short');
  opened.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const POINTS: readonly KillPoint[] = [
  { act: 'archive', stage: 'writing', lines: 2 },
  { act: 'archive', stage: 'removing', lines: 3 },
  { act: 'back', stage: 'restoring', lines: 1 },
];

it('holds every event once, in the log or in a file, whenever it is killed, and goes on from there', async () => {
  const before = holdingsOf(folder);
  expect(before).toMatchObject({ events: EPISODES * 6, doubled: [], twice: 0, away: 0 });
  for (const [index, point] of POINTS.entries()) {
    expect(await killAt(folder, `${String(index)}.sqlite`, point)).toBe(true);

    const after = holdingsOf(folder);
    expect({ ...after, away: 0 }, `${point.act} ${point.stage}`).toEqual(before);
    if (point.stage === 'writing') expect(draftsIn(folder)).toHaveLength(1);
  }
  const opened = openFolder(folder);
  const { log } = opened;
  await bringEpisodesBack(log, { episodes: log.archives.episodes(), actor: HUMAN, ...hooks });
  opened.close();

  expect(holdingsOf(folder)).toEqual(before);
  expect(draftsIn(folder)).toEqual([]);
});
