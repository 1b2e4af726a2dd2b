// Whether an ask comes before a person is decided once, when it is asked: a kill at any later place draws no second time.
import { expect, it } from 'vitest';
import { killedEverywhere, ME, TIMING, type Person } from '../support/killed.ts';

/** Answers what comes before a person. */
const answering: Person = (product, record) => {
  const open = record.consultations.find(
    ({ decision, admission }) => decision === null && admission !== null,
  );
  if (open === undefined || open.admission?.isAdmitted !== true) return null;
  return product.as(ME)('desk.answer', {
    episode: record.id,
    consultation: open.id,
    text: 'The first.',
    draft: null,
    seen_seq: record.seq,
    timing: TIMING,
  });
};

it.each([
  ['admitted', 1, true],
  ['turned away', 0, false],
] as const)(
  'an ask that was %s before a kill stays so, and is decided once',
  async (_what, share, isAdmitted) => {
    const admission = { share, capacity: null, hourly_minutes: null };
    const verdicts: unknown[][] = [];

    const { unkilled, positions } = await killedEverywhere({ condition: 'human', admission }, answering, {
      isTried: (n, { consultations }) => consultations.some(({ askedN }) => n > askedN && n < askedN + 4),
      check: (product, { id }) => {
        const decided = product.log.read(id).filter(({ event }) => event.kind === 'consultation.admitted');
        verdicts.push(decided.map(({ event }) => ('is_admitted' in event ? event.is_admitted : null)));
      },
    });

    const once = unkilled.consultations.map(() => isAdmitted);
    expect(once.length).toBeGreaterThan(0);
    expect(positions).toBeGreaterThan(1);
    expect(verdicts).toEqual(verdicts.map(() => once));
  },
);
