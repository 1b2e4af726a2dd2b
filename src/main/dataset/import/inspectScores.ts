import { jsonText } from './jsonText.ts';
import type { ImportedVerdict } from './importedFacts.ts';
import { jsonFrom, recordFrom, numberFrom, ownValue, textFrom } from './values.ts';

/** Inspect's letters: correct, incorrect, partial, no answer. */
const LETTERS: Readonly<Record<string, number>> = { C: 1, I: 0, P: 0.5, N: 0 };

export function scoresOf(scores: unknown, at: number | null): ImportedVerdict[] {
  return Object.entries(recordFrom(scores)).map(([name, score]) => ({
    mode: name,
    final_answer: textFrom(ownValue(score, 'answer')),
    reward_type: null,
    reward: scoreReward(ownValue(score, 'value')),
    result: jsonFrom(score),
    error: null,
    frame: jsonText(score),
    at,
  }));
}

function scoreReward(value: unknown): number | null {
  if (typeof value === 'string') return Object.hasOwn(LETTERS, value) ? (LETTERS[value] ?? null) : null;
  return typeof value === 'boolean' ? Number(value) : numberFrom(value);
}
