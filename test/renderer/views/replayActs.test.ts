import { describe, expect, it } from 'vitest';
import { eraseSummary, stepSources } from '../../../src/renderer/views/episode/EraseDialog.tsx';
import { recordedOf } from '../state/events.ts';

describe('erasing', () => {
  it('offers each text of a step once, but none that is too short or gone already', () => {
    const events = [
      recordedOf('e1', 4, { kind: 'stop.requested', reason: 'the key is sk-1' }),
      recordedOf('e1', 5, { kind: 'stop.requested', reason: 'the key is sk-1' }),
      recordedOf('e1', 6, { kind: 'stop.requested', reason: 'short' }),
      recordedOf('e1', 7, { kind: 'stop.requested', reason: `[erased sha256:${'0'.repeat(64)}]` }),
    ];
    expect(stepSources(events)).toEqual([{ key: '4 reason', label: 'Reason', text: 'the key is sk-1' }]);
  });

  it('says what it left behind', () => {
    const { title, text } = eraseSummary({
      events: 1,
      judgements: 2,
      places: 4,
      left: 1,
      sha256: null,
      copies: ['e2'],
      files: ['run.json'],
      shared: 3,
    });
    expect(title).toBe('Erased: 1 event changed');
    expect(text).toBe(
      'Removed from 4 places. It remains in 1 event as a number or across fields: erase the whole episode. Exports leave it out. 2 events about it in annotation projects too. The kept file run.json is gone. 3 other episodes from it can no longer be exported in the original format. Forks that still hold copies: e2.',
    );
  });
});
