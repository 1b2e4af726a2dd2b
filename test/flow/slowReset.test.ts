import { afterEach, expect, it } from 'vitest';
import { seatActor } from '../../src/shared/events/actor.ts';
import { startingOf, startingText } from '../../src/shared/episode/starting.ts';
import { createFlow, spec } from '../support/flow.ts';
import { heldReset } from '../support/heldReset.ts';

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function startHeld() {
  const server = await heldReset();
  closers.push(() => server.close());
  const { log, supervisor } = createFlow();
  const { id, ended } = supervisor.start(spec(server.url, { condition: 'none' }));
  await server.asked;
  return { server, log, supervisor, id, ended };
}

it('says which server an episode waits for, for how long, and how long it may take, until it is ready', async () => {
  const { server, log, id, ended } = await startHeld();

  const starting = startingOf(log.record(id));
  const text = starting === null ? null : startingText(starting, starting.since + 42_300);
  server.letGo();
  const record = await ended;

  expect(text).toEqual({
    label: `Waiting for ${new URL(server.url).host} to reset`,
    detail: '42 s of 330 s',
  });
  expect(record.ended?.outcome).toBe('done');
  expect(startingOf(record)).toBeNull();
});

it('ends an episode that is cancelled during its reset, says so, and leaves no session on the server', async () => {
  const { server, supervisor, log, id, ended } = await startHeld();

  supervisor.stop(id, seatActor('Ada'), null);
  const isStopping = startingOf(log.record(id))?.isStopping;
  const record = await ended;
  await server.left;

  expect(isStopping).toBe(true);
  expect(record.ended).toMatchObject({
    outcome: 'stopped',
    reason: 'cancelled during the reset',
    failure: null,
  });
  expect(server.goodbyes).toEqual(['close']);
  expect(server.sessions()).toBe(0);
});
