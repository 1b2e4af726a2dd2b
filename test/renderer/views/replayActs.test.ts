import { expect, it } from 'vitest';
import { stepSources } from '../../../src/renderer/views/live/EraseDialog.tsx';
import { recordedOf } from '../state/events.ts';

it('erasing offers each text of a step once, but none that is too short or gone already', () => {
  const events = [
    recordedOf('e1', 4, { kind: 'stop.requested', reason: 'the key is sk-1' }),
    recordedOf('e1', 5, { kind: 'stop.requested', reason: 'the key is sk-1' }),
    recordedOf('e1', 6, { kind: 'stop.requested', reason: 'short' }),
    recordedOf('e1', 7, { kind: 'stop.requested', reason: `[erased sha256:${'0'.repeat(64)}]` }),
  ];
  expect(stepSources(events)).toEqual([{ key: '4 reason', label: 'Reason', text: 'the key is sk-1' }]);
});
