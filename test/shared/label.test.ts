import { expect, it } from 'vitest';
import { LogEvent } from '../../src/shared/events/vocabulary.ts';

it('reads a label given before shares were recorded as one that was asked of every turn', () => {
  const old = {
    kind: 'label.given',
    turn: 1,
    move: { type: 'list_tools' },
    agrees: true,
    privilege: [],
    timing: { first_seen_at: null, active_ms: null },
  };

  expect(LogEvent.parse(old)).toMatchObject({ beta: null });
  expect(LogEvent.safeParse({ ...old, beta: 1.5 }).success).toBe(false);
});
