// `kill -9` of a real console while episodes wait for a place: started again, it plays every one of them, and none twice.
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import { isRecord, tryJson } from '../../src/shared/json.ts';
import { startInput } from '../support/product.ts';
import { endTap, startServing, type ServingConsole } from '../support/serving.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();
const consoles: ServingConsole[] = [];
afterEach(async () => {
  for (const one of consoles.splice(0)) await one.kill();
  endTap(folder());
});

async function serve(): Promise<ServingConsole> {
  const console = await startServing(folder(), ['--port', '0', '--concurrency', '2']);
  consoles.push(console);
  return console;
}

/** What the log says of each episode: how often it was started, and every end it has. */
function inLog(): { started: Record<string, number>; ended: Record<string, unknown[]>; queued: number } {
  const db = new Sqlite(join(folder(), 'interject.db'), { readonly: true });
  const rows = db
    .prepare<[], { stream: string; kind: string; body: string }>(
      "SELECT stream, kind, body FROM events WHERE kind IN ('episode.started', 'episode.ended') ORDER BY seq",
    )
    .all();
  const queued = db.prepare<[], number>('SELECT count(*) FROM queued').pluck().get() ?? 0;
  db.close();
  const started: Record<string, number> = {};
  const ended: Record<string, unknown[]> = {};
  for (const { stream, kind, body } of rows) {
    const event: unknown = tryJson(body);
    if (kind === 'episode.started') started[stream] = (started[stream] ?? 0) + 1;
    else if (isRecord(event)) ended[stream] = [...(ended[stream] ?? []), event['outcome']];
  }
  return { started, ended, queued };
}

it('six episodes in two places, killed while four wait: the next start plays all six to their end, none twice', async () => {
  const first = await serve();
  const { episodes } = await first.call('episode.start', startInput({ condition: 'human', repeats: 6 }));
  const atKill = inLog();
  await first.kill();

  const next = await serve();
  while (Object.keys(inLog().ended).length < 6) {
    await next.answerAll('The first.');
    await wait(50);
  }

  expect(episodes).toHaveLength(6);
  expect(atKill).toMatchObject({ ended: {}, queued: 4 });
  expect(Object.keys(atKill.started)).toHaveLength(2);
  expect(inLog()).toEqual({
    started: Object.fromEntries(episodes.map((id) => [id, 1])),
    ended: Object.fromEntries(episodes.map((id) => [id, ['done']])),
    queued: 0,
  });
});
