// The rights of each condition. Every page of the desk loads it, so no schemas here.
import type { Condition } from './events/lifecycle.ts';

/** Conditions in which the agent may ask while it works; a brief is given before it starts. */
export const mayAsk = (condition: Condition): boolean =>
  ['model', 'human', 'human+draft'].includes(condition);
/** Conditions in which a person has a word. */
export const hasPerson = (condition: Condition): boolean =>
  condition.startsWith('human') || condition === 'brief+human';
/** Conditions in which a person is given a draft. */
export const hasDraft = (condition: Condition | null): boolean =>
  condition === 'human+draft' || condition === 'brief+human';
export const isBriefed = (condition: Condition): boolean => condition.startsWith('brief');
