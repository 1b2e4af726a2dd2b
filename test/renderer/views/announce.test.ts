import { describe, expect, it } from 'vitest';
import {
  addNews,
  type News,
  NO_NEWS,
  outcomeHeard,
  sentenceOf,
} from '../../../src/renderer/views/frame/Announcer.tsx';
import { episode } from '../parts/episodes.ts';
import { rowOf } from '../state/events.ts';

const asks = (...tasks: string[]): News => ({
  waiting: tasks.map((task) => ({ kind: 'question', task })),
  ended: [],
});

describe('what a screen reader hears', () => {
  it('is one sentence when sixteen come at once', () => {
    const all = Array.from({ length: 16 }, (_, index) => asks(`Task ${String(index)}`)).reduce(
      addNews,
      NO_NEWS,
    );

    expect(sentenceOf(all, 18)).toBe('16 new cards on the desk, 18 waiting.');
  });

  it('never tells an expert that there is no verdict where the seat is only not shown it', () => {
    const row = { ...rowOf({ id: 'e1' }), status: 'ended' as const, reward_type: null, reward: null };
    const complete = { ...row, reward_type: 'complete' };
    const opened = episode().open().end('complete').record();

    expect(outcomeHeard(row, { isExpert: true, opened: null })).toBe('Ended');
    expect(outcomeHeard(row, { isExpert: true, opened })).toBe('Complete');
    expect(outcomeHeard(complete, { isExpert: false, opened: null })).toBe('Complete');
    expect(outcomeHeard(row, { isExpert: false, opened: null })).toBe('No verdict');
  });
});
