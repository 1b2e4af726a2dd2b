import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { worldStateCommands } from '../../src/main/commands/world.ts';
import { createBench, lines, type Bench } from '../dataset/import/support.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.close());

const unused = (): never => {
  throw new Error('it was not refused');
};

describe('an imported episode', () => {
  it('is neither forked nor resumed, since its environment is not known: why, and what can be done, is said', async () => {
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ];
    const { ids } = await bench.one(lines({ messages }));
    const [episode = ''] = ids;
    const parts = { log: bench.log, newId: bench.newId, images: unused } as unknown as Parameters<
      typeof worldStateCommands
    >[0];
    const commands = worldStateCommands({ ...parts, supervisor: { start: unused } as never });
    const caller = { seat: 'seat-one' };

    for (const attempt of [
      commands['episode.fork']({ episode, turn: 1 }, caller),
      commands['episode.resume']({ episode }, caller),
    ])
      await expect(attempt).rejects.toMatchObject({
        code: 'bad_input',
        message: expect.stringContaining('read from a file'),
        next: expect.stringContaining('calls again'),
      });
  });
});
