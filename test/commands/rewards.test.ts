import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { rewardCommands } from '../../src/main/commands/library.ts';
import { settingsCommands } from '../../src/main/commands/settings.ts';
import { createFileSecrets } from '../../src/main/settings/fileSecrets.ts';
import { createSettings } from '../../src/main/settings/settings.ts';
import { breakdownOf, knownOf } from '../../src/main/reward/reward.ts';
import type { Caller, Inputs, Outputs } from '../../src/shared/contract/contract.ts';
import { PROFILE_STREAM } from '../../src/shared/events/library.ts';
import { REWARD_DEFAULTS } from '../../src/shared/rewards/settings.ts';
import { episode, type Builder } from '../renderer/parts/episodes.ts';
import { newDataFolder } from '../support/dataFolder.ts';
import { openLog, SYSTEM } from '../support/log.ts';

const folder = newDataFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const OWNER: Caller = { seat: 'seat-owner' };
const changed = (over: Partial<typeof REWARD_DEFAULTS.rubric>) => ({
  ...REWARD_DEFAULTS,
  rubric: { ...REWARD_DEFAULTS.rubric, ...over },
});
const OTHER = changed({ weights: { primary: 0.6, process: 0.1, format: 0.2, efficiency: 0.1 } });

const solo = (id: string): Builder =>
  episode(id).open({ group: 'g1' }).call('get_order', { order_id: 1 }, { text: '{}' }).end('complete');
const undone = (id: string): Builder =>
  episode(id).open({ group: 'g1' }).call('get_order', { order_id: 1 }, { text: '{}' }).end('incomplete');
const running = (id: string): Builder => episode(id).open();

function openRewards(...episodes: Builder[]) {
  const log = openLog();
  for (const { events } of episodes) {
    const [first] = events;
    log.appendAll(
      first?.stream ?? '',
      events.map(({ actor, event }) => ({ actor, event })),
    );
  }
  const settings = createSettings({ folder, environment: {}, secrets: createFileSecrets(folder) });
  const commands = {
    ...rewardCommands({ log }),
    ...settingsCommands({ log, settings, awmProblem: () => Promise.resolve(null) }),
  };
  const call = <M extends keyof typeof commands>(method: M, input: Inputs[M]): Promise<Outputs[M]> =>
    commands[method](input as never, OWNER) as Promise<Outputs[M]>;
  return { log, call };
}

describe('scores of episodes', () => {
  it('are those of a profile as it is now, in the order asked for', async () => {
    const { log, call } = openRewards(solo('e1'), undone('e2'));
    await call('settings.change', { reward_profiles: { save: { name: 'strict', settings: OTHER } } });

    const { scores } = await call('rewards.scores', { profile: 'strict', episodes: ['e2', 'e1'] });

    expect(scores).toEqual(['e2', 'e1'].map((id) => breakdownOf(knownOf(log.record(id)), OTHER)));
    expect(scores.map((score) => score?.verifier.label)).toEqual(['incomplete', 'complete']);
    await expect(call('rewards.scores', { profile: 'gone', episodes: ['e1'] })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('are left open of an episode that runs, was erased or is not there', async () => {
    const { log, call } = openRewards(running('e1'), undone('e2'), solo('e3'));
    log.erase('e2', null, SYSTEM, null);

    const { scores } = await call('rewards.scores', {
      profile: 'default',
      episodes: ['e1', 'e2', 'nobody', 'e3'],
    });

    expect(scores.map((score) => score === null)).toEqual([true, true, true, false]);
  });
});

describe('a named profile', () => {
  it('is saved, counted on, removed and brought back, in a stream of its own', async () => {
    const rewards = openRewards(solo('e1'));
    const events = rewards.log.read('e1').length;
    const save = (settings: typeof OTHER) =>
      rewards.call('settings.change', { reward_profiles: { save: { name: 'strict', settings } } });
    expect((await save(OTHER)).reward_profiles[1]).toMatchObject({ version: 1 });
    const {
      reward_profiles: [, kept],
    } = await save(changed({ unfinished: 0.2 }));
    const removed = await rewards.call('settings.change', { reward_profiles: { remove: 'strict' } });
    expect(removed.reward_profiles.map(({ name }) => name)).toEqual(['default']);

    await save(kept?.settings ?? OTHER);

    expect(kept).toMatchObject({ version: 2, settings: { rubric: { unfinished: 0.2 } } });
    expect((await rewards.call('settings.read', {})).reward_profiles[1]).toMatchObject({
      name: 'strict',
      version: 3,
    });
    expect(rewards.log.read(PROFILE_STREAM).map(({ actor }) => actor.id)).toEqual(
      Array(4).fill('seat-owner'),
    );
    expect(rewards.log.read('e1')).toHaveLength(events);
  });

  it('is never the default’s name, and never holds what breaks a rule', async () => {
    const rewards = openRewards();
    const save = (name: string, settings = OTHER) =>
      rewards.call('settings.change', { reward_profiles: { save: { name, settings } } });

    await expect(save('default')).rejects.toMatchObject({ code: 'bad_input' });
    await expect(save('loose', changed({ unfinished: 1 }))).rejects.toMatchObject({ code: 'bad_input' });
    await expect(
      rewards.call('settings.change', { reward_profiles: { remove: 'default' } }),
    ).rejects.toMatchObject({
      code: 'bad_input',
    });
    await expect(
      rewards.call('settings.change', { reward_profiles: { remove: 'loose' } }),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(rewards.log.read(PROFILE_STREAM)).toEqual([]);
  });
});
