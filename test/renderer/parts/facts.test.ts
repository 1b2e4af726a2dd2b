import { describe, expect, it } from 'vitest';
import { coverRecorded } from '../../../src/shared/episode/cover.ts';
import { foldAll } from '../../../src/shared/episode/fold.ts';
import { standingAt, recordVerdict } from '../../../src/renderer/parts/episode/facts.ts';
import { rowsOf } from '../../../src/renderer/parts/timeline/rows.ts';
import { assisted, episode, unjudged } from './episodes.ts';

describe('what stands over an episode', () => {
  it('calls verified only what a verifier judged', () => {
    expect(recordVerdict(unjudged())).toEqual({ tone: 'plain', label: 'Reward 1, not verified' });
    expect(recordVerdict(assisted().record())).toEqual({ tone: 'ok', label: 'Complete, reward 1' });
    expect(recordVerdict(episode().open().record())).toBeNull();
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

describe('a covered verdict', () => {
  const detailOf = (isBlinded: boolean): string | undefined => {
    const { events } = episode()
      .open(isBlinded ? { is_blinded: true } : {})
      .end('complete');
    const rows = rowsOf(foldAll('e1', events.map(coverRecorded)));
    return rows.find(({ kind }) => kind === 'verified')?.detail;
  };

  it('says why: the run is blinded, or it is under review', () => {
    expect(detailOf(true)).toBe('This run is blinded: the verdict is hidden from you.');
    expect(detailOf(false)).toBe('Reward and verdict are hidden until your review is done.');
  });
});
