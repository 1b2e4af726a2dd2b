import { describe, expect, it } from 'vitest';
import type { VerifyResult } from '../../../src/shared/contract/verify.ts';
import { eraseSummary } from '../../../src/renderer/views/live/EraseDialog.tsx';
import { stepSources } from '../../../src/renderer/views/live/stepSources.ts';
import { contradictionText, groundTexts, verdictLabel } from '../../../src/renderer/views/live/verifyText.ts';
import { recordedOf } from '../state/events.ts';

const RESULT: VerifyResult = {
  result: 'complete',
  reward_type: 'complete',
  verifier: 'built_in',
  evidence: null,
  problem: null,
  problem_code: null,
  next: null,
  logged: 'complete',
  agreement: 'same',
  read_clock: false,
  clock_at: null,
  source: 'rebuilt',
  drift: 0,
  ms: 12,
};

describe('a verifier that was asked again', () => {
  it('is told against the recorded verdict', () => {
    expect(verdictLabel(RESULT)).toEqual({ tone: 'same', text: 'Same verdict as recorded: complete.' });
    const contradicting: VerifyResult = { ...RESULT, logged: 'agent_error', agreement: 'contradicts' };
    expect(verdictLabel(contradicting)).toEqual({
      tone: 'differs',
      text: 'Another verdict: complete now, failed (verifier: agent error) recorded.',
    });
    expect(contradictionText(contradicting)).toBe(
      'The record says “failed (verifier: agent error)”; verified again, it is “complete”.',
    );
    expect(verdictLabel({ ...RESULT, logged: null, agreement: 'nothing_logged' }).tone).toBe('plain');
    const broken: VerifyResult = { ...RESULT, problem: 'it raised KeyError', agreement: 'no_verdict' };
    expect(verdictLabel(broken).tone).toBe('differs');
  });

  it('says which clock it read, where it read one', () => {
    expect(groundTexts(RESULT).map(([name]) => name)).not.toContain('Clock it read');
    expect(groundTexts({ ...RESULT, read_clock: true })).toContainEqual([
      'Clock it read',
      'the current time, so the verdict may change from day to day',
    ]);
  });

  it('names drift only where the state was made again', () => {
    expect(groundTexts({ ...RESULT, drift: 2 })).toContainEqual(['Drift', '2 results otherwise']);
    expect(groundTexts({ ...RESULT, source: 'left', drift: 0 }).map(([name]) => name)).not.toContain('Drift');
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
