// Episodes that wait for a place: what is kept of them, what the next start makes of it after a kill, and when nothing is
// left. The kill of a real process is in test/hosts/queueKilled.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/main/log/database.ts';
import { createEventLog } from '../../src/main/log/eventLog.ts';
import { createSupervisor } from '../../src/main/episode/supervisor.ts';
import { createRunBudgets } from '../../src/main/episode/budget.ts';
import type { EventOf } from '../../src/shared/events/vocabulary.ts';
import { spec } from '../support/flow.ts';
import { killedCopy } from '../support/dataFolder.ts';
import { ME, TIMING } from '../support/killed.ts';
import { HUMAN, openLog, started, SYSTEM } from '../support/log.ts';
import { openProduct, removeFolder, specsOf, startInput, type Product } from '../support/product.ts';

const products: Product[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const one of products.splice(0)) await one.close();
  for (const folder of folders.splice(0)) removeFolder(folder);
});

/** A product in which two episodes run at once. */
async function open(folder?: string, mode?: 'go_on' | 'interrupt' | 'leave'): Promise<Product> {
  const product = await openProduct(folder, {}, mode, {}, { places: 2 });
  products.push(product);
  folders.push(product.folder);
  return product;
}

/** Starts so many that ask a person. */
const start = async (product: Product, repeats: number, over = {}): Promise<string[]> =>
  (await product.as(ME)('episode.start', startInput({ condition: 'human', repeats, ...over }))).episodes;

const queued = (product: Pick<Product, 'log'>): string[] => product.log.queue.all().map(({ id }) => id);

/** Answers whatever is asked until all have ended. */
async function playOut(product: Product, ids: readonly string[]): Promise<void> {
  const answerAll = async (): Promise<void> => {
    for (const { episode, consultation, seq } of product.log.projections.desk(9).items)
      await product.as(ME)('desk.answer', {
        episode,
        consultation,
        text: 'The first.',
        draft: null,
        seen_seq: seq,
        timing: TIMING,
      });
  };
  const isOver = (): boolean => ids.every((id) => product.log.record(id).ended !== null);
  while (!isOver()) {
    await answerAll();
    await new Promise((go) => setTimeout(go, 10));
  }
}

const outcomes = ({ log }: Product, ids: readonly string[]): unknown[] =>
  ids.map((id) => log.record(id).ended?.outcome);

describe('episodes that wait for a place', () => {
  it('are kept by the time their start is acknowledged, and leave as they begin', async () => {
    const product = await open();

    const ids = await start(product, 4);

    expect(queued(product)).toEqual(ids.slice(2));
    await playOut(product, ids);
    expect(queued(product)).toEqual([]);
    expect(outcomes(product, ids)).toEqual(['done', 'done', 'done', 'done']);
  });

  it('all come back after a kill, each once, as what they were started as', async () => {
    const first = await open();
    const admission = { share: null, capacity: 7, hourly_minutes: null };
    const ids = await start(first, 5, { seed: 40, admission });
    const next = await open(killedCopy(first.folder));

    expect(queued(next)).toEqual([]);
    expect(next.queued).toBe(3);
    expect(next.goingOn.toSorted()).toEqual(ids.toSorted());
    await playOut(next, ids);
    expect(outcomes(next, ids)).toEqual(ids.map(() => 'done'));
    expect(ids.map((id) => next.log.record(id).started)).toMatchObject(
      ids.map((_id, repeat) => ({ repeat, seed: 40 + repeat, admission })),
    );
    const begun = ids.map(
      (id) => next.log.read(id).filter(({ event }) => event.kind === 'episode.started').length,
    );
    expect(begun).toEqual(ids.map(() => 1));
  });

  it('are not lost by a second kill while they wait once more', async () => {
    const first = await open();
    const ids = await start(first, 5);
    const second = await open(killedCopy(first.folder));
    await second.until(ids[0] ?? '', ({ restarts }) => restarts[0]?.wentOn);

    const third = await open(killedCopy(second.folder));

    await playOut(third, ids);
    expect(outcomes(third, ids)).toEqual(ids.map(() => 'done'));
  });

  it('leave no word in the log when they are stopped or given up, and wait for a person’s when closed away', async () => {
    const product = await open();
    const [one = '', two = '', three = '', four = '', five = ''] = await start(product, 5);
    await product.as(ME)('episode.stop', { episode: three, reason: null });
    product.supervisor.abandon(four);
    expect(queued(product)).toEqual([five]);

    await product.supervisor.close();

    expect(queued(product)).toEqual([]);
    expect([one, two, three, four, five].map((id) => product.log.record(id).n > 0)).toEqual([
      true,
      true,
      false,
      false,
      true,
    ]);
    expect(product.log.record(five)).toMatchObject({
      ended: null,
      brokeOff: { reason: null, failure: { code: 'closed', message: 'Interject was closed' } },
    });
  });

  it('are not kept where whoever started them starts them once more: a bench, a lift, a named run', async () => {
    const product = await open();
    const input = startInput({ condition: 'human', repeats: 4 });
    const [one, two, three, four] = specsOf(product, input);
    if (one === undefined || two === undefined || three === undefined || four === undefined)
      throw new Error('four were asked for');
    const begin = [one, two, three].map((spec) => product.supervisor.start(spec, { isStartedAgain: true }));
    await Promise.all(begin.map(({ begun }) => begun));

    const kept = product.supervisor.start(four);
    await kept.begun;

    expect(queued(product)).toEqual([kept.id]);
  });

  it('that a command began are kept, but for those of a named run, which the same command goes on with', async () => {
    const product = await open();
    await start(product, 2);
    const begin = async (run?: string): Promise<string | undefined> => {
      const starts = [startInput({ condition: 'human', ...(run === undefined ? {} : { run }) })];
      const begun = await product.command('run.start', { starts, concurrency: 1 });
      const { news } = await product.command('run.wait', { run: begun.run, after: 0 });
      return news[0]?.episode;
    };

    await begin('night');
    const unnamed = await begin();

    expect(queued(product)).toEqual([unnamed]);
  });

  it('go on waiting beside a command that ends with its own work, and come back once the console is opened', async () => {
    const first = await open();
    const ids = await start(first, 3);
    const command = await open(killedCopy(first.folder), 'leave');
    const left = [command.goingOn.toSorted(), queued(command)];
    await products.pop()?.close();

    const next = await open(command.folder);

    expect(left).toEqual([ids.toSorted(), ids.slice(2)]);
    await playOut(next, ids);
    expect(outcomes(next, ids)).toEqual(ids.map(() => 'done'));
  });

  it('end as interrupted, with a word, where nothing is to go on', async () => {
    const first = await open();
    const ids = await start(first, 3);

    const next = await open(killedCopy(first.folder), 'interrupt');

    expect(queued(next)).toEqual([]);
    expect(outcomes(next, ids)).toEqual(ids.map(() => 'interrupted'));
  });
});

/** A folder in which one episode waited for a place when the program was killed. */
async function leftWaiting(over: Partial<EventOf<'episode.started'>>): Promise<string> {
  const product = await openProduct();
  const prompt_sha256 = product.log.record((await start(product, 1))[0] ?? '').started?.prompt_sha256 ?? null;
  product.log.queue.add({
    id: 'late',
    opening: [{ actor: SYSTEM, event: started({ prompt_sha256, condition: 'human', ...over }) }],
  });
  const folder = killedCopy(product.folder);
  await product.close();
  removeFolder(product.folder);
  return folder;
}

describe('what waited for a place follows the rules of what had begun', () => {
  const outside = { id: 'mine', name: 'Mine', url: 'http://127.0.0.1:9', builtin: false };

  it('in an environment that may have effects it waits for a person’s word', async () => {
    const next = await open(await leftWaiting({ environment: outside }));

    expect(next.log.record('late')).toMatchObject({ ended: null, brokeOff: { reason: null } });
  });

  it('it is not begun without a secret of its reset, and says so', async () => {
    const next = await open(await leftWaiting({ reset: { api_key: '[redacted]' } }));

    expect(next.log.record('late').ended).toMatchObject({
      outcome: 'interrupted',
      reason: 'Interject ended before the reset, whose secrets no log holds',
    });
  });

  it('it is not begun as another agent', async () => {
    const next = await open(await leftWaiting({ prompt_sha256: 'of another version' }));

    expect(next.log.record('late').ended?.reason).toContain('what agents are told has changed');
  });

  it('the budget of its run is not forgotten while it waits', () => {
    const log = openLog();
    const run_budget = { id: 'b1', limits: { tokens: 9 }, from: {} };
    log.queue.add({ id: 'late', opening: [{ actor: SYSTEM, event: started({ run_budget }) }] });
    log.keepMarks([{ name: 'budget:b1', value: 5000 }]);

    createRunBudgets({ log, monotonic: () => 0, newId: () => 'x' });

    expect(log.mark('budget:b1')).toBe(5000);
    log.close();
  });
});

it('one that cannot be kept on a full disk is refused by name, and leaves nothing', async () => {
  const db = openDatabase(':memory:');
  const log = createEventLog({ db, clock: () => 1, onListenerError: () => undefined });
  const place = Promise.withResolvers<never>();
  const supervisor = createSupervisor({
    log,
    runEpisode: (id) => {
      log.append(id, SYSTEM, started());
      return place.promise;
    },
    newId: () => 'never asked for',
    clock: Date.now,
    leavesOpen: false,
    places: 1,
    openingOf: () => [{ actor: SYSTEM, event: started({ environment_text: 'x'.repeat(200_000) }) }],
  });
  const one = spec('http://127.0.0.1:9');
  const running = supervisor.start(one, { id: 'running' });
  await running.begun;
  db.pragma(`max_page_count = ${String(db.pragma('page_count', { simple: true }))}`);

  const waiting = supervisor.start(one, { id: 'waiting' });

  await expect(waiting.begun).rejects.toMatchObject({ code: 'data_unwritable' });
  supervisor.abandon('waiting');
  place.reject(new Error('over'));
  await Promise.all([running.ended, waiting.ended]);
  expect([log.queue.all(), log.record('waiting').n]).toEqual([[], 0]);
  db.close();
});

it('an erased episode has left no text where it waited for a place', async () => {
  const product = await open();
  const reset = { remark: 'Words that were in the queue 4711' };
  const ids = await start(product, 3, { reset });
  expect(queued(product)).toEqual(ids.slice(2));
  await playOut(product, ids);

  for (const id of ids) product.log.erase(id, null, HUMAN, null);

  const files = readdirSync(product.folder).filter((name) => name.startsWith('interject.db'));
  for (const name of files)
    expect(readFileSync(join(product.folder, name), 'latin1')).not.toContain('in the queue 4711');
});
