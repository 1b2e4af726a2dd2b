// The tap's process is killed under load: what its clients were answered is compared with what the log has of them.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJournal, createSpool, journalNames } from '../../src/main/gateway/tap/child/journal.ts';
import { createOutbox } from '../../src/main/gateway/tap/child/outbox.ts';
import { RecordKind } from '../../src/main/gateway/tap/linkProtocol.ts';
import { createRecorder, endOrphans, takeLeftovers } from '../../src/main/gateway/tap/recorder.ts';
import { createTranslator } from '../../src/main/gateway/tap/translate.ts';
import { UNDESCRIBED } from '../../src/main/openenv/serverDescription.ts';
import type { EventLog } from '../../src/main/log/eventLog.ts';
import { openLog } from '../support/log.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';
import { connect, openTap, type Client, type OpenTap } from '../support/tap.ts';
import { type Served, serveWorlds } from '../support/worlds.ts';

let worlds: Served;
beforeAll(async () => {
  worlds = await serveWorlds();
});
afterAll(() => worlds.close());

const CLIENTS = 12;
/** Numbers no two clients share, so that a step is known by what it asked for. */
const workflowOf = (client: number, step: number): number => client * 1_000_000 + step;

/** Plays until its connection breaks; `answered` are the steps whose answer it has got. */
async function playOn(playing: Client, client: number, answered: number[]): Promise<void> {
  const broken = playing.closed.then(() => null);
  for (let step = 1; ; step += 1) {
    const workflow = workflowOf(client, step);
    const answer = await Promise.race([playing.call('get_workflow', { workflow_id: workflow }), broken]);
    if (answer === null) return;
    answered.push(workflow);
  }
}

/** The workflows of calls whose answers are in the log, and how many frames are said to be missing. */
function recordedSteps(log: EventLog) {
  const ids = log.projections.episodes({ query: '', status: null, condition: null, offset: 0, limit: 500 });
  const records = ids.rows.map(({ id }) => log.record(id));
  const steps = records.flatMap(({ turns }) =>
    turns.flatMap(({ move, call }) =>
      move?.type === 'call_tool' && (call?.returned ?? null) !== null
        ? [Number(move.arguments['workflow_id'])]
        : [],
    ),
  );
  return { records, steps, lost: records.reduce((sum, { counts }) => sum + counts.lostFrames, 0) };
}

async function killUnderLoad(tapped: OpenTap, answers: number): Promise<number[]> {
  const answered: number[] = [];
  const pid = tapped.pid();
  const connected = await Promise.all(Array.from({ length: CLIENTS }, () => connect(tapped.url)));
  for (const client of connected) await client.reset();
  const clients = connected.map((client, i) => playOn(client, i + 1, answered));
  await expect.poll(() => answered.length, { interval: 1 }).toBeGreaterThan(answers);
  process.kill(pid, 'SIGKILL');
  await Promise.all(clients);
  return answered;
}

const allEnded = (log: EventLog): boolean => {
  const { records } = recordedSteps(log);
  return records.length === CLIENTS && records.every(({ ended }) => ended !== null);
};

describe('a tap that is killed while many clients play', () => {
  it('has recorded every step that a client got the answer to', async () => {
    const tapped = await openTap(worlds.url);
    const answered = await killUnderLoad(tapped, 200 + Math.floor(Math.random() * 400));
    await expect.poll(() => allEnded(tapped.log)).toBe(true);

    const { steps, lost } = recordedSteps(tapped.log);
    expect(answered.filter((step) => !steps.includes(step))).toEqual([]);
    expect(lost).toBe(0);
    expect(new Set(steps).size).toBe(steps.length);
    // What the dead one left was taken in: only the files of the one in its place are there.
    await expect
      .poll(() => readdirSync(tapped.folder).filter((name) => name.endsWith('.unsaved')).length)
      .toBe(1);
    await tapped.close();
  });

  it('has recorded it for the next main, where that was away', async () => {
    const first = await openTap(worlds.url);
    await first.abandon();
    const answered = await killUnderLoad(first, 100);
    const second = await openTap(worlds.url, {}, first.folder);
    await expect.poll(() => allEnded(second.log)).toBe(true);

    const { steps, lost } = recordedSteps(second.log);
    expect(answered.filter((step) => !steps.includes(step))).toEqual([]);
    expect(lost).toBe(0);
    await second.close();
  });
});

const began = (key: string): Buffer =>
  Buffer.from(
    JSON.stringify({
      key,
      key_id: key,
      environment: 'e',
      user_agent: null,
      trainer: {},
      scenario: null,
      task_idx: null,
      may_act: false,
      on_touch: 'mark',
      hold_limit_ms: 1000,
    }),
  );

/** Main's recorder of a run that is over. */
const recorderOf = (log: EventLog) => (run: string) =>
  createRecorder({
    log,
    translator: createTranslator({
      record: (id) => log.record(id),
      environment: (id) => ({ id, name: id, url: 'http://127.0.0.1:1', builtin: false }),
      described: () => UNDESCRIBED,
    }),
    run,
    committed: () => undefined,
    stuck: () => undefined,
    schedule: () => () => undefined,
    report: () => undefined,
  });

it('an answer over 8 MiB is told as a gap with its size, and the episode goes on after it', () => {
  const log = openLog(':memory:', () => 9_000);
  const recorder = recorderOf(log)('r1');
  const request = (text: string): Buffer =>
    Buffer.from(`{"type":"step","data":{"type":"call_tool","tool_name":"${text}","arguments":{}}}`);
  const answer = (result: string): Buffer =>
    Buffer.from(
      `{"type":"observation","data":{"observation":{"reward_type":"tool_call_ok","tool_result":"${result}"},"reward":0,"done":false}}`,
    );
  const base = { flags: 0, episode: 'e1', ref: 0, lead: 0 };
  const reply = (seq: number, tool: string, result: string) => {
    const lead = request(tool);
    const payload = Buffer.concat([lead, answer(result)]);
    return { ...base, kind: RecordKind.reply, seq, at: seq, lead: lead.length, payload };
  };

  recorder.takeRecords([
    { ...base, kind: RecordKind.began, seq: 1, at: 1, payload: began('k') },
    reply(2, 'look', 'small'),
    reply(3, 'shoot', 'x'.repeat(9_000_000)),
    reply(4, 'look', 'again'),
  ]);
  recorder.flush();

  const events = log.read('e1').map(({ event }) => event);
  expect(events.filter(({ kind }) => kind === 'call.returned')).toHaveLength(2);
  expect(events.filter(({ kind }) => kind === 'recording.gap')).toEqual([
    {
      kind: 'recording.gap',
      from_at: 3,
      to_at: 3,
      frames: 2,
      reason: 'an answer of 9 MiB reached the client and is not recorded: at most 8 MiB are',
    },
  ]);
});

describe('answers that a killed tap could not keep anywhere', () => {
  const folder = folderPerTest();
  /** The tap's side, which writes what main has not taken yet into files of the folder. */
  const openOutbox = (limits: { file: number; most: number }, spoolMax?: number) => {
    const names = journalNames('r1');
    const at = (name: string): string => join(folder(), name);
    const paths = { ...names, first: at(names.first), second: at(names.second), unsaved: at(names.unsaved) };
    const journal = createJournal(paths, limits);
    const outbox = createOutbox({ spool: createSpool(at('tap-r1.spool'), spoolMax), journal });
    outbox.attach(() => undefined);
    return { outbox, journal, names };
  };
  /** What main makes of those files once the tap is dead. */
  const takeAll = (log: EventLog): Promise<boolean> => {
    const report = (thrown: unknown): void => expect(thrown).toBeNull();
    return takeLeftovers(
      { log, dataFolder: folder(), report, prepare: () => null },
      'another',
      recorderOf(log),
    );
  };

  it('are told as a gap of exactly so many frames, of the episodes they were in', async () => {
    const { outbox } = openOutbox({ file: 1_000, most: 3_000 }, 0);
    for (const episode of ['e1', 'e2']) outbox.add(RecordKind.began, { episode, at: 1_000 }, began(episode));
    const frames = Array.from({ length: 20 }, (_, i) => (i % 4 === 0 ? 'e2' : 'e1'));
    for (const [i, episode] of frames.entries()) {
      outbox.add(RecordKind.unasked, { episode, at: 2_000 + i }, Buffer.alloc(200, 'x'));
      outbox.secure();
    }
    // Killed here. What main has of it is what the files say.
    const log = openLog(':memory:', () => 9_000);
    await takeAll(log);

    for (const episode of ['e1', 'e2']) {
      const events = log.read(episode).map(({ event }) => event);
      const kept = events.filter(({ kind }) => kind === 'frame.passed').length;
      const gaps = events.filter((event) => event.kind === 'recording.gap');
      expect(gaps).toHaveLength(1);
      expect(kept + (gaps[0]?.frames ?? 0)).toBe(frames.filter((one) => one === episode).length);
      expect(gaps[0]?.to_at).toBe(2_000 + frames.findLastIndex((one) => one === episode));
    }
    expect(readdirSync(folder())).toEqual([]);
    const before = log.lastSeq();
    await takeAll(log);
    expect(log.lastSeq()).toBe(before);
  });

  it('are told of every episode where there are too many to name one by one', async () => {
    const { outbox } = openOutbox({ file: 1_000, most: 3_000 }, 0);
    const episodes = ['first', 'second', 'third'];
    for (const episode of episodes) outbox.add(RecordKind.began, { episode, at: 1_000 }, began(episode));
    outbox.secure();
    const play = (episode: string, frames: number): void => {
      for (let i = 0; i < frames; i += 1)
        outbox.add(RecordKind.unasked, { episode, at: 2_000 + i }, Buffer.alloc(200, 'x'));
      outbox.secure();
    };
    play('first', 3_000);
    play('second', 700);
    play('third', 1);
    const log = openLog(':memory:', () => 9_000);
    await takeAll(log);

    const told = episodes.map((episode) => {
      const events = log.read(episode).map(({ event }) => event);
      const gaps = events.flatMap((event) => (event.kind === 'recording.gap' ? [event.frames] : []));
      return events.filter(({ kind }) => kind === 'frame.passed').length + gaps.reduce((a, b) => a + b, 0);
    });
    expect(told).toEqual([3_000, 700, 1]);
  });

  it('and that there was no room to count are told of each episode that it played, as a gap', async () => {
    writeFileSync(join(folder(), journalNames('r1').unsaved), 'half of what was to be res');
    const log = openLog(':memory:', () => 9_000);
    const recorder = recorderOf(log)('r1');
    const base = { flags: 0, ref: 0, lead: 0, at: 1_000, episode: 'e1' };
    recorder.takeRecords([{ ...base, kind: RecordKind.began, seq: 1, payload: began('k') }]);
    recorder.flush();
    const isCounted = await takeAll(log);

    endOrphans(log, new Set(), isCounted);

    const [gap, ended] = log
      .read('e1')
      .map(({ event }) => event)
      .slice(-2);
    expect(gap).toMatchObject({ kind: 'recording.gap', frames: 1 });
    expect(gap).toMatchObject({ reason: expect.stringContaining('nobody could count') as string });
    expect(ended).toMatchObject({ kind: 'episode.ended', outcome: 'interrupted' });
  });

  it('take no room once main has them, and go with the process', () => {
    const { outbox, journal, names } = openOutbox({ file: 100, most: 5_000 });
    for (let i = 1; i <= 500; i += 1) {
      outbox.add(RecordKind.unasked, { episode: 'e1', at: i }, Buffer.alloc(100, 'x'));
      outbox.secure();
      outbox.acknowledge(i - 10);
    }
    expect(readdirSync(folder()).toSorted()).toEqual(Object.values(names).toSorted());
    outbox.acknowledge(500);
    journal.close();
    expect(readdirSync(folder())).toEqual([]);
  });
});
