import { describe, expect, it } from 'vitest';
import { closedOf } from '../../../src/renderer/parts/card/closed.ts';
import { unsentOf } from '../../../src/renderer/parts/advice/unsent.ts';
import {
  advised,
  EMPTY_ANSWER,
  isEdited,
  shownText,
  typed,
} from '../../../src/renderer/parts/advice/useAdvice.ts';
import { SYSTEM } from '../../../src/shared/events/actor.ts';
import { episode } from './episodes.ts';

const DRAFT = { id: 'd1', text: 'The draft' };

describe('a person’s words', () => {
  it('are the draft until they are changed, and name it when they are sent', () => {
    expect(shownText(EMPTY_ANSWER, DRAFT)).toBe('The draft');
    expect(isEdited(EMPTY_ANSWER)).toBe(false);
    expect(advised(EMPTY_ANSWER, DRAFT)).toEqual({ text: 'The draft', draft: 'd1' });

    const words = typed(EMPTY_ANSWER, DRAFT, 'The draft, better');

    expect(isEdited(words)).toBe(true);
    expect(advised(words, DRAFT)).toEqual({ text: 'The draft, better', draft: 'd1' });
  });

  it('are the draft again when every change was undone', () => {
    const words = typed(typed(EMPTY_ANSWER, DRAFT, 'The draft!'), DRAFT, 'The draft');

    expect(words).toEqual(EMPTY_ANSWER);
  });

  it('may be nothing at all, when the draft was cleared to begin anew', () => {
    const words = typed(EMPTY_ANSWER, DRAFT, '');

    expect(shownText(words, DRAFT)).toBe('');
    expect(isEdited(words)).toBe(true);
  });

  it('that were never sent are listed once their question is gone', () => {
    const words = {
      'e1:c1': 'kept',
      'e1:c2': 'still waits',
      'e1:c3': '  ',
      'e1:c2:reason': 'of the same question',
    };

    expect(unsentOf(words, new Set(['e1:c2']))).toEqual([{ id: 'e1:c1', text: 'kept' }]);
  });
});

describe('a question that is closed', () => {
  const asked = () => episode().open().ask('Which?').draft('x');
  const because = (builder: ReturnType<typeof asked>, words = 'my words') =>
    closedOf(builder.record(), 'e1:c1', 'seat-2', words);

  it('says who answered, and knows one’s own words again', () => {
    expect(because(asked().approve('send', 'other'))).toMatchObject({
      title: 'Answered by seat-1',
      isMine: false,
    });
    const mine = asked().approve('send', 'my words', { type: 'human', id: 'seat-2' });
    expect(because(mine)).toMatchObject({ isMine: true });
    expect(because(asked().approve('accept', 'x', { type: 'scripted', id: 'file' }))?.title).toBe(
      'Answered by a script',
    );
  });

  it('says what closed it when no person did', () => {
    const expired = asked().add(SYSTEM, {
      kind: 'consultation.expired',
      consultation: 'e1:c1',
      fallback: 'draft',
      reason: 'deadline',
    });
    const cancelled = asked().add(SYSTEM, {
      kind: 'consultation.cancelled',
      consultation: 'e1:c1',
      reason: 'the episode was stopped',
    });

    expect(because(expired)).toMatchObject({
      title: 'The deadline passed',
      detail: 'The draft was sent instead.',
    });
    expect(because(cancelled)).toMatchObject({ detail: 'the episode was stopped' });
  });
});
