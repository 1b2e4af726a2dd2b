import { expect, it } from 'vitest';
import { draftOf, EMPTY_EXPERT, expertOf } from '../../../src/renderer/views/setup/expertText.ts';
import { ROSTER } from '../../support/experts.ts';

it('an expert in the console is saved as it was entered, once nothing is missing', () => {
  for (const expert of ROSTER.experts) expect(expertOf(draftOf(expert))).toEqual(expert);
  const half = { ...EMPTY_EXPERT, name: 'Small', skills: 'domain, , billing', askFor: 'bills' };
  expect(expertOf(half)).toBeNull();
  expect(expertOf({ ...half, profile: 'small' })).toMatchObject({ skills: ['domain', 'billing'] });
  expect(expertOf({ ...half, skills: ' , ', profile: 'small' })).toBeNull();
});
