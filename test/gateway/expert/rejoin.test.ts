// Clients that ask again over real sockets. Every answer is unique, so that one which reaches another client is seen.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { DeskItem } from '../../../src/shared/episode/rowShapes.ts';
import { textHead } from '../../../src/shared/events/text.ts';
import { serveDoors, type Doors } from '../../support/doors.ts';
import { openLog } from '../../support/log.ts';

let doors: Doors;
afterEach(() => doors.close());

type Said = { choices: { message: { content: string } }[] };
type Asking = { said: Promise<string>; cut: () => void };
const RETRY = { 'x-stainless-retry-count': '1' };
const named = (key: string) => ({ 'idempotency-key': key });

/** Asks the same as all others, on a connection of its own. */
function ask(headers: Record<string, string> = {}, content = 'Which one?'): Asking {
  const stop = new AbortController();
  const said = fetch(`${doors.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'expert', messages: [{ role: 'user', content }] }),
    signal: stop.signal,
  }).then(async (response) => ((await response.json()) as Said).choices[0]?.message.content ?? '');
  said.catch(() => undefined);
  return { said, cut: () => stop.abort() };
}

const atDesk = (): DeskItem[] => doors.log.projections.desk(50).items;
const open = (count: number) => expect.poll(() => atDesk().length).toBe(count);
const questions = (): number =>
  doors.log.projections.episodes({ query: '', status: null, condition: null, offset: 0, limit: 50 }).total;
const cutNoticed = (count: number) =>
  expect.poll(() => doors.requests.filter(({ signal }) => signal.aborted).length).toBe(count);
const answerAll = (): void => {
  for (const item of atDesk()) doors.answer(item, `the answer to ${item.consultation}`);
};

describe('a client whose connection broke and that marks its retry', () => {
  it('comes back to its question beside seven rollouts that ask the same, and nobody gets another’s answer', async () => {
    doors = await serveDoors();
    const rollouts = Array.from({ length: 8 }, () => ask());
    await open(8);
    rollouts[3]?.cut();
    await cutNoticed(1);
    const again = ask(RETRY);
    await expect.poll(() => doors.requests.length).toBe(9);
    const kept = rollouts.filter((_, i) => i !== 3);
    await expect.poll(() => atDesk().some(({ episode }) => rejoinedIn(episode).includes('retry'))).toBe(true);
    answerAll();
    const said = await Promise.all([...kept, again].map((one) => one.said));

    expect(questions()).toBe(8);
    expect(new Set(said).size).toBe(8);
    expect(said.every((text) => text.startsWith('the answer to'))).toBe(true);
  });

  it('asks anew where two of the same words are broken: nobody knows which is whose', async () => {
    doors = await serveDoors();
    const rollouts = Array.from({ length: 8 }, () => ask());
    await open(8);
    for (const one of rollouts.slice(0, 3)) one.cut();
    await cutNoticed(3);
    const again = rollouts.slice(0, 3).map(() => ask(RETRY));
    await open(11);
    answerAll();
    const said = await Promise.all([...rollouts.slice(3), ...again].map((one) => one.said));

    expect(new Set(said).size).toBe(8);
    expect(atDesk()).toEqual([]);
  });

  it('is not taken for another whose question outlived its own', async () => {
    doors = await serveDoors({ graceMs: 50 });
    const first = ask();
    await open(1);
    first.cut();
    // Its question is given up; another rollout's breaks only now.
    await open(0);
    const other = ask();
    await open(1);
    const [theirs] = atDesk();
    if (theirs !== undefined) doors.answer(theirs, 'for the other');
    await other.said;
    const third = ask();
    await open(1);
    const [late] = atDesk();
    third.cut();
    await cutNoticed(2);
    const again = ask(RETRY);
    await expect.poll(() => atDesk().some(({ episode }) => episode !== late?.episode)).toBe(true);
    for (const item of atDesk()) if (item.episode !== late?.episode) doors.answer(item, 'a new answer');

    expect(await again.said).toBe('a new answer');
  });

  it('takes a broken question once: a second retry asks anew', async () => {
    doors = await serveDoors();
    const first = ask();
    await open(1);
    first.cut();
    await cutNoticed(1);
    const two = [ask(RETRY), ask(RETRY)];
    await open(2);
    answerAll();
    const said = await Promise.all(two.map((one) => one.said));
    expect(new Set(said).size).toBe(2);
  });

  it('is another without such a mark, though it asks in the words of a broken question', async () => {
    doors = await serveDoors();
    const first = ask();
    await open(1);
    first.cut();
    await cutNoticed(1);
    const second = ask();
    await open(2);
    answerAll();
    expect(await second.said).toMatch(/^the answer to/);
  });
});

describe('a client that names its question', () => {
  it('finds it by that name: while it waits, answered meanwhile, and delivered already', async () => {
    doors = await serveDoors();
    const first = ask(named('rollout-7'));
    await open(1);
    first.cut();
    await cutNoticed(1);
    const second = ask(named('rollout-7'));
    await expect.poll(() => rejoinedIn(atDesk()[0]?.episode ?? '')).toEqual(['idempotency_key']);
    second.cut();
    await cutNoticed(2);
    answerAll();
    const third = await ask(named('rollout-7')).said;
    const fourth = await ask(named('rollout-7')).said;

    expect(third).toMatch(/^the answer to/);
    expect(fourth).toBe(third);
    expect(questions()).toBe(1);
  });

  it('gets no other’s answer: not of another name, not by a mark of a retry', async () => {
    doors = await serveDoors();
    const first = ask(named('a'));
    await open(1);
    first.cut();
    await cutNoticed(1);
    const others = [ask(named('b')), ask(RETRY)];
    await open(3);
    answerAll();
    expect(new Set(await Promise.all(others.map((one) => one.said))).size).toBe(2);
    expect(questions()).toBe(3);
  });

  it('is told when the name belongs to another request', async () => {
    doors = await serveDoors();
    ask(named('a'));
    await open(1);
    const response = await doors
      .openai()
      .chat.completions.create(
        { model: 'expert', messages: [{ role: 'user', content: 'Another?' }] },
        { headers: named('a') },
      )
      .catch((thrown: unknown) => thrown);
    expect(response).toMatchObject({
      status: 400,
      param: 'Idempotency-Key',
      code: 'idempotency_key_reused',
    });
  });
});

describe('a client whose server was killed and started again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'interject-rejoin-'));
  const path = join(folder, 'log.db');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let drafts = 0;
  const start = async () => {
    const advises = () => `draft ${String((drafts += 1))}`;
    doors = await serveDoors({ log: openLog(path, Date.now), graceMs: 600_000, advises });
    doors.restore();
  };
  /** Nothing is said in the log, as at a kill. */
  const restart = async () => {
    const { log, close } = doors;
    await close();
    (log as ReturnType<typeof openLog>).close();
    await start();
  };

  it('comes back to its open question with draft and age, gets one given meanwhile, or by its name one it had', async () => {
    await start();
    ask({}, 'Open at the kill?');
    const cut = ask({}, 'Answered at the kill?');
    ask(named('rollout-9'), 'Delivered at the kill?');
    for (const words of ['twice', 'twice']) ask({}, words);
    await open(5);
    await expect.poll(() => atDesk().filter(({ draft }) => draft !== null).length).toBe(5);
    const of = (words: string) => (item: DeskItem) =>
      item.question !== null && textHead(item.question) === words;
    const had = await doors.waiting(of('Delivered at the kill?'));
    doors.answer(had, 'had it');
    await expect.poll(() => doors.log.record(had.episode).ended).not.toBeNull();
    cut.cut();
    await cutNoticed(1);
    doors.answer(await doors.waiting(of('Answered at the kill?')), 'given meanwhile');
    const before = await doors.waiting(of('Open at the kill?'));
    await restart();

    const again = ask(RETRY, 'Open at the kill?');
    await expect.poll(() => rejoinedIn(before.episode)).toEqual(['retry']);
    const now = await doors.waiting(of('Open at the kill?'));
    expect([now.consultation, now.asked_at, now.draft?.text]).toEqual([
      before.consultation,
      before.asked_at,
      before.draft?.text,
    ]);
    expect(drafts).toBe(5);
    doors.answer(now, 'to the same');
    expect(await again.said).toBe('to the same');
    expect(await ask(RETRY, 'Answered at the kill?').said).toBe('given meanwhile');
    expect(await ask(named('rollout-9'), 'Delivered at the kill?').said).toBe('had it');
    // Of two that ask the same nobody knows which it was.
    ask(RETRY, 'twice');
    await expect.poll(() => atDesk().filter(of('twice')).length).toBe(3);
  });
});

const rejoinedIn = (episode: string): string[] =>
  doors.log.read(episode).flatMap(({ event }) => (event.kind === 'consultation.rejoined' ? [event.by] : []));
