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
  it('names the task of a new question and says how many wait', () => {
    expect(sentenceOf(asks('Pause the weekly digest'), 3)).toBe(
      'New question from Pause the weekly digest, 3 waiting.',
    );
    const held: News = { waiting: [{ kind: 'held call', task: 'Pause the digest' }], ended: [] };
    expect(sentenceOf(held, 1)).toBe('New held call from Pause the digest, 1 waiting.');
  });

  it('is one sentence when sixteen come at once', () => {
    const all = Array.from({ length: 16 }, (_, index) => asks(`Task ${String(index)}`)).reduce(
      addNews,
      NO_NEWS,
    );

    expect(sentenceOf(all, 18)).toBe('16 new cards on the desk, 18 waiting.');
  });

  it('says how an episode ended, and of several how many ended how', () => {
    const end = (outcome: string): News => ({ waiting: [], ended: [{ outcome, task: 'Pause the digest' }] });

    expect(sentenceOf(end('Complete'), 0)).toBe('Complete: Pause the digest.');
    expect(sentenceOf([end('Complete'), end('Failed'), end('Complete')].reduce(addNews), 0)).toBe(
      '3 episodes ended: 2 complete, 1 failed.',
    );
    expect(sentenceOf([end('Ended'), end('Ended')].reduce(addNews), 0)).toBe('2 episodes ended.');
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
