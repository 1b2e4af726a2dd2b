import { describe, expect, it } from 'vitest';
import { asSentence, failureDetail } from '../../../src/renderer/ui/ErrorNote.tsx';

describe('a failure', () => {
  it('reads as a sentence, without touching names, paths and code', () => {
    expect(asSentence('no model is set for the agent')).toBe('No model is set for the agent.');
    expect(asSentence('Check the key.')).toBe('Check the key.');
    expect(asSentence('settings.json: not JSON')).toBe('settings.json: not JSON.');
    expect(asSentence('set_status refused')).toBe('set_status refused.');
    expect(asSentence('/data is not writable')).toBe('/data is not writable.');
    expect(asSentence('http://127.0.0.1:9 is full')).toBe('http://127.0.0.1:9 is full.');
    expect(asSentence('refused: it is full')).toBe('Refused: it is full.');
    expect(asSentence('')).toBe('');
  });

  it('can be pasted whole into a report', () => {
    const detail = failureDetail('Could not start', { code: 'env_capacity', message: 'full', next: 'wait' });

    expect(detail).toBe('Could not start (env_capacity)\nfull\nwait');
  });
});
