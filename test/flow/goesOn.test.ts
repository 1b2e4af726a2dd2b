import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killedCopy } from '../support/dataFolder.ts';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import { uptakeTotals } from '../../src/shared/episode/uptake.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

const ME = 'seat-one';
const TIMING = { first_seen_at: 1, active_ms: 30_000 };
const ASK_ALL = [{ glob: '*', argument: null, does: 'ask' as const, count: null }];
const GATED = {
  condition: 'none' as const,
  approval: { rules: ASK_ALL, deadline_ms: 90_000, fallback: 'reject' as const },
};
let product: Product;
const products: Product[] = [];
const folders: string[] = [];
beforeEach(async () => {
  product = await openProduct();
  products.push(product);
  folders.push(product.folder);
});
afterEach(async () => {
  for (const one of products.splice(0)) await one.close();
  for (const folder of folders.splice(0)) removeFolder(folder);
});

const start = async (over: Parameters<typeof startInput>[0] = {}): Promise<string> =>
  (await product.as(ME)('episode.start', startInput(over))).episodes[0] ?? '';
const isHeld = ({ turns }: EpisodeRecord): boolean => {
  const call = turns.at(-1)?.call ?? null;
  return call !== null && call.held !== null && call.decision === null;
};
const about = (episode: string, record: EpisodeRecord) => ({
  episode,
  call: record.turns.at(-1)?.callId ?? '',
  seen_seq: record.seq,
  timing: TIMING,
});
/** What a process that is killed now leaves behind, opened again. */
const killed = async (): Promise<Product> => {
  const copy = killedCopy(product.folder);
  folders.push(copy);
  const next = await openProduct(copy, {}, 'interrupt');
  products.push(next);
  return next;
};
const control = (on: Product, episode: string, act: 'pause' | 'take_over' | 'hand_back', more: object = {}) =>
  on.as(ME)('episode.control', {
    episode,
    act,
    at_once: false,
    reason: null,
    note: null,
    is_discarded: false,
    ...more,
  });
/** One approved call behind it, the next one held. */
const gated = async (): Promise<string> => {
  const id = await start(GATED);
  const first = await product.until(id, isHeld);
  await product.as(ME)('call.decide', { act: 'approve', ...about(id, first), similar: false });
  await product.until(id, (record) => record.turns.length > 1 && isHeld(record));
  return id;
};
/** A whole episode whose question was answered with the draft. */
const answered = async (over: Parameters<typeof startInput>[0] = {}): Promise<EpisodeRecord> => {
  const id = await start(over);
  const record = await product.until(id, ({ consultations }) => consultations[0]?.draft);
  await product.as(ME)('desk.answer', {
    episode: id,
    consultation: record.consultations[0]?.id ?? '',
    text: product.log.texts.loadText(record.consultations[0]?.draft?.text ?? ''),
    draft: record.consultations[0]?.draft?.id ?? null,
    seen_seq: record.seq,
    timing: TIMING,
  });
  return product.ended(id);
};

describe('what a person had set about an episode', () => {
  it('holds calls in the resumed episode as it did before: none is sent that nobody approved', async () => {
    const id = await gated();
    const next = await killed();

    const { episode } = await next.as(ME)('episode.resume', { episode: id });
    const record = await next.until(episode, (one) => one.forked !== null && isHeld(one));

    expect(record.turns.filter(({ isCopied }) => !isCopied)).toHaveLength(1);
    expect(record.rules).toEqual(ASK_ALL);
    expect(record.turns.at(-1)?.call).toMatchObject({ sent: null, held: { fallback: 'reject' } });
    expect(record.turns.at(-1)?.call?.held?.deadline_at).toEqual(expect.any(Number));
  });

  it('holds in a fork too, breakpoints included, and the fork says what it carries', async () => {
    const id = await gated();
    await product.as(ME)('breakpoint.change', {
      episode: id,
      set: { on: 'tool', glob: 'get_*', argument: null },
    });

    const { episode } = await product.as(ME)('episode.fork', { episode: id, turn: 1 });
    const fork = await product.until(episode, (one) => one.forked !== null && isHeld(one));

    expect(fork.forked?.carried).toEqual({ rules: 1, breakpoints: 1 });
    expect(fork.rules).toEqual(ASK_ALL);
    expect(fork.breakpoints).toEqual(product.log.record(id).breakpoints);
  });

  it('keeps the limits on which asks come before a person', async () => {
    const first = await answered({
      admission: { share: null, capacity: 7, hourly_minutes: null },
    });

    const { episode } = await product.as(ME)('episode.fork', { episode: first.id, turn: 1 });
    const fork = await product.until(episode, ({ consultations }) => consultations[0]);

    expect(fork.started?.admission).toEqual({ share: null, capacity: 7, hourly_minutes: null });
  });

  it('stays paused when it was paused as the process was killed', async () => {
    const id = await gated();
    await control(product, id, 'pause');
    const next = await killed();

    const { episode } = await next.as(ME)('episode.resume', { episode: id });
    const record = await next.until(episode, ({ forked, phase }) => forked !== null && phase === 'paused');

    expect(record.turns.every(({ isCopied }) => isCopied)).toBe(true);
    expect(record.timeline.at(-1)).toMatchObject({
      type: 'phase',
      reason: 'it was paused when it was interrupted: resume it, or take it over',
    });
  });
});

describe('what was copied', () => {
  it('is nobody’s work here: minutes, acts, advice and answers stay as they were', async () => {
    const call = product.as(ME);
    const first = await answered();
    const before = await call('people.summary', {});
    const found = product.log.projections.similar(['workflow', 'status', 'plan', 'id'], 10);
    const own = product.log.projections.ownAnswers(ME, 0, 10);

    const { episode } = await call('episode.fork', { episode: first.id, turn: first.counts.turns });
    const fork = await product.ended(episode);

    expect(fork.consultations).toHaveLength(1);
    expect(await call('people.summary', {})).toEqual(before);
    expect(product.log.projections.activeMinutes(0)).toBe(before.minutes);
    expect(found).not.toEqual([]);
    expect(product.log.projections.similar(['workflow', 'status', 'plan', 'id'], 10)).toEqual(found);
    expect(product.log.projections.ownAnswers(ME, 0, 10)).toEqual(own);
    expect(uptakeTotals(first).followed).toBe(1);
    expect(uptakeTotals(fork)).toEqual({ followed: 0, partly: 0, ignored: 0, contradicted: 0 });
  });

  it('holds the notes the agent read, and the moves that are not to be learnt from', async () => {
    const id = await start(GATED);
    await product.until(id, isHeld);
    await product.as(ME)('note.send', { episode: id, text: 'Look twice.', timing: TIMING });
    await product.as(ME)('call.decide', {
      act: 'reject',
      ...about(id, product.log.record(id)),
      reason: 'wait for me',
    });
    await product.until(id, (one) => one.turns.length > 1 && isHeld(one));
    await control(product, id, 'take_over');
    await product.as(ME)('call.decide', {
      act: 'reject',
      ...about(id, product.log.record(id)),
      reason: 'I do it',
    });
    const { turn } = await product.as(ME)('takeover.move', {
      episode: id,
      say: '',
      move: { type: 'list_tools' },
      is_unchecked: false,
    });
    await product.until(id, ({ messages }) => messages.some((m) => m.turn === turn && m.role === 'tool'));
    await control(product, id, 'hand_back', { is_discarded: true });

    const { episode } = await product.as(ME)('episode.fork', { episode: id, turn });
    const fork = await product.until(
      episode,
      ({ forked, phase }) => forked !== null && phase === 'autonomous',
    );

    expect(fork.notes).toMatchObject([{ text: 'Look twice.', deliveredTurn: 2 }]);
    expect(fork.turns.find((one) => one.turn === turn)).toMatchObject({ isDiscarded: true, isCopied: true });
    expect(fork.phase).toBe('autonomous');
  });
});

describe('a fork of the last turn', () => {
  it('goes on before the final answer, so that there is one final answer and not two', async () => {
    const first = await answered();
    expect(first.turns.at(-1)?.move?.type).toBe('final');

    const forked = await product.as(ME)('episode.fork', { episode: first.id, turn: first.counts.turns });
    const fork = await product.ended(forked.episode);

    expect(forked.turn).toBe(first.counts.turns - 1);
    expect(fork.turns.filter(({ move }) => move?.type === 'final')).toHaveLength(1);
    expect(fork.counts.turns).toBe(first.counts.turns);
  });
});

describe('the time of a person who acts', () => {
  it('counts for moves and notes, at a hand-back too', async () => {
    const id = await start(GATED);
    await product.until(id, isHeld);
    await control(product, id, 'take_over');
    await product.as(ME)('call.decide', {
      act: 'reject',
      ...about(id, product.log.record(id)),
      reason: 'mine',
    });
    const { turn } = await product.as(ME)('takeover.move', {
      episode: id,
      say: '',
      move: { type: 'list_tools' },
      is_unchecked: false,
      timing: { first_seen_at: 1, active_ms: 60_000 },
    });
    await product.until(id, ({ messages }) => messages.some((m) => m.turn === turn && m.role === 'tool'));
    await control(product, id, 'hand_back', {
      note: 'Go on.',
      timing: { first_seen_at: 1, active_ms: 15_000 },
    });

    expect(await product.as(ME)('people.summary', {})).toMatchObject({ acts: 3, minutes: 1.75 });
  });
});
