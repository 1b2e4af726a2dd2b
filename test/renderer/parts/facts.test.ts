import { describe, expect, it } from 'vitest';
import { coverRecorded } from '../../../src/shared/episode/cover.ts';
import { foldAll } from '../../../src/shared/episode/fold.ts';
import type { FailureShape } from '../../../src/shared/failure.ts';
import { againActs } from '../../../src/renderer/parts/again/AgainActs.tsx';
import { recordOutcome, standingAt } from '../../../src/renderer/parts/episode/facts.ts';
import { outcomeOf } from '../../../src/shared/taskOutcome.ts';
import { rowsOf } from '../../../src/shared/timeline/rows.ts';
import { assisted, episode, unjudged } from './episodes.ts';

describe('what stands over an episode', () => {
  it('calls verified only what a verifier judged', () => {
    expect(recordOutcome(unjudged())).toEqual(outcomeOf(null, 1));
    expect(recordOutcome(assisted().record())).toEqual(outcomeOf('complete', 1));
    expect(recordOutcome(episode().open().record())).toBeNull();
  });

  it('says where a replay stands, not that an episode which is over is running', () => {
    const { events } = assisted();
    const last = events.length;
    const early = foldAll('e1', events.slice(0, 6));

    expect(standingAt(early, { n: 6, last }).label).toBe(`Replay at event 6 of ${String(last)}`);
    expect(standingAt(early, { n: 6, last: null }).label).toBe('Replay at event 6');
    expect(standingAt(foldAll('e1', events), { n: last, last }).label).toBe('Ended');
    expect(standingAt(early, null).label).toBe('Running');
  });
});

it('offers a brief of an episode that an agent played, and none of one a person played', () => {
  const over = { outcome: 'done' as const, failure: null, turns: 3, hasTask: true, source: 'run' as const };
  expect(againActs({ ...over, policy: 'chat' })).toEqual(['again', 'briefed', 'next_task']);
  expect(againActs({ ...over, policy: 'human' })).toEqual(['again', 'next_task']);
});

it('offers to resume one that stopped at a drift once more, or anyway', () => {
  const failure = { code: 'replay_drifted' as const, message: 'It differs.', next: null };
  const stopped = { outcome: 'error' as const, failure, turns: 3, hasTask: false, source: 'run' as const };
  expect(againActs({ ...stopped, policy: 'human' })).toEqual(['resume', 'resume_anyway', 'again']);
});

it('offers to resume an episode that was interrupted or lost its environment, and no other that failed', () => {
  const acts = (code: FailureShape['code'] | null, over: { turns?: number; source?: 'run' | 'tap' } = {}) =>
    againActs({
      outcome: code === null ? 'interrupted' : 'error',
      failure: code === null ? null : { code, message: 'It failed.', next: null },
      turns: 2,
      hasTask: false,
      source: 'run',
      policy: 'human',
      ...over,
    });
  expect([acts(null), acts(null, { turns: 0 }), acts('env_closed')]).toEqual(
    Array.from({ length: 3 }, () => ['resume', 'again']),
  );
  expect([
    acts('env_closed', { turns: 0 }),
    acts('env_closed', { source: 'tap' }),
    acts('env_timeout'),
    acts('model_unauthorized'),
  ]).toEqual(Array.from({ length: 4 }, () => ['again']));
});

describe('a covered verdict', () => {
  const detailOf = (isBlinded: boolean): string | undefined => {
    const { events } = episode()
      .open(isBlinded ? { is_blinded: true } : {})
      .end('complete');
    const rows = rowsOf(foldAll('e1', events.map(coverRecorded)));
    return rows.find(({ role }) => role === 'verifier')?.detail;
  };

  it('says why: the run is blinded, or it is under review', () => {
    expect(detailOf(true)).toBe('This run is blinded: the verdict is hidden from you.');
    expect(detailOf(false)).toBe('Reward and verdict are hidden until your review is done.');
  });
});
