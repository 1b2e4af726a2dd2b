import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { addTouched, createControl, extrasOf, newPlayer } from '../../src/main/gateway/tap/child/control.ts';

it('a trainer is told of every changed turn, also when older news of main comes after a newer decision', () => {
  const player = newPlayer({ key: 'key', rollout: null } as never, null);
  const main = Object.assign(new EventEmitter(), { send: () => undefined, close: () => undefined });
  const control = createControl({
    shared: () => ({ playing: new Map([['ep-1', player]]) }),
    outbox: { lastSeq: () => 0, backlog: () => 0, lost: () => 0, attach: () => undefined },
    holds: () => ({ open: () => [] }),
    sockets: () => 1,
    port: () => 1,
    run: 'run',
  } as never);
  control.attach(main as unknown as WebSocket);
  const arm = (touched: number[]) =>
    main.emit(
      'message',
      Buffer.from(JSON.stringify({ type: 'arm', episode: 'ep-1', is_armed: true, touched })),
    );

  arm([5, 6]);
  addTouched(player, [5, 6, 7]);
  arm([5, 6]);

  expect(extrasOf(player).touched_turns).toEqual([5, 6, 7]);
  control.close();
});
