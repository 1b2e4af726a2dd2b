// A program that answers through the console, at a seat of its own.
import { expect, it } from 'vitest';
import type { Turn } from '../../src/shared/episode/record.ts';
import type { LogEvent } from '../../src/shared/events/vocabulary.ts';
import { startInput, type Product } from '../support/product.ts';
import { productPerTest } from '../support/productPerTest.ts';

let product: Product;
productPerTest((opened) => (product = opened));

const TIMING = { first_seen_at: null, active_ms: null };
const PROGRAM = 'script-tutor';
const isHeld = ({ call }: Turn): boolean => (call?.held ?? null) !== null;

it('is recorded as a script in all that it decides, and never counts as a person', async () => {
  const program = product.as(PROGRAM);
  const rules = [{ glob: 'set_*', argument: null, does: 'ask' as const, count: null }];
  const { episodes } = await program(
    'episode.start',
    startInput({ approval: { rules, deadline_ms: null, fallback: 'wait' } }),
  );
  const episode = episodes[0] ?? '';
  const held = await product.until(episode, ({ turns }) => turns.some(isHeld));
  const call = held.turns.findLast(isHeld)?.call?.id ?? '';
  await program('call.decide', {
    act: 'edit',
    episode,
    call,
    seen_seq: held.seq,
    timing: TIMING,
    tool_name: 'set_workflow_status',
    arguments: { workflow_id: 101, status: 'active' },
    reason: null,
    is_unchecked: false,
  });
  await program('episode.control', {
    episode,
    act: 'take_over',
    at_once: true,
    reason: null,
    note: null,
    is_discarded: false,
  });
  await product.until(episode, ({ phase }) => phase === 'correcting');
  await program('takeover.move', {
    episode,
    say: '',
    move: { type: 'final', text: 'Done.' },
    timing: TIMING,
    is_unchecked: false,
  });
  const record = await product.ended(episode);

  const by = product.log
    .read(episode)
    .filter(({ actor }) => actor.id === PROGRAM)
    .map(({ actor, event }): [string, LogEvent['kind']] => [actor.type, event.kind]);
  expect(new Set(by.map(([type]) => type))).toEqual(new Set(['scripted']));
  expect(by.map(([, kind]) => kind)).toEqual(
    expect.arrayContaining(['call.edited', 'phase.changed', 'move.proposed']),
  );
  expect(product.log.read(episode).filter(({ actor }) => actor.type === 'human')).toEqual([]);
  expect(record.turns.find(({ call: one }) => one?.id === call)?.call?.decision).toMatchObject({
    type: 'edited',
    actor: { type: 'scripted', id: PROGRAM },
  });
  expect(await program('people.summary', {})).toMatchObject({ minutes: 0, acts: 0 });
});
