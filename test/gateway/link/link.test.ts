import { describe, expect, it } from 'vitest';
import { claimOf, createLinker } from '../../../src/main/gateway/link/link.ts';
import type { EventLog } from '../../../src/main/log/eventLog.ts';
import { createClock, ended, openLog, SYSTEM } from '../../support/log.ts';
import { openTapped } from '../../support/tapped.ts';

const NOBODY = { episode: null, by: 'none' as const };
const by = (episode: string) => ({ episode, by: 'key' as const });
const none = (why: string) => ({ episode: null, link: { by: 'none', score: 0, why } });

const linkerOf = (log: EventLog) =>
  createLinker({ log, recorded: () => Promise.resolve(true), schedule: createClock().schedule });

function open() {
  let now = 1_000_000;
  const log = openLog(':memory:', () => (now += 1));
  return { log, linker: linkerOf(log) };
}
const end = (log: EventLog, id: string): void => void log.append(id, SYSTEM, ended());

describe('which episode a question belongs to', () => {
  it('is the one that the client names, by its own name behind the key, in a header or a field, or by our id', () => {
    const { log, linker } = open();
    openTapped(log, { id: 'e1', name: 'rollout-7' });
    openTapped(log, { id: 'e2', name: 'rollout-8' });

    for (const how of ['key', 'header', 'metadata'] as const) {
      const claim = { episode: 'rollout-8', by: how };
      expect(linker.find(claim, 'k1', true)).toEqual({ episode: 'e2', link: { by: how, score: 1 } });
    }
    expect(linker.find({ episode: 'e1', by: 'header' }, 'k1', false).episode).toBe('e1');
  });

  it('is none when the client names an episode that is not here or is over', () => {
    const { log, linker } = open();
    openTapped(log, { id: 'e1', name: 'rollout-7' });
    openTapped(log, { id: 'e2', name: 'rollout-8' });
    end(log, 'e2');

    for (const episode of ['rollout-9', 'rollout-8'])
      expect(linker.find(by(episode), 'k1', true)).toEqual(none('not_here'));
  });

  it('is never another key’s: one name under two keys is two rollouts', () => {
    const { log, linker } = open();
    openTapped(log, { id: 'e1', name: 'rollout-7' });
    openTapped(log, { id: 'e2', name: 'rollout-7', key: 'k2' });
    openTapped(log, { id: 'e3', name: 'rollout-8', key: 'k2' });

    expect(linker.find(by('rollout-7'), 'k1', true).episode).toBe('e1');
    expect(linker.find(by('rollout-7'), 'k2', true).episode).toBe('e2');
    for (const foreign of ['rollout-8', 'e3'])
      expect(linker.find(by(foreign), 'k1', true)).toEqual(none('not_here'));
    expect(linker.named('rollout-8', 'k1')).toBeNull();
  });

  it('is none where two episodes of one name play at the same time, also once one of them is over, and begins anew after both', () => {
    const { log, linker } = open();
    openTapped(log, { id: 'e1', name: 'rollout-7' });
    openTapped(log, { id: 'e2', name: 'rollout-7' });
    expect(linker.find(by('rollout-7'), 'k1', true)).toEqual(none('ambiguous'));
    expect(linker.named('rollout-7', 'k1')).toBe('shared');

    end(log, 'e1');

    expect(linker.find(by('rollout-7'), 'k1', true)).toEqual(none('ambiguous'));
    expect(linkerOf(log).find(by('rollout-7'), 'k1', true)).toEqual(none('ambiguous'));

    end(log, 'e2');

    expect(linker.find(by('rollout-7'), 'k1', true)).toEqual(none('not_here'));
    openTapped(log, { id: 'e3', name: 'rollout-7' });
    expect(linker.find(by('rollout-7'), 'k1', true).episode).toBe('e3');
  });

  it('is not mistaken for a question of the same name that had no episode', () => {
    const { log, linker } = open();
    openTapped(log, { id: 'e1', name: 'rollout-7' });
    const trainer = { run: null, step: null, checkpoint: null, episode: 'rollout-7' };
    const own = log.record('e1').started;
    if (own !== null) log.append('ask1', SYSTEM, { ...own, source: 'ask', trainer });

    expect(linker.find(by('rollout-7'), 'k1', true).episode).toBe('e1');
  });

  it('is found by the client’s own name after a restart, over or not', () => {
    const { log, linker } = open();
    openTapped(log, { id: 'e1', name: 'rollout-7' });
    end(log, 'e1');
    linker.close();

    const restarted = linkerOf(log);

    expect(restarted.named('rollout-7', 'k1')).toMatchObject({ id: 'e1' });
    expect(restarted.named('rollout-8', 'k1')).toBeNull();
  });

  it('does not make the log remember what nobody ever played', () => {
    const { log, linker } = open();

    expect(linker.named('no-such-episode', 'k1')).toBeNull();
    expect(log.record('no-such-episode').n).toBe(0);
  });
});

describe('a question that names no rollout', () => {
  it('is shown in the only episode that its key ever began, while that plays', () => {
    const { log, linker } = open();
    expect(linker.find(NOBODY, 'k1', true)).toEqual(none('no_episode'));
    openTapped(log, { id: 'e1' });
    openTapped(log, { id: 'e2', key: 'k2' });
    openTapped(log, { id: 'e3', key: 'k2' });

    const only = { episode: 'e1', link: { by: 'only_live', score: 1 } };
    expect(linker.find(NOBODY, 'k1', true)).toEqual(only);
    expect(linkerOf(log).find(NOBODY, 'k1', true)).toEqual(only);
    expect(linker.find(NOBODY, 'k2', true)).toEqual(none('unnamed'));
    expect(linker.find(NOBODY, 'k3', true)).toEqual(none('no_episode'));

    end(log, 'e1');
    expect(linker.find(NOBODY, 'k1', true)).toEqual(none('no_episode'));
  });

  it.each(['before', 'beside', 'after'])(
    'belongs to none once its key had another episode (%s), however long ago, and after a restart',
    (when) => {
      const { log, linker } = open();
      const other = (): void => openTapped(log, { id: 'other' });
      if (when === 'before') {
        other();
        end(log, 'other');
      }
      openTapped(log, { id: 'e1' });
      if (when === 'beside') other();
      if (when === 'after') {
        other();
        end(log, 'other');
      }

      expect(linker.find(NOBODY, 'k1', true)).toEqual(none('unnamed'));
      expect(linkerOf(log).find(NOBODY, 'k1', true)).toEqual(none('unnamed'));
    },
  );

  it('belongs to none where the only episode has a name, or another name asked under its key', () => {
    const { log, linker } = open();
    openTapped(log, { id: 'e1', name: 'rollout-7' });
    expect(linker.find(NOBODY, 'k1', true)).toEqual(none('unnamed'));

    openTapped(log, { id: 'e2', key: 'k2' });
    expect(linker.find(NOBODY, 'k2', true).episode).toBe('e2');
    linker.find(by('past-the-tap'), 'k2', true);
    expect(linker.find(NOBODY, 'k2', true)).toEqual(none('unnamed'));
  });

  it('belongs to none while what the tap saw is not all in the log', () => {
    const { log, linker } = open();
    openTapped(log, { id: 'e1' });

    expect(linker.find(NOBODY, 'k1', false)).toEqual(none('not_recorded'));
  });
});

it('what a client says of its episode is in the header first, then in its metadata, then behind its key, with what its trainer says', () => {
  const metadata = {
    episode_id: 'm1',
    interject_run: 'r',
    interject_step: '12',
    interject_checkpoint: 'c',
  };

  expect(claimOf(new Headers({ 'X-Interject-Episode': 'h1' }), metadata, 'n1')).toEqual({
    episode: 'h1',
    by: 'header',
    trainer: { run: 'r', step: 12, checkpoint: 'c', episode: 'h1' },
  });
  expect(claimOf(new Headers(), metadata, 'n1')).toMatchObject({ episode: 'm1', by: 'metadata' });
  expect(claimOf(new Headers(), {}, 'n1')).toMatchObject({ episode: 'n1', by: 'key' });
  expect(claimOf(new Headers(), {}, null)).toEqual({ episode: null, by: 'none', trainer: null });
});
