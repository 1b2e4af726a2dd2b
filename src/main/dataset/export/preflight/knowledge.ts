// Finds facts that nobody could know in what a row teaches, and empty think blocks.
import { FORMATS } from '../../../../shared/export/formats.ts';
import type { RowCheck } from './seenRow.ts';

export const knowledgeChecks: readonly RowCheck[] = [
  {
    check: 'unknowable',
    level: 'warning',
    says: 'teach a fact (an id, an address, a name) that stands nowhere before it: the agent would learn to make it up',
    finds: ({ facts }) => (facts.unknowable ?? []).length > 0,
  },
  {
    check: 'reasoning_left_out',
    level: 'warning',
    says: 'have replies whose reasoning is in the log and not in the row: chat templates of reasoning models, such as Qwen3’s, write an empty think block in its place and train it',
    applies: ({ id }) => FORMATS[id].hasStyle === true,
    finds: ({ facts }, rules) => facts.hasThoughts === true && !rules.reasoning,
  },
  {
    check: 'no_reasoning',
    level: 'note',
    says: 'have replies that were recorded without reasoning: chat templates of reasoning models, such as Qwen3’s, write an empty think block before them and train it; choose a template without one',
    applies: ({ id }) => FORMATS[id].hasStyle === true,
    finds: ({ facts }) => facts.hasThoughts === false,
  },
];
