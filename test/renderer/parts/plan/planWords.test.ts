import { expect, it } from 'vitest';
import { planWords } from '../../../../src/renderer/parts/plan/planWords.ts';

const plan = (...steps: object[]): string =>
  `Do this:\n\`\`\`json\n${JSON.stringify({ plan: steps })}\n\`\`\``;

it('says a plan as its numbered sentences with why, and other words as they are', () => {
  const text = plan(
    { tool: 'search_orders', args: { number: 'MC-7005' }, purpose: 'Find it' },
    { tool: 'cancel_order', args: { order_id: 2005 } },
  );

  expect(planWords(text)).toBe(
    'Do this:\n1. Search orders: number MC-7005\n   Find it\n2. Cancel order 2005',
  );
  expect(planWords('Look again.')).toBe('Look again.');
});

it('hides no difference that a sentence leaves out', () => {
  const booking = (cents: number): string =>
    plan({ tool: 'book_entry', args: { lines: [{ debit_cents: 1 }, { debit_cents: cents }] } });
  const long = (end: string): string => plan({ tool: 'answer', args: { text: `${'a'.repeat(90)}${end}` } });

  expect(planWords(booking(100))).not.toBe(planWords(booking(200)));
  expect(planWords(long('b'))).not.toBe(planWords(long('c')));
});
