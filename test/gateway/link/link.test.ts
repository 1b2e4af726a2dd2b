import { describe, expect, it } from 'vitest';
import { claimOf } from '../../../src/main/gateway/link/claim.ts';
import { createLinker } from '../../../src/main/gateway/link/link.ts';
import { asked, createClock, ended, openLog, SYSTEM } from '../../support/log.ts';
import { openTapped, tappedCall } from '../../support/tapped.ts';

const NOBODY = { episode: null, by: 'none' as const };
const TASK = 'Rename the second workflow.';

function open() {
  let now = 1_000_000;
  const log = openLog(':memory:', () => now);
  const linker = createLinker({ log, clock: () => now, schedule: createClock().schedule });
  return { log, linker, wait: (ms: number) => (now += ms) };
}

describe('which episode a question belongs to', () => {
  it('is certain when the client names its own id or ours', () => {
    const { log, linker } = open();
    openTapped(log, { id: 'e1', name: 'rollout-7' });
    openTapped(log, { id: 'e2', name: 'rollout-8' });
    tappedCall(log, 'e2', 1, 'find_workflow');

    const own = linker.find({ episode: 'rollout-8', by: 'header' }, TASK);
    const ours = linker.find({ episode: 'e1', by: 'metadata' }, 'anything');

    expect(own).toEqual({ episode: 'e2', turn: 1, link: { by: 'header', score: 1 } });
    expect(ours).toEqual({ episode: 'e1', turn: 0, link: { by: 'metadata', score: 1 } });
  });

  it('is none when the client names an episode that is not here or is over, whatever its task says', () => {
    const { log, linker } = open();
    openTapped(log, { id: 'e1', name: 'rollout-7' });
    openTapped(log, { id: 'e2', name: 'rollout-8' });
    log.append('e2', SYSTEM, ended());

    for (const episode of ['rollout-9', 'rollout-8']) {
      expect(linker.find({ episode, by: 'header' }, TASK)).toMatchObject({
        episode: null,
        link: { by: 'none' },
      });
    }
  });

  it('is probable by the task alone, and never certain', () => {
    const { log, linker } = open();
    openTapped(log, { id: 'e1' });
    openTapped(log, { id: 'e2', task: 'Delete every workflow.' });

    const { episode, link } = linker.find(NOBODY, `TASK:  rename the second\nworkflow.\n\nWhich one?`);

    expect(episode).toBe('e1');
    expect(link.by).toBe('activity');
    expect(link.score).toBeLessThan(1);
    expect(link.score).toBeGreaterThan(0.8);
  });

  it('says by its score that eight rollouts of one task cannot be told apart', () => {
    const { log, linker } = open();
    for (let i = 0; i < 8; i += 1) openTapped(log, { id: `e${String(i)}` });

    const { link } = linker.find(NOBODY, TASK);

    expect(link.score).toBeLessThan(0.2);
  });

  it('never becomes certain because the other rollouts were guessed to be asking', () => {
    const { log, linker } = open();
    for (let i = 0; i < 8; i += 1) openTapped(log, { id: `e${String(i)}` });

    const found = Array.from({ length: 8 }, () => {
      const { episode, link } = linker.find(NOBODY, TASK);
      log.append(
        episode ?? '',
        SYSTEM,
        asked({ consultation: `${episode ?? ''}:c1`, via: 'chat_completions', link }),
      );
      return { episode, score: link.score };
    });

    expect(new Set(found.map(({ episode }) => episode)).size).toBe(8);
    expect(Math.max(...found.map(({ score }) => score))).toBeLessThan(0.2);
  });

  it('is not that of an agent which certainly waits for another answer', () => {
    const { log, linker } = open();
    for (const id of ['e1', 'e2']) openTapped(log, { id });
    const link = { by: 'header' as const, score: 1 };
    log.append('e1', SYSTEM, asked({ consultation: 'e1:c1', via: 'chat_completions', link }));

    expect(linker.find(NOBODY, TASK)).toMatchObject({ episode: 'e2', link: { score: 0.95 } });
  });

  it('goes by latest activity, and more by an error that the request tells', () => {
    const { log, linker, wait } = open();
    openTapped(log, { id: 'e1' });
    openTapped(log, { id: 'e2' });
    tappedCall(log, 'e1', 1, 'rename_workflow', 'Status code: 422. the id is missing');
    wait(10_000);
    tappedCall(log, 'e2', 1, 'find_workflow');

    const latest = linker.find(NOBODY, TASK);
    const told = linker.find(NOBODY, `${TASK} I got: Status code: 422. the id is missing`);

    expect(latest.episode).toBe('e2');
    expect(told.episode).toBe('e1');
    expect(told.link.score).toBeLessThan(1);
  });

  it('is not that of an agent which waits for a result', () => {
    const { log, linker } = open();
    openTapped(log, { id: 'e1' });
    log.append('e1', SYSTEM, {
      kind: 'move.proposed',
      turn: 1,
      call: 't1',
      move: { type: 'call_tool', tool_name: 'find', arguments: {} },
      repairs: [],
      ignored_calls: 0,
    });
    log.append('e1', SYSTEM, { kind: 'call.sent', call: 't1', tool_name: 'find', arguments: {} });

    expect(linker.find(NOBODY, TASK).episode).toBeNull();
  });

  it('is found by the client’s own name after a restart, over or not', () => {
    const { log, linker } = open();
    openTapped(log, { id: 'e1', name: 'rollout-7' });
    log.append('e1', SYSTEM, ended());
    linker.close();

    const restarted = createLinker({ log, clock: () => 1_000_000, schedule: createClock().schedule });

    expect(restarted.named('rollout-7')?.id).toBe('e1');
    expect(restarted.named('rollout-8')).toBeNull();
  });

  it('does not remember what nobody ever played', () => {
    const { log, linker } = open();

    expect(linker.named('no-such-episode')).toBeNull();
    expect(log.record('no-such-episode').n).toBe(0);
  });
});

describe('what a client says of its episode', () => {
  it('is in the header first, then in its metadata, with what its trainer says', () => {
    const metadata = {
      episode_id: 'm1',
      interject_run: 'r',
      interject_step: '12',
      interject_checkpoint: 'c',
    };

    expect(claimOf(new Headers({ 'X-Interject-Episode': 'h1' }), metadata)).toEqual({
      episode: 'h1',
      by: 'header',
      trainer: { run: 'r', step: 12, checkpoint: 'c', episode: 'h1' },
    });
    expect(claimOf(new Headers(), metadata)).toMatchObject({ episode: 'm1', by: 'metadata' });
    expect(claimOf(new Headers(), {})).toEqual({ episode: null, by: 'none', trainer: null });
  });
});
