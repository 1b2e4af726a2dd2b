// Episodes of an environment that is not ours, whose program is killed: its owner's declaration or a person's word lets
// them go on, and a call that was sent without an answer is sent again by a person's word alone. A server that counts
// what it is called with is the witness.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM } from '../../src/shared/events/actor.ts';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import { attemptsBefore, fateWords } from '../../src/shared/episode/attempts.ts';
import { brokeOffText, isBrokenOff, openDoubt } from '../../src/shared/episode/restarts.ts';
import type { RowKind } from '../support/exporting.ts';
import type { DoubtAct } from '../../src/shared/events/restarts.ts';
import { createAdopt } from '../../src/main/episode/continueEpisode.ts';
import { factsOf } from '../../src/main/reward/facts.ts';
import { callsOf, rowsOf } from '../dataset/export/episodes.ts';
import { serveEnvironment } from '../support/flow.ts';
import { killedCopy } from '../support/dataFolder.ts';
import { killedEverywhere, ME, TIMING, type Person } from '../support/killed.ts';
import { startOpenAiServer, type OpenAiServer } from '../support/openaiServer.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

const SCRIPT = [
  { content: 'I look.', toolCalls: [{ id: 'a', name: 'find_workflow', arguments: '{"id":1}' }] },
  { content: 'I rename it.', toolCalls: [{ id: 'b', name: 'rename_workflow', arguments: '{"id":2}' }] },
  { content: 'Renamed.' },
];

/** What is said of workflow 1. */
let found = 'Ann’s';
let model: OpenAiServer;
let environment: Awaited<ReturnType<typeof serveEnvironment>>;
const products: Product[] = [];
const folders: string[] = [];

async function serve(): Promise<void> {
  // It answers what its messages ask for, however often.
  model = await startOpenAiServer(
    ({ messages }) =>
      SCRIPT[(messages as { role: string }[]).filter(({ role }) => role === 'assistant').length] ?? {
        content: 'Done.',
      },
  );
  environment = await serveEnvironment({
    find_workflow: () => ({ observation: { reward_type: 'tool_call_ok', tool_result: `It is ${found}.` } }),
    done: () => ({ observation: { reward_type: 'episode_done', steps_taken: 4 }, done: true }),
  });
}
beforeAll(async () => {
  await serve();
  await leaveKilled();
});
afterEach(async () => {
  for (const one of products.splice(0)) await one.close();
  found = 'Ann’s';
});
afterAll(async () => {
  for (const folder of folders) removeFolder(folder);
  environment.close();
  await model.close();
});

/** The environment and the agent’s model, as its owner set them up. */
async function prepare(product: Product): Promise<Partial<Parameters<typeof startInput>[0]>> {
  const added = await product.as(ME)('environments.add', { name: 'Mine', url: environment.url });
  const profile = { provider: 'openai' as const, base_url: model.url, model: 'm', api_version: null };
  await product.as(ME)('settings.change', { profiles: { save: { name: 'local', ...profile } } });
  return {
    environment: added.id,
    scenario: 's_1',
    condition: 'none',
    agent: { policy: 'chat', protocol: 'native', model: 'm', profile: 'local' },
  };
}

/** Its owner declares it free of effects outside an episode. */
const declare = ({ log, ...product }: Product): Promise<unknown> =>
  product.as(ME)('environment.change', {
    id: log.record(id).started?.environment.id ?? '',
    connection: { ca_file: null, reset_seconds: null, transport: 'auto', headers: [], goes_on: true },
  });

/** How often a tool was called since the program was opened again. */
const timesCalled = (name: string | undefined): number =>
  environment.calls.slice(since).filter(({ tool }) => tool === name).length;
let since = 0;

const settling =
  (act: DoubtAct): Person =>
  (product, record) => {
    if (isBrokenOff(record)) return product.as(ME)('episode.settle', { episode: record.id, act: 'go_on' });
    const turn = openDoubt(record);
    if (turn === null) return null;
    // Of what is in doubt nothing was sent before the word.
    expect(timesCalled(turn.call?.sent?.toolName)).toBe(0);
    const call = turn.call?.id ?? '';
    return product.as(ME)('call.settle_doubt', { episode: record.id, call, act, timing: TIMING });
  };

const callOf = ({ turns }: EpisodeRecord, number: number) =>
  turns.find(({ turn }) => turn === number)?.call ?? null;
/** Where the program is killed: the first call answered, the second sent, the second answered. */
const PLACES = {
  answered1: (record: EpisodeRecord) => (callOf(record, 1)?.returned ?? null) !== null,
  sent2: (record: EpisodeRecord) => (callOf(record, 2)?.sent ?? null) !== null,
  answered2: (record: EpisodeRecord) => (callOf(record, 2)?.returned ?? null) !== null,
};
type Place = keyof typeof PLACES;
const left = new Map<Place, string>();
let id = '';

/** Plays one episode unkilled and keeps what a kill would have left at each of the places. */
async function leaveKilled(): Promise<void> {
  const first = await openProduct();
  folders.push(first.folder);
  const more = await prepare(first);
  first.log.subscribe((_event, record) => {
    for (const place of Object.keys(PLACES) as Place[])
      if (!left.has(place) && PLACES[place](record)) left.set(place, killedCopy(first.folder));
  });
  id = (await first.as(ME)('episode.start', startInput(more))).episodes[0] ?? '';
  await first.ended(id);
  await first.close();
  folders.push(...left.values());
}

const folderOf = (place: Place): string => {
  const folder = killedCopy(left.get(place) ?? '');
  folders.push(folder);
  return folder;
};

/** Opens it as the next start does; `goesOn` where its owner declared it free of outside effects. */
async function reopened(folder: string, goesOn = false): Promise<Product> {
  since = environment.calls.length;
  const product = await openProduct(folder, {}, 'leave', { sleep: () => Promise.resolve() });
  products.push(product);
  if (goesOn) await declare(product);
  product.continueEpisodes();
  return product;
}

/** Writes what an earlier start would have. */
async function written(place: Place, write: (product: Product) => Promise<void> | void): Promise<string> {
  const folder = folderOf(place);
  const product = await openProduct(folder, {}, 'leave');
  await write(product);
  await product.close();
  return folder;
}
const pickedUp = (attempt: number) =>
  ({ kind: 'episode.picked_up', attempt, ran_until: 1, used_ms: 0 }) as const;

const LONG_MS = 60_000;

describe('an episode of another environment whose program was killed', () => {
  it(
    'goes on as if nobody had killed it, from every place in its log, once a person says so',
    async () => {
      const { positions, unkilled } = await killedEverywhere({}, settling('send_again'), {
        prepare,
        opening: () => (since = environment.calls.length),
        check: (_product, { restarts }) =>
          expect(restarts).toMatchObject([{ actor: { type: 'human', id: ME } }]),
      });

      expect(unkilled.ended).toMatchObject({ outcome: 'done', reward_type: 'complete' });
      expect(positions).toBeGreaterThan(12);
    },
    LONG_MS,
  );

  it('waits for that word over further restarts, and calls nothing before', async () => {
    const folder = folderOf('answered1');
    const record = (await reopened(folder)).log.record(id);
    expect(isBrokenOff(record) && brokeOffText(record)).toBe(
      'Going on resets Mine and makes its calls again, which may have effects outside the episode.',
    );
    await products.pop()?.close();

    const next = await reopened(folder);

    const page = { query: '', status: null, condition: null, offset: 0, limit: 9 };
    const { rows } = await next.as(ME)('episodes.page', page);
    expect(rows).toMatchObject([{ status: 'waiting', broke_off: { at: record.brokeOff?.at } }]);
    expect(next.log.read(id).filter(({ event }) => event.kind === 'episode.broke_off')).toHaveLength(1);
    expect(environment.calls.length).toBe(since);
  });

  it('goes on by itself where its owner declared it free of outside effects', async () => {
    const record = await (await reopened(folderOf('answered1'), true)).ended(id);

    expect(record.restarts).toMatchObject([
      { actor: { type: 'system' }, wentOn: { replayed: 1, drift: null } },
    ]);
    expect(record.ended).toMatchObject({ outcome: 'done', reward_type: 'complete' });
  });

  it('is let be, and can then be resumed as a new one', async () => {
    const next = await reopened(folderOf('answered1'));
    await next.as(ME)('episode.settle', { episode: id, act: 'end' });

    expect(next.log.record(id).ended).toMatchObject({ outcome: 'interrupted' });
    await expect(next.as(ME)('episode.settle', { episode: id, act: 'go_on' })).rejects.toMatchObject({
      code: 'not_found',
    });
    const { episode } = await next.as(ME)('episode.resume', { episode: id });
    expect((await next.ended(episode)).ended).toMatchObject({ outcome: 'done' });
  });

  it('is stopped by whoever stops it while it waits', async () => {
    const next = await reopened(folderOf('answered1'));
    await next.as(ME)('episode.stop', { episode: id, reason: null });

    expect(next.log.record(id).ended).toMatchObject({ outcome: 'stopped' });
  });

  it('stops at the first answer that differs, names it, and makes no further call', async () => {
    found = 'Bob’s';
    const next = await reopened(folderOf('answered2'));
    await next.as(ME)('episode.settle', { episode: id, act: 'go_on' });

    const record = await next.ended(id);

    const drift = { turn: 1, logged: 'It is Ann’s.', again: 'It is Bob’s.' };
    expect(record.restarts[0]?.wentOn?.drift).toMatchObject(drift);
    expect(record.ended).toMatchObject({ outcome: 'interrupted', failure: { code: 'replay_drifted' } });
    expect(timesCalled('rename_workflow')).toBe(0);
  });

  it('is tried twice without a person, then waits; a person’s word is not counted', async () => {
    const folder = await written('answered1', ({ log }) =>
      [1, 2].forEach((attempt) => log.append(id, SYSTEM, pickedUp(attempt))),
    );

    const next = await reopened(folder, true);
    expect(next.log.record(id).brokeOff?.reason).toContain('2 times: it is not tried once more by itself');
    await next.as(ME)('episode.settle', { episode: id, act: 'go_on' });

    expect((await next.ended(id)).ended).toMatchObject({ outcome: 'done' });
  });
});

describe('a call that was sent and has no answer', () => {
  it.each([true, false])(
    'is held for a person, whoever let the episode go on (itself: %s)',
    async (goesOn) => {
      const next = await reopened(folderOf('sent2'), goesOn);
      if (!goesOn) await next.as(ME)('episode.settle', { episode: id, act: 'go_on' });

      const record = await next.until(id, openDoubt);

      expect(record.restarts[0]?.wentOn).toMatchObject({
        replayed: 1,
        in_doubt: { turn: 2, tool_name: 'rename_workflow', became: 'held' },
      });
      expect(next.log.projections.holds(9)).toMatchObject([
        { type: 'doubt', doubt: { tool_name: 'rename_workflow', arguments: { id: 2 } } },
      ]);
      expect(timesCalled('rename_workflow')).toBe(0);
    },
  );

  it('is not sent where the person says so, and the agent is told that nobody knows', async () => {
    const next = await reopened(folderOf('sent2'), true);
    const { turns } = await next.until(id, openDoubt);
    const settled = { episode: id, call: turns[1]?.call?.id ?? '', timing: TIMING };
    await next.as(ME)('call.settle_doubt', { ...settled, act: 'unknown' });

    const record = await next.ended(id);

    expect(timesCalled('rename_workflow')).toBe(0);
    expect(record.messages.find(({ role, turn }) => role === 'tool' && turn === 2)?.content).toContain(
      'It is not known whether this call was carried out',
    );
    expect(record.ended?.outcome).toBe('done');
    await expect(next.as(ME)('call.settle_doubt', { ...settled, act: 'send_again' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is no result of anything in what is exported, and neither failed nor done in what is counted', async () => {
    const next = await reopened(folderOf('sent2'), true);
    const { turns } = await next.until(id, openDoubt);
    const settled = { episode: id, call: turns[1]?.call?.id ?? '', timing: TIMING };
    await next.as(ME)('call.settle_doubt', { ...settled, act: 'unknown' });
    const record = await next.ended(id);

    const exported = (format: RowKind) => rowsOf(format, { log: next.log, id }, {});
    for (const format of ['sft_messages', 'demonstrations', 'episode_record', 'awm'] as const) {
      const { rows, dropped } = exported(format);
      expect({ format, rows, dropped: Object.keys(dropped).join() }).toMatchObject({
        rows: [],
        dropped: expect.stringContaining('reply_unknown') as string,
      });
    }
    // What was done before it is taught; neither it nor what came after it is.
    const { rows, dropped } = exported('sft');
    expect(rows.map(({ completion }) => callsOf(completion))).toEqual([['find_workflow {"id":1}']]);
    expect(dropped).toMatchObject({ reply_unknown: 1 });
    const [atif] = exported('atif').rows as { steps?: Record<string, unknown>[] }[];
    expect(atif?.steps?.slice(3)).toMatchObject([
      { source: 'agent', tool_calls: [{ function_name: 'rename_workflow' }] },
      { source: 'system', extra: { kind: 'reply_unknown' } },
      { source: 'agent' },
    ]);
    expect(atif?.steps?.[3]).not.toHaveProperty('observation');
    expect(attemptsBefore(record, 3).map(fateWords)).toEqual([
      'succeeded',
      'was sent; its answer was lost, so nobody knows whether it was carried out',
    ]);
    expect(factsOf(record)).toMatchObject({ turns: 3, wellFormed: 3, calls: [{ turn: 1, outcome: 'ok' }] });
  });

  it('that a person had sent again is sent once, also where a restart comes between', async () => {
    const answered = await written('sent2', async ({ log, ...product }) => {
      const call = log.record(id).turns[1]?.call?.id ?? '';
      log.append(id, SYSTEM, pickedUp(1));
      log.append(id, SYSTEM, { kind: 'call.doubted', call, turn: 2 });
      await product.as(ME)('call.settle_doubt', { episode: id, call, act: 'send_again', timing: TIMING });
    });

    const record = await (await reopened(answered, true)).ended(id);

    expect(record.ended).toMatchObject({ outcome: 'done', reward_type: 'complete' });
    expect(timesCalled('rename_workflow')).toBe(1);
  });

  it('is in doubt once more where the second answer is lost too', async () => {
    const lost = await written('sent2', async ({ log, ...product }) => {
      const { id: call = '', sent = null } = log.record(id).turns[1]?.call ?? {};
      log.append(id, SYSTEM, pickedUp(1));
      log.append(id, SYSTEM, { kind: 'call.doubted', call, turn: 2 });
      await product.as(ME)('call.settle_doubt', { episode: id, call, act: 'send_again', timing: TIMING });
      const again = { call, tool_name: sent?.toolName ?? '', arguments: sent?.arguments ?? {} };
      log.append(id, { type: 'agent', id: 'm' }, { kind: 'call.sent', ...again });
    });

    await (await reopened(lost, true)).until(id, openDoubt);

    expect(timesCalled('rename_workflow')).toBe(0);
  });

  it('ends its episode where a bench takes it over, which nobody can be asked of, and says so', async () => {
    const { log } = await reopened(folderOf('sent2'));
    const adopt = createAdopt({
      log,
      promptSha256: log.record(id).started?.prompt_sha256 ?? '',
      agentNow: () => ({ model: 'm', base_url: log.record(id).started?.agent.base_url ?? '' }),
      isFreeOfEffects: () => true,
      runBudgets: { again: () => null } as never,
      supervisor: { ending: () => null } as never,
    });

    expect(adopt(id)).toBeNull();
    expect(log.record(id).ended).toMatchObject({
      outcome: 'interrupted',
      reason: expect.stringContaining('rename_workflow of turn 2 was sent before Interject ended') as string,
    });
  });

  it('ends with the episode where the person ends it', async () => {
    const next = await reopened(folderOf('sent2'), true);
    await next.until(id, openDoubt);
    await next.as(ME)('episode.stop', { episode: id, reason: null });

    expect((await next.ended(id)).ended?.outcome).toBe('stopped');
    expect(timesCalled('rename_workflow')).toBe(0);
    expect(next.log.projections.holds(9)).toEqual([]);
  });
});

// The last: its server is gone.
it('an episode whose server is down waits again, and says so', async () => {
  environment.close();

  const next = await reopened(folderOf('answered1'), true);
  const record = await next.until(id, isBrokenOff);

  expect(record.ended).toBeNull();
  expect(record.brokeOff?.failure).toMatchObject({ code: 'env_unreachable' });
  expect(next.log.read(id).filter(({ event }) => event.kind === 'start.retried')).toHaveLength(4);
});
