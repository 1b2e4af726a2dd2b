import { describe, expect, it } from 'vitest';
import {
  ABOUT_ADVICE,
  ABOUT_AGENT,
  bakeryResult,
  GUIDE_STEPS,
} from '../../../src/renderer/views/seat/GuideView.tsx';
import { resultSentence } from '../../../src/shared/sentences/resultSentence.ts';
import { parsePlan } from '../../../src/shared/plan.ts';

const stepOf = (id: string) => {
  const step = GUIDE_STEPS.find((one) => one.id === id);
  if (step === undefined) throw new Error(`the guide has no step ${id}`);
  return step;
};
const send = (id: string, text: string) => stepOf(id).judge({ act: 'send', text }).isRight;
const decline = (id: string) => stepOf(id).judge({ act: 'decline' }).isRight;

describe('the guided first question', () => {
  it('is read in a minute, at 200 words a minute', () => {
    const texts = GUIDE_STEPS.flatMap(({ title, look, acts, task, question, judge }) => [
      title,
      look,
      ...acts.map(({ does }) => `key ${does}`),
      task,
      question,
      judge({ act: 'decline' }).why,
    ]);
    const words = [ABOUT_AGENT, ABOUT_ADVICE, ...texts].join(' ').split(/\s+/);

    expect(words.length).toBeLessThanOrEqual(175);
  });

  it('shows no status codes and no JSON, also of calls that nobody foresaw', () => {
    const foreseen = GUIDE_STEPS.flatMap(({ draft }) => parsePlan(draft).calls);
    const others = [
      { tool: 'cancel_order', args: { order_id: 9 } },
      { tool: 'find_orders', args: { customer: 'nobody' } },
      { tool: 'bake', args: {} },
    ];
    for (const { tool, args } of [...foreseen, ...others]) {
      const { text, error } = bakeryResult(tool, args);
      expect(`${text ?? ''}${error ?? ''}`).toMatch(/^[^{}[\]]+$/);
      expect(`${text ?? ''}${error ?? ''}`).not.toMatch(/\b[45]\d\d\b/);
    }
  });

  it('has a wrong draft whose every call runs, and shows what is wrong in what the calls return', () => {
    const results = parsePlan(stepOf('edit').draft).calls.map(({ tool, args }) => bakeryResult(tool, args));

    expect(results.map(({ error }) => error)).toEqual([null, null]);
    // In the line that the step shows, with nothing opened.
    const shown = resultSentence({ tool: 'find_orders', text: results[0]?.text ?? null });
    expect(shown).toContain('Order 52: Jon Berg, 2 loaves, his home on Elm Road');
    expect(shown).toContain('Order 53: Jon Berg, 40 buns, his café on Pier Street');
    expect(results[1]?.text).toContain('home on Elm Road');
    expect(bakeryResult('cancel_order', { order_id: 53 }).text).toContain('café on Pier Street');
  });
});

it('an answer in the guide is right where the wrong record was mended, in the steps or in words, and says why where it was not', () => {
  const { draft, judge } = stepOf('edit');
  expect(send('edit', draft)).toBe(false);
  expect(send('edit', draft.replace('52', '53'))).toBe(true);
  expect(send('edit', `${draft}\ncancel_order({"order_id": 53})`)).toBe(false);
  expect(send('edit', 'Cancel 53, the café’s, and leave his home order.')).toBe(true);
  expect(decline('edit')).toBe(false);
  expect(judge({ act: 'send', text: draft }).why).toContain('order 53');
});
