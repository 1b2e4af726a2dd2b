// A decision about a held call in the moment in which its client or its environment is lost: what the tap did stands.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { stepInCommands } from '../../src/main/commands/stepIns.ts';
import { rowsOf } from '../../src/shared/timeline/rows.ts';
import { callBecame } from '../../src/shared/episode/callOutcome.ts';
import { ASK_ALL, ME } from '../support/stepIn.ts';
import { connect, openTap, type OpenTap, type Over } from '../support/tap.ts';
import { type Served, serveWorlds } from '../support/worlds.ts';

let worlds: Served;
const opened: OpenTap[] = [];
beforeAll(async () => {
  worlds = await serveWorlds();
});
afterEach(async () => {
  for (const tapped of opened.splice(0)) await tapped.close();
});
afterAll(() => worlds.close());

/** A client whose call waits for a person. */
async function hold(url = worlds.url, over: Over = {}) {
  const tapped = await openTap(url, { may_act: true, ...over });
  opened.push(tapped);
  const client = await connect(tapped.url);
  await client.reset();
  const [id = ''] = await tapped.episodes();
  await tapped.commands['policy.set']({ episode: id, rules: ASK_ALL }, ME);
  await tapped.tap.settled();
  void client.call('list_workspaces').catch(() => undefined);
  await tapped.until(id, ({ turns }) => turns.at(-1)?.call?.held);
  return { ...tapped, client, id };
}

/** This process, and main in it, hears nothing meanwhile; the tap's goes on. */
const standStill = (ms: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Commands that do not ask the tap first, as where its word and the person's cross. */
const unasked = (tapped: Pick<OpenTap, 'log' | 'desk'>) =>
  stepInCommands({ ...tapped, newId: () => 'n', recorded: () => Promise.resolve(true) });

const yesTo = (episode: string) => ({
  act: 'approve' as const,
  episode,
  call: 't1',
  seen_seq: 1,
  similar: false,
  timing: { first_seen_at: null, active_ms: null },
});

describe('a yes to a held call', () => {
  it.each([0, 2, 5, 20])(
    'is no approval %i ms after its client has left, and whoever gives it is told why',
    async (waitMs) => {
      const { client, commands, id, until } = await hold();
      client.socket.terminate();
      await new Promise((resolve) => setTimeout(resolve, waitMs));

      await expect(commands['call.decide'](yesTo(id), ME)).rejects.toMatchObject({
        message: expect.stringContaining('this call was not executed: the client left before') as string,
      });
      const { turns } = await until(id, ({ ended }) => ended);
      expect(turns[0]?.call).toMatchObject({ sent: null, decision: { type: 'cancelled' } });
    },
  );

  it('is said to be too late, in the log and on its card, where it is in the log before the tap’s word that the client had left', async () => {
    const { client, id, until, ...tapped } = await hold();
    client.socket.terminate();
    standStill(200);
    await Promise.allSettled([unasked(tapped)['call.decide'](yesTo(id), ME)]);

    const record = await until(id, ({ ended }) => ended);
    expect(record.turns[0]?.call).toMatchObject({
      sent: null,
      late: { type: 'approved', actor: { id: ME.seat } },
      decision: { type: 'cancelled', reason: 'the client left before the decision reached it' },
    });
    expect(callBecame(record, 't1')).toBe(
      'It was not executed: the client left before the decision reached it.',
    );
    const decisions = rowsOf(record).filter(({ subject }) => subject.type === 'decision');
    expect(decisions).toMatchObject([
      { name: 'Call approved', outcome: { label: 'too late' } },
      { name: 'Held call cancelled', detail: 'the client left before the decision reached it' },
    ]);
  });

  it('is no approval once the environment is gone, and the log says that it was the environment', async () => {
    const mortal = await serveWorlds();
    const { commands, id, until } = await hold(mortal.url);
    await mortal.close();

    await expect(commands['call.decide'](yesTo(id), ME)).rejects.toMatchObject({
      message: 'this call was not executed: the environment closed the connection',
    });
    const { turns } = await until(id, ({ ended }) => ended);
    expect(turns[0]?.call).toMatchObject({ sent: null, decision: { type: 'cancelled' } });
  });
});

it('a no to a held call that is executed where nobody decides is said to be too late where it is in the log before the tap’s word that the limit had passed', async () => {
  const { id, until, ...tapped } = await hold(worlds.url, {
    hold_limit_ms: 1_000,
    hold_fallback: 'approve',
  });
  standStill(1_000);
  const { similar: _similar, ...about } = yesTo(id);
  const no = unasked(tapped)['call.decide']({ ...about, act: 'reject', reason: 'not this one' }, ME);
  await Promise.allSettled([no]);

  const record = await until(id, ({ turns }) => turns[0]?.call?.returned);
  expect(record.turns[0]?.call).toMatchObject({
    sent: { toolName: 'list_workspaces' },
    late: { type: 'rejected', actor: { id: ME.seat } },
    decision: { type: 'expired', fallback: 'approve' },
  });
  expect(callBecame(record, 't1')).toBe('It was executed: your word reached the client too late.');
});
