import { describe, expect, it } from 'vitest';
import { firstTask } from '../../src/main/environments/actions.ts';

describe('what an agent is told at the start of an environment of actions', () => {
  it('is what the environment is about, and all that it sees: a task does not hide the board', () => {
    expect(
      firstTask('A small game.', {
        task: 'Win.',
        board: [
          [0, 1],
          [1, 0],
        ],
      }),
    ).toBe('A small game.\n\ntask: Win.\nboard:\n0 1\n1 0');
  });

  it('is the words of the task alone where there is nothing else', () => {
    expect(firstTask(null, { task: 'Win.', metadata: {} })).toBe('Win.');
    expect(firstTask(null, {})).toBeNull();
  });
});
