import { describe, expect, it } from 'vitest';
import { snippetBefore } from '../../../src/renderer/parts/advice/AdviceEditor.tsx';

describe('a snippet', () => {
  it('is named by what stands after a semicolon at the end of the line so far', () => {
    expect(snippetBefore('Mind ;look')).toBe('look');
    expect(snippetBefore(';a-b_1')).toBe('a-b_1');
    expect(snippetBefore('x;look')).toBeNull();
    expect(snippetBefore('; look')).toBeNull();
  });
});
