import { expect, it } from 'vitest';
import { createFromRows } from '../../../src/renderer/state/fromRows.ts';
import { setUnsentText } from '../../../src/renderer/state/drafts.ts';
import { createSession } from '../../../src/renderer/state/createSession.ts';
import { createMemoryStorage } from '../../../src/renderer/state/kept.ts';
import { rowOf } from './events.ts';
import { createScriptedTransport } from './transport.ts';

it('reads the episodes again when one of them changes, and not with each key that is typed', () => {
  const transport = createScriptedTransport();
  const { store } = createSession({
    transport,
    seat: 'seat-1',
    tab: 'one',
    storage: createMemoryStorage(),
  });
  let readings = 0;
  const running = createFromRows((rows) => {
    readings += 1;
    return [...rows].filter(({ status }) => status !== 'ended').length;
  });
  const shown: number[] = [];
  store.subscribe((state) => shown.push(running(state)));

  transport.tell({ topic: 'episodes', rows: [rowOf({ id: 'e1' }), rowOf({ id: 'e2' })] });
  for (const text of ['a', 'ab', 'abc']) setUnsentText(store, 'e1:c1', text);
  const whileTyping = readings;
  transport.tell({ topic: 'episodes', rows: [rowOf({ id: 'e2', seq: 2, status: 'ended' })] });

  expect(whileTyping).toBe(1);
  expect([shown[0], shown.at(-1)]).toEqual([2, 1]);
});
