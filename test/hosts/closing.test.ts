import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { closeAnswer, closeQuestion, untilClosing } from '../../src/main/hosts/closing.ts';

const meanings = (counts: { tapped: number; running: number }) => {
  const question = closeQuestion(counts);
  return question?.buttons.map((_, at) => closeAnswer(question, at));
};

describe('closing the window', () => {
  it('asks whether to keep serving while clients play episodes, and says how many', () => {
    expect(closeQuestion({ tapped: 64, running: 0 })).toMatchObject({
      message: '64 tapped episodes: keep serving?',
      keepId: 0,
    });
    expect(closeQuestion({ tapped: 1, running: 2 })?.detail).toMatch(
      / 2 episodes of this console: they stay open, and go on after the next start with a word from you\.$/,
    );
    expect(meanings({ tapped: 64, running: 0 })).toEqual(['keep_serving', 'close', 'stay']);
  });

  it('asks about episodes of its own, says that they go on with a word, and asks nothing when nothing runs', () => {
    expect(closeQuestion({ tapped: 0, running: 1 })).toMatchObject({
      message: '1 episode is running.',
      detail: expect.stringMatching(
        /\n\nClosing: it stays open, and goes on after the next start with a word from you\.$/,
      ),
    });
    expect(meanings({ tapped: 0, running: 1 })).toEqual(['keep_serving', 'close', 'stay']);
    expect(closeQuestion({ tapped: 0, running: 0 })).toBeNull();
  });

  it('stays when the question is dismissed', () => {
    const question = closeQuestion({ tapped: 2, running: 0 });
    if (question === null) throw new Error('nothing was asked');

    expect(closeAnswer(question, 99)).toBe('stay');
  });
});

describe('Ctrl+C in serve', () => {
  const open = (tapped: number, keepServing = false, inWorlds = 0) => {
    const signals = new EventEmitter();
    const said: string[] = [];
    const listeners = new Set<() => void>();
    const state = { tapped, inWorlds };
    const refused: { onlyInWorlds: boolean }[] = [];
    const closing = untilClosing(
      {
        tapped: () => state.tapped,
        inWorlds: () => state.inWorlds,
        refuseNew: (which) => refused.push(which),
        onChanged: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
      },
      { keepServing, say: (text) => said.push(text), signals },
    );
    const change = (next: number, left = 0): void => {
      state.tapped = next;
      state.inWorlds = left;
      for (const tell of listeners) tell();
    };
    return { signals, said, closing, change, listeners, refused };
  };

  it('closes at once when no client plays an episode', async () => {
    const { signals, closing, said } = open(0);
    signals.emit('SIGINT');

    expect(await closing).toEqual({ keepServing: false });
    expect(said).toEqual([]);
  });

  it('waits for tapped episodes and says how many, then closes by itself when the last has ended', async () => {
    const { signals, closing, said, change, listeners } = open(64);
    signals.emit('SIGINT');
    change(1);
    expect(said).toEqual([
      '64 tapped episodes: waiting for their clients to finish, new ones are refused. Ctrl+C again ends them now.',
    ]);

    change(0);

    expect(await closing).toEqual({ keepServing: false });
    expect(listeners.size + signals.listenerCount('SIGINT') + signals.listenerCount('SIGTERM')).toBe(0);
  });

  it('says of one episode what it says of several, in the singular', () => {
    const waits = open(1);
    waits.signals.emit('SIGINT');
    const serves = open(1, true);
    serves.signals.emit('SIGINT');

    expect([...waits.said, ...serves.said]).toEqual([
      '1 tapped episode: waiting for its client to finish, new ones are refused. Ctrl+C again ends it now.',
      '1 tapped episode: the tap serves it on until its client leaves.',
    ]);
  });

  it('refuses new clients while it waits, with --keep-serving those of built-in worlds alone', () => {
    const [waits, keeps, leaves] = [open(2), open(2, true, 1), open(2, true)];
    for (const { signals } of [waits, keeps, leaves]) signals.emit('SIGINT');

    expect([waits.refused, keeps.refused, leaves.refused]).toEqual([
      [{ onlyInWorlds: false }],
      [{ onlyInWorlds: true }],
      [],
    ]);
  });

  it('ends them on the second Ctrl+C', async () => {
    const { signals, closing } = open(3);
    signals.emit('SIGINT');
    signals.emit('SIGINT');

    expect(await closing).toEqual({ keepServing: false });
  });

  it('leaves them to the tap with --keep-serving, on SIGTERM too', async () => {
    const one = open(3, true);
    one.signals.emit('SIGINT');
    const other = open(3, true);
    other.signals.emit('SIGTERM');

    expect(await one.closing).toEqual({ keepServing: true });
    expect(one.said).toEqual(['3 tapped episodes: the tap serves them on until their clients leave.']);
    expect(await other.closing).toEqual({ keepServing: true });
  });

  it('says with --keep-serving which episodes would lose their built-in world, and waits for those alone', async () => {
    const { signals, closing, said, change } = open(64, true, 12);
    signals.emit('SIGINT');
    change(60, 8);
    expect(said).toEqual([
      '64 tapped episodes: the tap serves them on, but 12 of them play in a built-in world, which ends with this process: waiting until no client plays there. Ctrl+C again ends them now.',
    ]);

    change(50, 0);

    expect(await closing).toEqual({ keepServing: true });
  });

  it('ends those in built-in worlds on the second Ctrl+C, and leaves the others to the tap', async () => {
    const { signals, closing } = open(64, true, 12);
    signals.emit('SIGINT');
    signals.emit('SIGINT');

    expect(await closing).toEqual({ keepServing: true });
  });

  it('says on SIGTERM what is lost, without waiting', async () => {
    const { signals, closing, said } = open(1, true, 1);
    signals.emit('SIGTERM');

    expect(await closing).toEqual({ keepServing: true });
    expect(said).toEqual([
      '1 tapped episode: it plays in a built-in world, which ends with this process; its client loses it.',
    ]);
  });

  it('does not keep whoever sends SIGTERM waiting', async () => {
    const { signals, closing } = open(3);
    signals.emit('SIGTERM');

    expect(await closing).toEqual({ keepServing: false });
  });
});
