// `kill -9` of a real console while episodes wait for a place: started again, it plays every one of them, and none twice.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSocketTransport } from '../../src/renderer/client/socket.ts';
import type { Transport } from '../../src/renderer/client/transport.ts';
import { isRecord, tryJson } from '../../src/shared/json.ts';
import { deskItems } from '../support/desk.ts';
import { TIMING } from '../support/killed.ts';
import { startInput } from '../support/product.ts';

const CLI = resolve(import.meta.dirname, '../../src/main/hosts/cli.ts');
let folder = '';
let children: ChildProcess[] = [];
let lines: Transport[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-queue-'));
});
afterEach(() => {
  for (const line of lines.splice(0)) line.close();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** `interject serve` with two places, once it is ready. */
async function serve(): Promise<{
  call: Transport['call'];
  desk: Transport['subscribe'];
  kill: () => Promise<void>;
}> {
  const flags = ['--no-open', '--port', '0', '--data', folder, '--json', '--concurrency', '2'];
  const child = spawn(process.execPath, [CLI, 'serve', ...flags], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  const ended = new Promise((done) => child.once('exit', done));
  const ready = await new Promise<Record<string, unknown>>((done, fail) => {
    void ended.then(() => fail(new Error('serve ended before it was ready')));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const said: unknown = tryJson(line);
      if (isRecord(said) && said['type'] === 'ready') done(said);
    });
  });
  const origin = String(ready['url'])
    .replace(/^http/, 'ws')
    .replace(/\/#.*$/, '');
  const line = createSocketTransport({ origin, token: String(ready['token']), seat: 'seat-one' });
  lines.push(line);
  return {
    call: line.call,
    desk: line.subscribe,
    kill: async () => {
      line.close();
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** What the log says of each episode: how often it was started, and every end it has. */
function inLog(): { started: Record<string, number>; ended: Record<string, unknown[]>; queued: number } {
  const db = new Sqlite(join(folder, 'interject.db'), { readonly: true });
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
  for (;;) {
    for (const { episode, consultation, seq } of await deskItems(next.desk))
      await next
        .call('desk.answer', {
          episode,
          consultation,
          text: 'The first.',
          draft: null,
          seen_seq: seq,
          timing: TIMING,
        })
        // The desk was told a moment before: it is asked again.
        .catch(() => undefined);
    if (Object.keys(inLog().ended).length === 6) break;
    await new Promise((go) => setTimeout(go, 50));
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
