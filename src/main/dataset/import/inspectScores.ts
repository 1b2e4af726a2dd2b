// Owns: the scores of an Inspect sample as verdicts.
import type { Verdict } from './told.ts';
import { asJson, fieldsOf, numberOf, own, textOf } from './values.ts';

/** Inspect's letters: correct, incorrect, partial, no answer. */
const LETTERS: Readonly<Record<string, number>> = { C: 1, I: 0, P: 0.5, N: 0 };

export function scoresOf(scores: unknown, at: number | null): Verdict[] {
  return Object.entries(fieldsOf(scores)).map(([name, score]) => ({
    mode: name,
    finalAnswer: textOf(own(score, 'answer')),
    rewardType: null,
    reward: rewardOf(own(score, 'value')),
    result: asJson(score),
    error: null,
    frame: JSON.stringify(score),
    at,
  }));
}

function rewardOf(value: unknown): number | null {
  if (typeof value === 'string') return Object.hasOwn(LETTERS, value) ? (LETTERS[value] ?? null) : null;
  return typeof value === 'boolean' ? Number(value) : numberOf(value);
}
