// A plan as the numbered sentences a person reads, for comparing one with another. What a sentence shortens follows it
// in full, so that no difference hides. Pure.
import { isRecord } from '../../../shared/json.ts';
import { callSentence } from '../../../shared/sentences/sentence.ts';
import { proseIn, sheetOf, type PlanStep } from './planText.ts';

/** Values up to here stand whole in a sentence. */
const WHOLE_MAX = 80;

/** A text without a plan stays as it is. */
export function planWords(text: string): string {
  const { form, steps, before, between, after } = sheetOf(text);
  if (form === 'none' || steps.length === 0) return text;
  const parts = steps.flatMap((step, at) => [
    stepWords(step, at + 1),
    at === steps.length - 1 ? '' : proseIn(between[at] ?? '').prose,
  ]);
  return [proseIn(before).prose, ...parts, proseIn(after).prose].filter((part) => part !== '').join('\n');
}

function stepWords({ tool, args, purpose }: PlanStep, number: number): string {
  const shortened = Object.entries(args).filter(([, value]) => !isWhole(value));
  return [
    `${String(number)}. ${callSentence({ name: tool }, args).text}`,
    ...shortened.map(([name, value]) => `   ${name}: ${JSON.stringify(value)}`),
    ...(purpose === null || purpose === '' ? [] : [`   ${purpose}`]),
  ].join('\n');
}

const isWhole = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= WHOLE_MAX && !value.includes('\n')
    : !Array.isArray(value) && !isRecord(value);
