// Owns: what an act on a question reads like once it is done.
import type { Done } from './useAdvice.ts';

const WORDS: Readonly<Record<Done['type'], string>> = {
  accept: 'Draft accepted and sent',
  edit: 'Edited draft sent',
  send: 'Advice sent',
  decline: 'Declined; the agent reads your reason',
};

export const doneWords = ({ type }: Done): string => WORDS[type];
