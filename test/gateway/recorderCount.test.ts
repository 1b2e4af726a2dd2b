import { expect, it } from 'vitest';
import { createPace } from '../../src/main/gateway/tap/recorder.ts';

it('takes in more at once where that is quick, less where it holds others up, and never none', () => {
  let clock = 0;
  const pace = createPace(() => clock);
  const after = (records: number, ms: number): number => {
    pace.time(records, () => (clock += ms));
    return pace.count();
  };

  const grown = [after(30, 2), after(60, 2), after(120, 7), after(10, 1)];
  const shrunk = [after(120, 40), after(60, 40), after(30, 400)];
  for (let times = 0; times < 10; times += 1) after(pace.count(), 1);

  expect(grown).toEqual([60, 120, 120, 120]);
  expect(shrunk).toEqual([60, 30, 30]);
  expect(pace.count()).toBe(1_200);
});
