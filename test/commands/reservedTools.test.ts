import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Method } from '../../src/shared/contract/contract.ts';
import { isReservedTool, PROTOCOL_NAMES, RESERVED_TOOLS } from '../../src/shared/wire.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

const EXPERT = { seat: 'seat-guest', invite: 'invite-1' };
const OWNER = { seat: 'seat-one' };
const RESERVED = [...RESERVED_TOOLS, ...PROTOCOL_NAMES];
const TIMING = { first_seen_at: null, active_ms: null };

/** Every command with which a person makes, changes, tries or labels a call. */
const calls = (tool_name: string): Partial<Record<Method, (episode: string) => unknown>> => {
  const move = { type: 'call_tool', tool_name, arguments: { final_answer: 'x' } };
  const held = { call: 'call_1', seen_seq: 1, timing: TIMING };
  const item = { project: 'p', queue: 'q', item: 'i' };
  const correct = { type: 'move', move };
  return {
    'preview.run': (episode) => ({
      episode,
      turn: 1,
      call: null,
      calls: [
        { tool_name: 'list_workflows', arguments: {} },
        { tool_name, arguments: {} },
      ],
      with_verdict: false,
    }),
    'call.decide': (episode) => ({
      act: 'edit',
      episode,
      ...held,
      tool_name,
      arguments: {},
      is_unchecked: true,
      reason: null,
    }),
    'takeover.move': (episode) => ({ episode, say: '', move, is_unchecked: true }),
    'label.give': (episode) => ({ episode, turn: 1, move, timing: TIMING }),
    'annotation.give': () => ({
      as: 'correction',
      ...item,
      target: { type: 'episode', episode: 'e1' },
      correct,
      reason: null,
      timing: TIMING,
    }),
  };
};

describe('a tool of the environment’s host', () => {
  let product: Product;
  let episode: string;
  beforeEach(async () => {
    product = await openProduct();
    const { episodes } = await product.as('seat-one')('episode.start', startInput());
    episode = episodes[0] ?? '';
    await product.until(episode, ({ consultations }) => consultations[0]);
  });
  afterEach(async () => {
    await product.close();
    removeFolder(product.folder);
  });

  it.each(RESERVED)('is refused wherever a person could have it called: %s', async (tool) => {
    for (const [method, input] of Object.entries(calls(tool)))
      for (const caller of [EXPERT, OWNER])
        await expect(product.route(method, input(episode), caller), method).rejects.toMatchObject({
          code: 'bad_input',
          message: expect.stringMatching(/environment’s host/) as string,
        });
    expect(product.log.read(episode).filter(({ event }) => event.kind === 'preview.ran')).toEqual([]);
  });

  it('is told from a tool that only sounds like one', () => {
    expect(['verify', 'reset', '__list_scenarios__'].every(isReservedTool)).toBe(true);
    expect(['verify_invoice', 'Verify', 'get_state', 'toString'].some(isReservedTool)).toBe(false);
  });
});
