import { expect, it } from 'vitest';
import { minutesLabel, peopleTitle } from '../../../src/renderer/views/frame/StatusLine.tsx';

it('gives tenths of a minute only where they matter', () => {
  expect([0, 0.44, 9.96, 12.4].map(minutesLabel)).toEqual(['0 min', '0.4 min', '10.0 min', '12 min']);
});

it('says what people’s time came to, and that the rate is not known before there were minutes', () => {
  const summary = {
    minutes_last_hour: 1,
    minutes: 2,
    acts: 1,
    episodes: 1,
    reward: 1,
    reward_per_minute: 0.5,
  };

  expect(peopleTitle(summary)).toContain('Reward per minute of people’s time: 0.50.');
  expect(peopleTitle({ ...summary, reward_per_minute: null })).toContain('not known yet');
});
