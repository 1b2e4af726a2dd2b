import { UNDESCRIBED } from '../../src/main/openenv/serverDescription.ts';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Failure } from '../../src/shared/failure.ts';
import { createRecorder } from '../../src/main/gateway/tap/recorder.ts';
import { createTranslator } from '../../src/main/gateway/tap/translate.ts';
import {
  readRecords,
  RECORD_OVERHEAD,
  RecordKind,
  writeRecord,
} from '../../src/main/gateway/tap/linkProtocol.ts';
import { createOutbox } from '../../src/main/gateway/tap/child/outbox.ts';
import { createSpool, type Journal } from '../../src/main/gateway/tap/child/journal.ts';
import { type Served, serveWorlds } from '../support/worlds.ts';
import { connect, newFolder, openTap, type OpenTap } from '../support/tap.ts';
import { databaseFailure } from '../../src/main/log/database.ts';
import type { EventLog } from '../../src/main/log/eventLog.ts';
import { openLog } from '../support/log.ts';

const NO_JOURNAL: Journal = { write: () => undefined, release: () => undefined, close: () => undefined };

let worlds: Served;
const opened: OpenTap[] = [];
beforeAll(async () => {
  worlds = await serveWorlds();
});
afterEach(async () => {
  for (const tapped of opened.splice(0)) await tapped.close();
});
const folders: string[] = [];
const ownFolder = (): string => {
  const folder = newFolder();
  folders.push(folder);
  return folder;
};
afterAll(async () => {
  await worlds.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const open = async (...given: Parameters<typeof openTap> extends [string, ...infer Rest] ? Rest : never) => {
  const tapped = await openTap(worlds.url, ...given);
  opened.push(tapped);
  return tapped;
};
const letGo = async (tapped: OpenTap): Promise<void> => {
  opened.splice(opened.indexOf(tapped), 1);
  await tapped.abandon();
};

describe('a client whose console goes away', () => {
  it('plays on at the same address, and the next console has all of it, once and in order', async () => {
    const first = await open();
    const client = await connect(first.url);
    await client.reset();
    await client.call('list_workspaces');
    const [id = ''] = await first.episodes();
    await first.until(id, ({ turns }) => turns[0]?.call?.returned);
    await letGo(first);

    for (let i = 0; i < 20; i += 1) await client.call('get_workflow', { workflow_id: i });
    await client.call('verify');
    const second = await open({}, first.folder);
    expect(second.url).toBe(first.url);
    await client.call('list_workspaces');
    client.socket.close(1000);
    const record = await second.until(id, ({ ended }) => ended);

    expect(record.turns.map(({ turn }) => turn)).toEqual(Array.from({ length: 22 }, (_, i) => i + 1));
    expect(record.turns.every(({ call }) => (call?.returned ?? null) !== null)).toBe(true);
    expect(record.turns[3]?.move).toMatchObject({ arguments: { workflow_id: 2 } });
    expect(record.counts.lostFrames).toBe(0);
    expect(record.ended).toMatchObject({ outcome: 'done', reward_type: 'others' });
    // It goes when the tap has heard that all of it is in the log: a moment after this has.
    await expect.poll(() => readdirSync(first.folder).filter((name) => name.endsWith('.spool'))).toEqual([]);
  });

  it('may come, play and leave while nobody is there', async () => {
    const first = await open();
    await letGo(first);
    const client = await connect(first.url);
    await client.reset();
    await client.call('list_workspaces');
    await client.call('done');
    client.socket.close(1000);
    await client.closed;
    const second = await open({}, first.folder);
    const [id = ''] = await second.episodes();

    expect(await second.until(id, ({ ended }) => ended)).toMatchObject({ ended: { outcome: 'done' } });
  });

  it('leaves what it did in a file that only its owner can read', async () => {
    const first = await open();
    const client = await connect(first.url);
    await letGo(first);
    await client.reset();
    await client.call('list_workspaces');
    const spool = (): string | undefined => readdirSync(first.folder).find((name) => name.endsWith('.spool'));
    await expect.poll(spool).toBeDefined();

    expect(statSync(join(first.folder, spool() ?? '')).mode & 0o777).toBe(0o600);
    expect(statSync(join(first.folder, 'tap.json')).mode & 0o777).toBe(0o600);
    await open({}, first.folder);
  });
});

const sequence = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, i) => {
    const payload = Buffer.from(
      i === 0
        ? JSON.stringify({
            key: 'k',
            key_id: 'k',
            environment: 'e',
            user_agent: null,
            trainer: {},
            scenario: null,
            task_idx: null,
            may_act: false,
            on_touch: 'mark',
            hold_limit_ms: 1000,
          })
        : `frame ${String(i)}`,
    );
    const into = Buffer.alloc(RECORD_OVERHEAD + payload.length);
    const kind = i === 0 ? RecordKind.began : RecordKind.request;
    writeRecord(into, 0, { kind, flags: 0, seq: i + 1, at: 1000 + i, episode: 'e1', ref: 0 }, null, payload);
    return into;
  });

/** Records into `log`; `refused` throws where the log would. `due` is what it put off. */
function recording(log: EventLog, refused: (batch: Parameters<EventLog['appendMany']>[0]) => void) {
  const due: (() => void)[] = [];
  const committed: number[] = [];
  const stuck: boolean[] = [];
  const recorder = createRecorder({
    log: {
      ...log,
      appendMany: (batch, mark) => {
        refused(batch);
        log.appendMany(batch, mark);
      },
    },
    translator: createTranslator({
      record: (id) => log.record(id),
      environment: (id) => ({ id, name: id, url: 'http://127.0.0.1:1', builtin: false }),
      described: () => UNDESCRIBED,
    }),
    run: 'r1',
    committed: (seq) => committed.push(seq),
    stuck: (now) => stuck.push(now),
    schedule: (_delay, run) => {
      due.push(run);
      return () => undefined;
    },
    report: () => undefined,
  });
  return { recorder, due, committed, stuck };
}

it('a log that cannot be written is tried again with the same records, and nothing is missing or there twice', () => {
  const log = openLog(':memory:', () => 1);
  let isFull = true;
  const { recorder, due, committed, stuck } = recording(log, () => {
    if (isFull) throw new Failure('data_unwritable', 'no space left');
  });
  for (const batch of sequence(4)) recorder.take(batch);
  expect(committed).toEqual([]);
  isFull = false;
  while (due.length > 0) due.shift()?.();

  expect(stuck[0]).toBe(true);
  expect(committed.at(-1)).toBe(4);
  expect(log.read('e1').map(({ event }) => event.kind)).toEqual([
    'episode.started',
    'tap.opened',
    'frame.passed',
    'frame.passed',
    'frame.passed',
  ]);
  // Sent again, as after a lost acknowledgement: known already.
  for (const batch of sequence(4)) recorder.take(batch);
  recorder.flush();
  expect(log.read('e1')).toHaveLength(5);
});

it('an event that the log refuses is said to be missing, and what others did is kept', () => {
  const log = openLog(':memory:', () => 1);
  const { recorder, stuck } = recording(log, (batch) => {
    const isBad = batch.some(({ entries }) => entries.some(({ event }) => event.kind === 'tap.opened'));
    // As SQLite answers a number that no column holds.
    if (isBad)
      throw databaseFailure(
        Object.assign(new Error('cannot store REAL value in INTEGER column'), {
          code: 'SQLITE_CONSTRAINT_DATATYPE',
        }),
        'a.db',
      );
  });
  for (const batch of sequence(3)) recorder.take(batch);
  recorder.flush();

  expect(log.read('e1').map(({ event }) => event.kind)).toEqual([
    'episode.started',
    'recording.gap',
    'frame.passed',
    'frame.passed',
  ]);
  expect(stuck).not.toContain(true);
});

describe('records that neither main nor the file can take', () => {
  it('are counted, and what is missing is said once there is room', () => {
    const folder = ownFolder();
    const spool = createSpool(join(folder, 'a.spool'), 4_000);
    const outbox = createOutbox(
      { spool, journal: NO_JOURNAL },
      { flushMs: 1, inFlight: 1 << 20, memory: 2_000 },
    );
    for (let i = 0; i < 20; i += 1) {
      outbox.add(RecordKind.request, { episode: `e${String(i % 2)}`, at: i }, Buffer.alloc(900));
      outbox.flush();
    }
    expect(outbox.lost()).toBeGreaterThan(5);
    const batches: Buffer[] = [];
    outbox.attach((batch) => batches.push(Buffer.from(batch)));
    const kept = batches.flatMap((batch) => readRecords(batch).records);
    outbox.acknowledge(kept.at(-1)?.seq ?? 0);
    outbox.flush();
    const gaps = batches
      .flatMap((batch) => readRecords(batch).records)
      .filter(({ kind }) => kind === RecordKind.gap)
      .map(({ payload }) => JSON.parse(payload.toString()) as { frames: number });

    expect(kept.map(({ seq }) => seq)).toEqual(kept.map(({ seq }) => seq).toSorted((a, b) => a - b));
    expect(gaps.reduce((sum, { frames }) => sum + frames, 0)).toBe(outbox.lost());
    expect(existsSync(join(folder, 'a.spool'))).toBe(false);
    spool.close();
  });

  it('come in their order after main was away, those under way included', () => {
    const folder = ownFolder();
    const path = join(folder, 'b.spool');
    const outbox = createOutbox(
      { spool: createSpool(path), journal: NO_JOURNAL },
      { flushMs: 1, inFlight: 1 << 20, memory: 1 << 20 },
    );
    const add = (count: number): void => {
      for (let i = 0; i < count; i += 1)
        outbox.add(RecordKind.request, { episode: 'e', at: i }, Buffer.alloc(50));
      outbox.flush();
    };
    outbox.attach(() => undefined);
    add(10);
    outbox.acknowledge(4);
    outbox.detach();
    add(10);
    expect(readRecords(readFileSync(path)).records.length).toBeGreaterThan(0);
    const seqs: number[] = [];
    outbox.attach((batch) => seqs.push(...readRecords(batch).records.map(({ seq }) => seq)));
    add(5);

    expect(seqs).toEqual(Array.from({ length: 25 }, (_, i) => i + 1));
    outbox.acknowledge(25);
    expect(outbox.isEmpty()).toBe(true);
  });
});
