import { describe, expect, it } from 'vitest';
import { crashWords } from '../../src/main/commands/notices.ts';

const since = '2026-11-26T10:00:00.000Z';

describe('what a start says of the one before', () => {
  it('is nothing where that ended in order, whatever was left open', () => {
    expect(crashWords({ killed: null, goingOn: ['a'], interrupted: ['b'], closed: [], queued: 0 })).toEqual(
      [],
    );
  });

  it('is that it ended unexpectedly, and how many episodes go on by themselves', () => {
    expect(
      crashWords({
        killed: { pid: 1, since },
        goingOn: ['a', 'b'],
        interrupted: ['c'],
        closed: [],
        queued: 0,
      }),
    ).toEqual([
      `Interject ended unexpectedly the last time (it had run since ${since}): it crashed or was killed, or the power went. 2 episodes were running when Interject last ended; they go on. 1 episode was open when Interject last ended; it shows as interrupted.`,
    ]);
    expect(
      crashWords({ killed: { pid: 1 }, goingOn: ['a', 'b'], interrupted: [], closed: [], queued: 1 })[0],
    ).toContain('2 episodes were running or waiting for a place when Interject last ended; they go on.');
    expect(crashWords({ killed: { pid: 1 }, goingOn: [], interrupted: [], closed: [], queued: 0 })).toEqual([
      'Interject ended unexpectedly the last time: it crashed or was killed, or the power went.',
    ]);
  });
});
