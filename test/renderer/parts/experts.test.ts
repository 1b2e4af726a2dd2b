import { describe, expect, it } from 'vitest';
import { firstText, routedText } from '../../../src/renderer/parts/advice/routedText.ts';
import {
  draftOf,
  EMPTY_EXPERT,
  expertOf,
  figureTexts,
} from '../../../src/renderer/views/settings/expertText.ts';
import type { DeskItem } from '../../../src/shared/contract/rows.ts';
import type { Routing } from '../../../src/shared/experts/roster.ts';
import { PRIYA, ROSTER } from '../../support/experts.ts';

const ROUTED: Routing = {
  expert: 'Priya',
  by: 'rule',
  question: 'start',
  skill: 'planning',
  reason: 'at the start: planning',
  drafter: null,
  first: { seat: PRIYA, until: 61_000 },
};

describe('an expert in the console', () => {
  it('is named on the card with how the question came to them, and who sees it first', () => {
    expect(routedText(ROUTED)).toBe('For: Priya (planning), by rule');
    expect(routedText({ ...ROUTED, by: 'name' })).toBe('For: Priya, asked by name');
    expect(routedText({ ...ROUTED, expert: null })).toBe('For: whoever is there');
    const item = { routed: ROUTED, first: ROUTED.first } as DeskItem;
    expect(firstText(item, PRIYA, 1000)).toBe('Yours first: other experts see it in 1 min 00 s.');
    expect(firstText(item, 'seat-two', 31_000)).toBe('Priya sees it first; other experts in 30 s.');
    expect(firstText(item, 'seat-two', 61_000)).toBeNull();
  });

  it('is saved as it was entered, once nothing is missing', () => {
    for (const expert of ROSTER.experts) expect(expertOf(draftOf(expert))).toEqual(expert);
    const half = { ...EMPTY_EXPERT, name: 'Small', skills: 'domain, , billing', askFor: 'bills' };
    expect(expertOf(half)).toBeNull();
    expect(expertOf({ ...half, profile: 'small' })).toMatchObject({ skills: ['domain', 'billing'] });
    expect(expertOf({ ...half, skills: ' , ', profile: 'small' })).toBeNull();
  });

  it('has figures only for what there was', () => {
    const none = {
      expert: 'Priya',
      asked: 0,
      named: 0,
      answered: 0,
      declined: 0,
      drafts: { made: 0, failed: 0, accepted: 0, edited: 0, declined: 0, unused: 0 },
      uptake: { followed: 0, partly: 0, ignored: 0, contradicted: 0 },
      outcomes: { episodes: 0, complete: 0 },
      median_answer_ms: null,
      tokens: { input: 0, output: 0, unknown: 0 },
    };
    expect(figureTexts(none)).toEqual(['asked 0', 'answered 0']);
    expect(
      figureTexts({
        ...none,
        asked: 3,
        named: 1,
        answered: 2,
        drafts: { ...none.drafts, made: 2, edited: 1, failed: 1 },
        uptake: { ...none.uptake, followed: 1, ignored: 1 },
        outcomes: { episodes: 2, complete: 1 },
        median_answer_ms: 1500,
        tokens: { input: 1000, output: 100, unknown: 1 },
      }),
    ).toEqual([
      'asked 3 (1 by name)',
      'answered 2, half within 1 s',
      'drafts 2: 1 edited, 1 failed',
      'followed 1 of 2',
      'complete 1 of 2 episodes',
      'at least 1,100 tokens',
    ]);
  });
});
