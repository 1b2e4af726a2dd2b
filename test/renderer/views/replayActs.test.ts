import { describe, expect, it } from 'vitest';
import type { VerifyResult } from '../../../src/shared/contract/verify.ts';
import { erasedWords } from '../../../src/renderer/views/live/EraseDialog.tsx';
import { stepSources } from '../../../src/renderer/views/live/stepSources.ts';
import { groundWords, verdictWords } from '../../../src/renderer/views/live/verifyWords.ts';
import { recordedOf } from '../state/events.ts';

const RESULT: VerifyResult = {
  result: 'complete',
  reward_type: 'complete',
  verifier: 'built_in',
  evidence: null,
  problem: null,
  logged: 'complete',
  source: 'rebuilt',
  drift: 0,
  ms: 12,
};

describe('a verifier that was asked again', () => {
  it('is told against the recorded verdict', () => {
    expect(verdictWords(RESULT)).toEqual({ tone: 'ok', text: 'Same verdict as recorded: complete.' });
    expect(verdictWords({ ...RESULT, logged: 'format_error' })).toEqual({
      tone: 'error',
      text: 'Another verdict: complete now, format error recorded.',
    });
    expect(verdictWords({ ...RESULT, logged: null }).tone).toBe('plain');
    expect(verdictWords({ ...RESULT, problem: 'it raised KeyError' }).tone).toBe('error');
  });

  it('names drift only where the state was made again', () => {
    expect(groundWords({ ...RESULT, drift: 2 })).toContainEqual(['Drift', '2 results otherwise']);
    expect(groundWords({ ...RESULT, source: 'left', drift: 0 }).map(([name]) => name)).not.toContain('Drift');
  });
});

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
    const { title, text } = erasedWords({
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
      'Taken out of 4 places. It still stands in 1 event as a number or across fields: erase the whole episode. Exports leave it out. 2 events about it in annotation projects too. The kept file run.json is gone. 3 other episodes of it cannot be written back. Forks that still hold copies: e2.',
    );
  });
});
