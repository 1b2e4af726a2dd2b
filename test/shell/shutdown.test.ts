import { describe, expect, it } from 'vitest';
import { createShutdown, type WayOut } from '../../src/main/desktop/shutdown.ts';

/** A shutdown whose question is answered by the test, and everything it did, in order. */
function open(running: number, close: () => Promise<void> = () => Promise.resolve()) {
  const did: string[] = [];
  let wake = (): void => undefined;
  let answer = (_button: number): void => undefined;
  const shutdown = createShutdown({
    running: () => ({ tapped: 0, running }),
    ask: () => {
      did.push('asked');
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
    hide: () => did.push('hidden'),
    close: () => {
      did.push('closing');
      return close();
    },
    failed: (thrown) => did.push(`failed: ${String(thrown)}`),
    exit: () => did.push('exit'),
    sleep: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
  });
  const settled = async (): Promise<string[]> => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    return did;
  };
  return { shutdown, did, settled, answer: (button: number) => answer(button), wake: () => wake() };
}

const ASKING: WayOut[] = ['window', 'quit', 'update', 'interrupt'];
const [KEEP, STOP, CANCEL] = [0, 1, 2];

describe('the way out of the desktop app', () => {
  it.each<WayOut>([...ASKING, 'terminate', 'session_end'])(
    '%s closes without a question when nothing runs',
    async (way) => {
      const { shutdown, settled } = open(0);
      shutdown.request(way);

      expect(await settled()).toEqual(['closing', 'exit']);
      expect(shutdown.isOver()).toBe(true);
    },
  );

  it.each(ASKING)('%s asks once, however often it is asked for meanwhile', async (way) => {
    const { shutdown, settled, answer } = open(1);
    shutdown.request(way);
    shutdown.request('window');
    shutdown.request('quit');
    expect(await settled()).toEqual(['asked']);

    answer(STOP);
    expect(await settled()).toEqual(['asked', 'closing', 'exit']);
    shutdown.request('quit');
    expect(await settled()).toEqual(['asked', 'closing', 'exit']);
  });

  it('stays when the question is cancelled, and asks again at the next time', async () => {
    const { shutdown, settled, answer } = open(1);
    shutdown.request('window');
    answer(CANCEL);
    expect(await settled()).toEqual(['asked']);

    shutdown.request('window');
    answer(KEEP);
    expect(await settled()).toEqual(['asked', 'asked', 'hidden']);
    expect(shutdown.isOver()).toBe(false);
  });

  it.each<WayOut>(['terminate', 'session_end', 'interrupt'])(
    '%s ends at once although a question is open, whose answer counts no more',
    async (way) => {
      const { shutdown, settled, answer } = open(1);
      shutdown.request('interrupt');
      shutdown.request(way);
      answer(KEEP);

      expect(await settled()).toEqual(['asked', 'closing', 'exit']);
    },
  );

  it('ends the process also when closing fails, and says so', async () => {
    const { shutdown, settled } = open(0, () => Promise.reject(new Error('the disk is gone')));
    shutdown.request('quit');

    expect(await settled()).toEqual(['closing', 'failed: Error: the disk is gone', 'exit']);
  });

  it('is cut short by an interrupt while it closes, after what can still be written in order', async () => {
    const { shutdown, settled, wake } = open(0, () => new Promise(() => undefined));
    shutdown.request('interrupt');
    shutdown.request('interrupt');
    expect(await settled()).toEqual(['closing']);

    wake();
    expect(await settled()).toEqual([
      'closing',
      'failed: Error: it was interrupted before everything had ended',
      'exit',
    ]);
  });

  it.each<WayOut>(['interrupt', 'terminate', 'session_end'])(
    '%s ends a process that is still there when everything was closed',
    async (way) => {
      const { shutdown, settled } = open(0);
      shutdown.request('update');
      await settled();
      shutdown.request('quit');
      shutdown.request(way);

      expect(await settled()).toEqual(['closing', 'exit', 'exit']);
    },
  );
});
