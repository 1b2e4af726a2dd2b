// What keeps an episode from going on by itself after its program was killed, and what it says then.
import { afterEach, expect, it } from 'vitest';
import { killedCopy } from '../support/dataFolder.ts';
import { SYSTEM } from '../../src/shared/events/actor.ts';
import { reset, started } from '../support/log.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

const ME = 'seat-one';
const products: Product[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const one of products.splice(0)) await one.close();
  for (const folder of folders.splice(0)) removeFolder(folder);
});

/** An episode with an open question, and what a program that is killed now leaves behind. */
async function killedAsking(): Promise<{ id: string; folder: string }> {
  const product = await openProduct();
  products.push(product);
  folders.push(product.folder);
  const id = (await product.as(ME)('episode.start', startInput())).episodes[0] ?? '';
  await product.until(id, ({ consultations }) => consultations[0]?.draft);
  const folder = killedCopy(product.folder);
  folders.push(folder);
  return { id, folder };
}

const reopened = async (folder: string, mode?: 'go_on' | 'interrupt' | 'leave'): Promise<Product> => {
  const product = await openProduct(folder, {}, mode);
  products.push(product);
  return product;
};

const attempt = (number: number) => ({
  actor: SYSTEM,
  event: { kind: 'episode.picked_up' as const, attempt: number, ran_until: 1, used_ms: 0 },
});

it('an open question stays open under its name, with its age and its draft, and is not drafted for again', async () => {
  const { id, folder } = await killedAsking();
  const before = (await reopened(folder, 'leave')).log.record(id).consultations[0];
  await products.pop()?.close();

  const next = await reopened(folder);
  const record = await next.until(id, ({ restarts }) => restarts[0]?.wentOn);

  expect(record.consultations[0]).toEqual(before);
  expect(next.log.projections.desk(10).items).toMatchObject([
    { consultation: before?.id, asked_at: before?.askedAt },
  ]);
  expect(record.restarts).toMatchObject([
    { attempt: 1, actor: SYSTEM, wentOn: { drift: null, in_doubt: null } },
  ]);
});

it('it is tried twice without a person: the third time it waits for a word, says why, and keeps its question open', async () => {
  const { id, folder } = await killedAsking();
  const left = await reopened(folder, 'leave');
  left.log.appendAll(id, [attempt(1), attempt(2)]);
  await products.pop()?.close();

  const next = await reopened(folder);

  expect(next.log.record(id)).toMatchObject({
    ended: null,
    brokeOff: {
      reason: 'Interject ended again while the episode went on, 2 times: it is not tried once more by itself',
    },
  });
  await next.as(ME)('episode.settle', { episode: id, act: 'go_on' });
  const record = await next.until(id, ({ restarts }) => restarts[2]?.wentOn);
  expect(record.consultations).toMatchObject([{ decision: null }]);
});

it('a world that answers otherwise ends it as interrupted, with the first difference named', async () => {
  const { id, folder } = await killedAsking();
  const left = await reopened(folder, 'leave');
  const { turns } = left.log.record(id);
  const made = turns.findLast(({ call }) => call?.returned !== null && call !== null);
  // The log says something that the world never said.
  left.log.append(id, SYSTEM, {
    kind: 'call.returned',
    call: made?.callId ?? '',
    frame: '{}',
    reward_type: 'tool_call_ok',
    reward: 0,
    done: false,
    text: 'something else',
    error: null,
    latency_ms: 1,
  });
  await products.pop()?.close();

  const record = await (await reopened(folder)).ended(id);

  expect(record.restarts[0]?.wentOn?.drift).toMatchObject({ turn: made?.turn, logged: 'something else' });
  expect(record.ended).toMatchObject({ outcome: 'interrupted', failure: { code: 'replay_drifted' } });
  expect(record.ended?.failure?.message).toContain(`answered turn ${String(made?.turn)}`);
});

it('one that was told to stop is stopped, and one whose texts for agents changed is interrupted', async () => {
  const { id, folder } = await killedAsking();
  const left = await reopened(folder, 'leave');
  left.log.append(id, SYSTEM, { kind: 'stop.requested', reason: null });
  left.log.append('other', SYSTEM, started({ prompt_sha256: 'of another version' }));
  left.log.append('other', SYSTEM, reset());
  await products.pop()?.close();

  const next = await reopened(folder);

  expect(next.log.record(id).ended).toMatchObject({ outcome: 'stopped' });
  expect(next.log.record('other').ended).toMatchObject({
    outcome: 'interrupted',
    reason: expect.stringContaining('what agents are told has changed') as string,
  });
});

it('an episode that a client plays through the tap is its own: no start goes on with it, and no person can', async () => {
  const { folder } = await killedAsking();
  const left = await reopened(folder, 'leave');
  left.log.append('tapped', SYSTEM, started({ source: 'tap' }));
  left.log.append('tapped', SYSTEM, reset());
  const { n } = left.log.record('tapped');
  await products.pop()?.close();

  const next = await reopened(folder);

  expect(next.goingOn).not.toContain('tapped');
  await expect(next.as(ME)('episode.settle', { episode: 'tapped', act: 'go_on' })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(next.log.record('tapped').n).toBe(n);
});

it('an agent whose model is no longer set is interrupted, and the next step is named', async () => {
  const { folder } = await killedAsking();
  const left = await reopened(folder, 'leave');
  const agent = { policy: 'chat' as const, protocol: 'native' as const, model: 'model-one' };
  left.log.append('chatting', SYSTEM, started({ agent }));
  left.log.append('chatting', SYSTEM, reset());
  await products.pop()?.close();

  const record = (await reopened(folder)).log.record('chatting');

  expect(record.ended).toMatchObject({
    outcome: 'interrupted',
    failure: {
      code: 'model_not_configured',
      message: 'the agent was model-one, and no model is set for it now',
      next: 'Set the model under Setup, then resume the episode.',
    },
  });
});

it('a command that does not stay leaves it as it is, and a start that was asked to ends it as interrupted', async () => {
  const { id, folder } = await killedAsking();
  const left = await reopened(folder, 'leave');
  expect(left.goingOn).toEqual([id]);
  expect(left.log.record(id).ended).toBeNull();
  await products.pop()?.close();

  const next = await reopened(folder, 'interrupt');

  expect(next.interrupted).toEqual([id]);
  expect(next.log.record(id).ended).toMatchObject({ outcome: 'interrupted' });
});
