import { describe, expect, it } from 'vitest';
import { rewardCommands } from '../../src/main/commands/rewards.ts';
import { createScoreSets } from '../../src/main/commands/rewardSets.ts';
import type { Caller, Inputs, Outputs } from '../../src/shared/contract/contract.ts';
import { PROFILE_STREAM, scoredStream } from '../../src/shared/events/rewards.ts';
import { REWARD_DEFAULTS } from '../../src/shared/rewards/settings.ts';
import { assisted, episode, type Builder } from '../renderer/parts/episodes.ts';
import { openLog, SYSTEM } from '../support/log.ts';

const OWNER: Caller = { seat: 'seat-owner' };
const EVERYTHING = { query: '', condition: null, filter: {} };
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

/** A lab over a real log; time moves with every look at it, so that reading pauses often. */
function openLab(...episodes: Builder[]) {
  const log = openLog();
  for (const { events } of episodes) {
    const [first] = events;
    log.appendAll(
      first?.stream ?? '',
      events.map(({ actor, event }) => ({ actor, event })),
    );
  }
  let reads = 0;
  const counting = {
    ...log,
    read: (...given: Parameters<typeof log.read>) => ((reads += 1), log.read(...given)),
  };
  const waiting: (() => void)[] = [];
  let now = 0;
  let last = 0;
  const sets = createScoreSets({
    log: counting,
    newId: () => `set${String((last += 1))}`,
    schedule: (_delay, run) => {
      waiting.push(run);
      return () => undefined;
    },
    clock: () => (now += 20),
  });
  const commands = rewardCommands({ log, sets });
  const call = <M extends keyof typeof commands>(method: M, input: Inputs[M]): Promise<Outputs[M]> =>
    commands[method](input as never, OWNER) as Promise<Outputs[M]>;
  /** One turn of what waits; false when nothing does. */
  const step = async (): Promise<boolean> => {
    const run = waiting.shift();
    run?.();
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    return run !== undefined;
  };
  const settle = async (): Promise<void> => {
    while (await step());
  };
  const open = async (from: Inputs['rewards.open']['from'] = EVERYTHING): Promise<string> => {
    const { set } = await call('rewards.open', { from });
    await settle();
    return set;
  };
  const score = async (set: string, after: Inputs['rewards.score']['after'] = { settings: OTHER }) => {
    const done = call('rewards.score', { set, measure: 'rubric', before: { profile: 'default' }, after });
    await settle();
    const scored = await done;
    if (scored.state !== 'done') throw new Error('the set is not read');
    return scored.report;
  };
  return { log, call, step, settle, open, score, reads: () => reads };
}

describe('scoring a set', () => {
  it('counts no continuation of a lift, as the command line does not, unless it is named', async () => {
    const lift = { lift: 'worth', episode: 'e1', consultation: 'c1', arm: 'with', number: 1 } as const;
    const continued = episode('e2').open({ lift });
    const lab = openLab(
      solo('e1'),
      continued.call('get_order', { order_id: 1 }, { text: '{}' }).end('complete'),
    );

    expect((await lab.score(await lab.open())).completion).toMatchObject({ verified: 1 });
    expect((await lab.score(await lab.open({ episodes: ['e2'] }))).completion).toMatchObject({ verified: 1 });
  });

  it('reads ended episodes in slices, tells how far it is, and scores by both settings', async () => {
    const lab = openLab(solo('e1'), undone('e2'), assisted('e3'), running('e4'));
    const { set, total } = await lab.call('rewards.open', { from: EVERYTHING });
    await lab.step();
    await lab.step();

    const input = {
      set,
      measure: 'rubric',
      before: { profile: 'default' },
      after: { settings: OTHER },
    } as const;
    expect(total).toBe(3);
    expect(await lab.call('rewards.score', input)).toEqual({ state: 'reading', done: 2, total: 3 });

    await lab.settle();
    const report = await lab.score(set);

    expect(report).toMatchObject({
      episodes: 3,
      completion: { complete: 2, verified: 3 },
      groups: { groups: 1, rollouts: 2 },
    });
    expect(report.sections.some(({ of, name }) => of === 'pattern' && name === 'solo')).toBe(true);
  });

  it('does not read an episode again for other settings, another set, or the other measure', async () => {
    const lab = openLab(solo('e1'), undone('e2'));
    await lab.score(await lab.open());
    const once = lab.reads();
    const again = await lab.open({ episodes: ['e2', 'e1', 'e2'] });
    const report = await lab.score(again, { settings: changed({ unfinished: 0.2 }) });

    expect(report.episodes).toBe(2);
    expect(lab.reads()).toBe(once);
  });

  it('reads an episode again whose texts were erased, and leaves it out', async () => {
    const lab = openLab(solo('e1'), undone('e2'));
    expect((await lab.score(await lab.open())).episodes).toBe(2);

    lab.log.erase('e2', null, SYSTEM, null);

    expect((await lab.score(await lab.open())).episodes).toBe(1);
  });

  it('stops when it is closed, and says so to whoever asks after it', async () => {
    const lab = openLab(solo('e1'), undone('e2'));
    const { set } = await lab.call('rewards.open', { from: EVERYTHING });
    await lab.step();
    const before = lab.reads();
    await lab.call('rewards.close', { set });
    await lab.settle();

    expect(lab.reads()).toBe(before);
    const input = {
      set,
      measure: 'shaped',
      before: { profile: 'default' },
      after: { profile: 'default' },
    } as const;
    await expect(lab.call('rewards.score', input)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('gives the breakdown of each episode by both, largest gain first', async () => {
    const lab = openLab(solo('e1'), undone('e2'));
    const set = await lab.open();
    const input = {
      set,
      measure: 'rubric',
      before: { profile: 'default' },
      after: { settings: changed({ unfinished: 0.1 }) },
      order: 'loss',
      offset: 0,
      limit: 1,
    } as const;
    const done = lab.call('rewards.rows', input);
    await lab.settle();
    const { total, rows } = await done;

    expect(total).toBe(2);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row.episode).toBe('e2');
    expect(rows[0]?.before.rubric.gate).toBe(0.5);
    expect(rows[0]?.after.rubric.gate).toBe(0.1);
    expect(rows[0]?.before.rubric.total).toBeCloseTo(rows[0]?.row.before ?? 0, 9);
  });

  it('refuses settings that break a rule, episodes and sets that are not there, and profiles nobody saved', async () => {
    const lab = openLab(solo('e1'));
    const set = await lab.open();
    const score = (after: Inputs['rewards.score']['after']) =>
      lab.call('rewards.score', { set, measure: 'shaped', before: { profile: 'default' }, after });

    await expect(score({ settings: changed({ unfinished: 1 }) })).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('not completed could earn') as string,
    });
    await expect(score({ profile: 'mine' })).rejects.toMatchObject({
      code: 'not_found',
      next: 'There is default.',
    });
    await expect(lab.call('rewards.open', { from: { episodes: ['nobody'] } })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a named profile', () => {
  it('is saved, counted on, removed and brought back, in a stream of its own', async () => {
    const lab = openLab(solo('e1'));
    const events = lab.log.read('e1').length;
    expect(await lab.call('rewards.save_profile', { name: 'strict', settings: OTHER })).toMatchObject({
      version: 1,
    });
    await lab.call('rewards.save_profile', { name: 'strict', settings: changed({ unfinished: 0.2 }) });
    const removed = await lab.call('rewards.remove_profile', { name: 'strict' });
    expect((await lab.call('rewards.profiles', {})).profiles.map(({ name }) => name)).toEqual(['default']);

    await lab.call('rewards.save_profile', { name: removed.name, settings: removed.settings });

    expect(removed).toMatchObject({ version: 2, settings: { rubric: { unfinished: 0.2 } } });
    expect((await lab.call('rewards.profiles', {})).profiles[1]).toMatchObject({
      name: 'strict',
      version: 3,
    });
    expect(lab.log.read(PROFILE_STREAM).map(({ actor }) => actor.id)).toEqual(Array(4).fill('seat-owner'));
    expect(lab.log.read('e1')).toHaveLength(events);
  });

  it('is never the default’s name, and never holds what breaks a rule', async () => {
    const lab = openLab();
    const save = (name: string, settings = OTHER) => lab.call('rewards.save_profile', { name, settings });

    await expect(save('default')).rejects.toMatchObject({ code: 'bad_input' });
    await expect(save('loose', changed({ unfinished: 1 }))).rejects.toMatchObject({ code: 'bad_input' });
    await expect(lab.call('rewards.remove_profile', { name: 'default' })).rejects.toMatchObject({
      code: 'bad_input',
    });
    await expect(lab.call('rewards.remove_profile', { name: 'loose' })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(lab.log.read(PROFILE_STREAM)).toEqual([]);
  });
});

describe('storing scores', () => {
  it('writes each episode’s breakdown beside the episodes, once per version', async () => {
    const lab = openLab(solo('e1'), undone('e2'));
    const set = await lab.open();
    const keep = async (profile: string) => {
      const done = lab.call('rewards.keep', { set, profile });
      await lab.settle();
      return done;
    };
    await lab.call('rewards.save_profile', { name: 'strict', settings: OTHER });

    expect(await keep('strict')).toEqual({ kept: 2, known: 0 });
    expect(await keep('strict')).toEqual({ kept: 0, known: 2 });
    expect(await keep('default')).toEqual({ kept: 2, known: 0 });

    expect(lab.log.read(scoredStream('strict')).map(({ event }) => event)).toMatchObject([
      {
        kind: 'episodes.scored',
        version: 1,
        scores: [{ episode: 'e2' }, { episode: 'e1', breakdown: { shaped: { pattern: 'solo', total: 2 } } }],
      },
    ]);
    expect((await lab.call('rewards.kept', {})).kept).toMatchObject(
      expect.arrayContaining(
        [
          { profile: 'strict', version: 1, episodes: 2 },
          { profile: 'default', version: 0, episodes: 2 },
        ].map((one) => expect.objectContaining(one) as object),
      ) as object[],
    );
  });
});
