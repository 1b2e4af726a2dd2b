// An episode whose program is killed goes on by itself, as if nobody had killed it.
import { describe, expect, it } from 'vitest';
import { hasHeldCall } from '../../src/shared/episode/calls.ts';
import { unplayedTurn } from '../../src/shared/episode/restarts.ts';
import { killedEverywhere, ME, TIMING, type Person } from '../support/killed.ts';
import type { startInput } from '../support/product.ts';

type Start = Parameters<typeof startInput>[0];

/** Accepts every draft as it is. */
const accepting: Person = (product, record) => {
  const open = record.consultations.find(({ decision, draft }) => decision === null && draft !== null);
  if (open === undefined) return null;
  return product.as(ME)('desk.answer', {
    episode: record.id,
    consultation: open.id,
    text: product.log.texts.loadText(open.draft?.text ?? ''),
    draft: open.draft?.id ?? null,
    seen_seq: record.seq,
    timing: TIMING,
  });
};

/** Edits the first held call, rejects the second, takes the third over, and lets the rest go. */
const steppingIn: Person = (product, record) => {
  const call = product.as(ME);
  const about = {
    episode: record.id,
    call: record.turns.at(-1)?.callId ?? '',
    seen_seq: record.seq,
    timing: TIMING,
  };
  const control = (act: 'take_over' | 'hand_back' | 'resume') =>
    call('episode.control', {
      episode: record.id,
      act,
      at_once: false,
      reason: null,
      note: null,
      is_discarded: false,
    });
  if (record.phase === 'paused') return control('resume');
  if (record.phase === 'correcting') {
    const moved = record.turns.filter(({ actor }) => actor.type === 'human');
    if (hasHeldCall(record))
      return call('call.decide', { act: 'reject', ...about, reason: 'I do it myself' });
    // The agent is told first.
    if (moved.length === 0 && unplayedTurn(record) !== null) return null;
    const isAnswered = record.messages.some(
      ({ turn, role }) => turn === moved.at(-1)?.turn && role === 'tool',
    );
    const move = { type: 'list_tools' } as const;
    if (moved.length === 0)
      return call('takeover.move', { episode: record.id, say: '', move, is_unchecked: false });
    return isAnswered ? control('hand_back') : null;
  }
  if (!hasHeldCall(record)) return null;
  switch (record.turns.length) {
    case 1: {
      if (record.notes.length === 0)
        return call('note.send', { episode: record.id, text: 'Look twice.', timing: TIMING });
      const move = record.turns[0]?.move;
      if (move?.type !== 'call_tool') return null;
      return call('call.decide', {
        act: 'edit',
        ...about,
        tool_name: move.tool_name,
        arguments: { ...move.arguments, more: 1 },
        reason: 'try more',
        is_unchecked: true,
      });
    }
    case 2:
      return call('call.decide', { act: 'reject', ...about, reason: 'not this one' });
    case 3:
      return control('take_over');
    default:
      return call('call.decide', { act: 'approve', ...about, similar: false });
  }
};

const APPROVAL = {
  rules: [{ glob: '*', argument: null, does: 'ask' as const, count: null }],
  deadline_ms: null,
  fallback: 'wait' as const,
};

/** Every position opens the product once more. */
const LONG_MS = 120_000;

describe('an episode whose program was killed', () => {
  it(
    'goes on by itself as if nobody had killed it, from every other place in its log',
    async () => {
      const { unkilled, positions, delivered } = await killedEverywhere({}, accepting, {
        every: 2,
      });

      expect(unkilled.ended?.reward_type).toBe('complete');
      expect(positions).toBeGreaterThan(15);
      expect(delivered).toBe(positions);
    },
    LONG_MS,
  );

  it(
    'keeps what people did in it: a note, edited, rejected and held calls, a take-over',
    async () => {
      const start: Start = { condition: 'none', approval: APPROVAL };
      const { unkilled, positions } = await killedEverywhere(start, steppingIn);

      expect(unkilled.turns.map(({ actor }) => actor.type)).toContain('human');
      expect(unkilled.notes).toMatchObject([{ deliveredTurn: 2 }]);
      expect(positions).toBeGreaterThan(20);
    },
    LONG_MS,
  );
});
