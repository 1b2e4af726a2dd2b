// A hundred kills at random places of archiving and bringing back, each looked at with Python's SQLite.
import { rmSync } from 'node:fs';
import { draftsIn, holdingsOf, killAt } from '../support/archiveKills.ts';
import { createRandom, newDataFolder, openFolder, writeEpisode } from '../support/dataFolder.ts';
import type { Say } from './library.ts';

const KILLS = 100;
const EPISODES = 300;
const STAGES = ['writing', 'checking', 'removing', 'removing', 'removing', 'compacting'] as const;

export async function measureArchiveKills(say: Say): Promise<void> {
  const folder = newDataFolder();
  const random = createRandom(7);
  const opened = openFolder(folder);
  for (let i = 0; i < EPISODES; i += 1)
    writeEpisode(opened, `e${String(i)}`, i % 3 === 0 ? `${'long '.repeat(900)}${String(i)}` : 'short');
  opened.close();
  const before = holdingsOf(folder);
  let [kills, lost, between, drafts, away] = [0, 0, 0, 0, 0];
  try {
    for (let i = 0; kills < KILLS; i += 1) {
      const isArchiving = away === 0 || (away < EPISODES && random(2) === 0);
      const stage = isArchiving ? (STAGES[random(STAGES.length)] ?? 'writing') : 'restoring';
      const lines = stage === 'compacting' ? 1 : 1 + random(4);
      // Half of them between two steps, half wherever it has got to.
      const place = { stage, lines, ...(random(2) === 0 ? {} : { runsOnMs: random(40) }) };
      const point = { act: isArchiving ? ('archive' as const) : ('back' as const), ...place };
      if (await killAt(folder, `${String(i)}.sqlite`, point)) kills += 1;
      const after = holdingsOf(folder);
      away = after.away;
      if (JSON.stringify({ ...after, away: 0 }) !== JSON.stringify(before)) lost += 1;
      if (after.away > 0 && after.away < EPISODES) between += 1;
      drafts += draftsIn(folder).length;
    }
    say('kills while archiving or bringing back', String(kills));
    say('left some episodes in the log and some in files', String(between));
    say('left an unproven file, which the next start removes', String(drafts));
    say('an event was lost, doubled or changed', String(lost));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
