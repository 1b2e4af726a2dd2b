// A named run that was killed and is asked for again: the episodes that are open are its own, alone and beside an open
// Interject.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SYSTEM } from '../../src/shared/events/actor.ts';
import { openHost, type Host } from '../support/host.ts';
import { runCommand } from '../support/inProcess.ts';
import { killedCopy } from '../support/dataFolder.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';
import { PACK } from '../support/worlds.ts';

const RUN = `run --world ${PACK} --task 0-1 --agent rehearsal --condition human --run kill --fallback wait`;
const FILE = '{"ask":1,"do":"decline","reason":"You know it."}\n';

/** Killed while both of its episodes wait for a person. */
let killed = '';
let ids: string[] = [];
const folders: string[] = [];
beforeAll(async () => {
  const product = await openProduct();
  const seat = product.as('seat-one');
  for (const task_idx of [0, 1]) {
    const input = startInput({ condition: 'human', run: 'kill', task_idx });
    ids.push(...(await seat('episode.start', input)).episodes);
  }
  for (const id of ids) await product.until(id, ({ consultations }) => consultations.length > 0);
  killed = killedCopy(product.folder);
  await product.close();
  removeFolder(product.folder);
  ids = ids.toSorted();
});
afterAll(() => {
  for (const folder of [killed, ...folders]) rmSync(folder, { recursive: true, force: true });
});

function killedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'interject-run-'));
  folders.push(folder);
  mkdirSync(folder, { recursive: true });
  killedCopy(killed, join(folder, 'home'));
  writeFileSync(join(folder, 'answers.jsonl'), FILE);
  return folder;
}

const repeat = (folder: string) =>
  runCommand(folder, [...RUN.split(' '), '--answers', 'answers.jsonl', '--data', 'home']);

const EVERY = { query: '', status: null, condition: null, offset: 0, limit: 20 };
const outcomes = ({ log }: Pick<Product, 'log'>): [string, string | null][] =>
  log.projections
    .episodes({ ...EVERY, filter: { run: 'kill' } })
    .rows.map(({ id, outcome }): [string, string | null] => [id, outcome])
    .toSorted(([one], [other]) => (one < other ? -1 : 1));

/** Opens the product beside whose door commands come in, until the work is over. */
async function beside<T>(folder: string, work: (host: Host) => Promise<T>): Promise<T> {
  const host = await openHost(folder);
  try {
    return await work(host);
  } finally {
    await host.stop();
  }
}

it('killed and asked for again alone, a named run goes on with the very episodes that were open', async () => {
  const folder = killedFolder();

  const { code, said } = await repeat(folder);

  const product = await openProduct(join(folder, 'home'), {}, 'leave');
  const found = outcomes(product);
  await product.close();
  expect(said).toContain('Going on with 2 episodes of run kill that were open.');
  expect(found).toEqual(ids.map((id) => [id, 'done']));
  expect(code).toBe(0);
});

it('beside an open Interject in which they go on by themselves, it waits for them and answers them', async () => {
  const folder = killedFolder();

  const { code, said, found } = await beside(folder, async (host) => ({
    ...(await repeat(folder)),
    found: outcomes(host),
  }));

  expect(said).toContain('Going on with 2 episodes of run kill that were open.');
  expect(found).toEqual(ids.map((id) => [id, 'done']));
  expect(code).toBe(0);
});

it.each([['alone'], ['beside']])(
  'one that waits for a person’s word ends and is started anew, which is said: %s',
  async (where) => {
    const folder = killedFolder();
    const home = join(folder, 'home');
    const before = await openProduct(home, {}, 'leave');
    const [waits = '', other = ''] = ids;
    for (const attempt of [1, 2])
      before.log.append(waits, SYSTEM, { kind: 'episode.picked_up', attempt, ran_until: 0, used_ms: 0 });
    await before.close();

    const { said } = where === 'beside' ? await beside(folder, () => repeat(folder)) : await repeat(folder);

    const after = await openProduct(home, {}, 'leave');
    const found = outcomes(after);
    await after.close();
    expect(said).toContain(`${PACK} task `);
    expect(said).toContain(
      'it is not tried once more by itself; it ended as interrupted, and is started anew.',
    );
    expect(found).toHaveLength(3);
    expect(Object.fromEntries(found)).toMatchObject({ [waits]: 'interrupted', [other]: 'done' });
  },
);

it('given twice at the same moment beside an open Interject, a named run plays each task once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'interject-run-'));
  folders.push(folder);
  const run = `run --world ${PACK} --task 0-2 --agent rehearsal --condition none --run kill`.split(' ');

  const { codes, found } = await beside(folder, async (host) => {
    const ends = await Promise.all([1, 2].map(() => runCommand(folder, [...run, '--data', 'home'])));
    return { codes: ends.map(({ code }) => code), found: outcomes(host) };
  });

  expect(codes).toEqual([0, 0]);
  expect(found.map(([, outcome]) => outcome)).toEqual(['done', 'done', 'done']);
});
