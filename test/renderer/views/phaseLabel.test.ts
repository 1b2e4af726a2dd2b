import { expect, it } from 'vitest';
import { actingLabel, phaseLabel } from '../../../src/renderer/views/live/phaseLabel.ts';
import { foldAll } from '../../../src/shared/episode/fold.ts';
import type { LogEvent } from '../../../src/shared/events/vocabulary.ts';
import { asked, reset, started } from '../../support/log.ts';
import { episode, EXPERT, TAKEN_OVER } from '../parts/episodes.ts';
import { recordedOf } from '../state/events.ts';

const recordOf = (...events: LogEvent[]) =>
  foldAll(
    'e1',
    events.map((event, index) => recordedOf('e1', index + 1, event)),
  );

const declined: LogEvent = {
  kind: 'advice.declined',
  consultation: 'e1:c1',
  reason: 'no',
  seen_seq: 1,
  timing: { first_seen_at: null, active_ms: null },
};

it('says that the agent waits while its question does, and acts when it is answered', () => {
  const waiting = [started(), reset(), asked()];
  expect(phaseLabel(recordOf(...waiting), 'seat-1')).toEqual({
    label: 'Waiting for an expert',
    detail: 'the agent’s question needs an answer',
  });
  expect(phaseLabel(recordOf(...waiting, declined), 'seat-1').label).toBe('The agent is acting');
});

it('says “You” only to the seat that took over', () => {
  const record = episode().open().add(EXPERT, TAKEN_OVER).record();
  expect(actingLabel(record, 'seat-1')).toBe('You are acting');
  expect(actingLabel(record, 'seat-2')).toBe('seat-1 is acting');
});
