import { describe, expect, it } from 'vitest';
import type { Push } from '../../src/shared/contract/envelope.ts';
import { coverRecorded } from '../../src/shared/episode/cover.ts';
import { foldAll } from '../../src/shared/episode/fold.ts';
import { textHead } from '../../src/shared/events/text.ts';
import { LogEvent, Recorded } from '../../src/shared/events/vocabulary.ts';
import type { StartEpisode } from '../../src/shared/contract/areas.ts';
import { startInput, type Product } from '../support/product.ts';
import { productPerTest } from '../support/productPerTest.ts';
import { worldTask } from '../support/worlds.ts';

const EXPERT = { seat: 'seat-guest', invite: 'invite-1' };
const PAGE = { query: '', status: null, condition: null, offset: 0, limit: 10 };
const TIMING = { first_seen_at: null, active_ms: null };

let product: Product;
productPerTest((opened) => (product = opened));
const asExpert = (method: string, input: unknown): Promise<never> =>
  product.route(method, input, EXPERT) as Promise<never>;

/** An episode the expert answered with its draft, up to its end. */
async function play(over: Partial<StartEpisode>): Promise<{ episode: string; consultation: string }> {
  const { episodes } = await product.as('seat-one')('episode.start', startInput(over));
  const [episode = ''] = episodes;
  const asking = await product.until(episode, ({ consultations }) => consultations[0]?.draft);
  const { id: consultation = '', draft } = asking.consultations[0] ?? {};
  await asExpert('desk.answer', {
    episode,
    consultation,
    text: draft?.text,
    draft: draft?.id,
    seen_seq: asking.seq,
    timing: TIMING,
  });
  await product.ended(episode);
  return { episode, consultation };
}

/** What a console that watches an episode and the list is told. */
function watch(episode: string, caller?: typeof EXPERT): Push[] {
  const pushes: Push[] = [];
  const send = (push: Push): void => void pushes.push(push);
  product.subscribe({ topic: 'episode', episode, after: 0 }, send, undefined, caller);
  product.subscribe({ topic: 'episodes' }, send, undefined, caller);
  product.subscribe({ topic: 'desk' }, send, undefined, caller);
  return pushes;
}

/** Every way an answer could say how the episode went; what became of a single call is no verdict. */
const TELLS =
  /"(reward|verified|uptake|verify_result|verdict)":(?!null)[^,]*|"reward_type":"(?!tool_call_ok|reset_ok|server_error|tool_not_found|invalid_args)[^,]*/g;
const tellsOf = (value: unknown): readonly string[] => JSON.stringify(value).match(TELLS) ?? [];

describe('a run that is not blinded', () => {
  it('notes that an expert’s seat saw the verdict when it reads an ended episode, and tells none in a list', async () => {
    const { episode } = await play({});
    const before = product.log.projections.seen(EXPERT.seat, worldTask(0));
    const list = await asExpert('episodes.page', PAGE);

    await asExpert('episode.read', { episode, after: 0, limit: 1000 });

    expect(before).not.toContain('verdict');
    expect(tellsOf(list)).toEqual([]);
    expect(product.log.projections.seen(EXPERT.seat, worldTask(0))).toContain('verdict');
  });
});

describe('a blinded run', () => {
  it('tells an expert’s seat neither reward, verdict nor uptake, by whatever way it asks', async () => {
    const { episode, consultation } = await play({ is_blinded: true });
    const told = await Promise.all([
      asExpert('episode.read', { episode, after: 0, limit: 2000 }),
      asExpert('episodes.page', PAGE),
      asExpert('answers.mine', { offset: 0, limit: 10 }),
      asExpert('advice.similar', { episode, consultation, limit: 5 }),
      asExpert('desk.missed', { lost_since: 0, within_ms: 60_000, limit: 10 }),
      asExpert('preview.run', {
        episode,
        turn: 1,
        call: null,
        calls: [{ tool_name: 'list_workflows', arguments: { workspace_id: 1 } }],
        with_verdict: false,
      }),
    ]);
    for (const value of told) expect(tellsOf(value)).toEqual([]);

    const mine = { answers: [{ episode, uptake: null, verified: null, is_covered: true }] };
    expect(told[2]).toMatchObject(mine);
    expect(product.log.projections.seen(EXPERT.seat, worldTask(0))).not.toContain('verdict');
  });

  it('covers what is pushed as well, and the owner is told all of it', async () => {
    const { episodes } = await product.as('seat-one')(
      'episode.start',
      startInput({ condition: 'none', is_blinded: true }),
    );
    const [episode = ''] = episodes;
    const expert = watch(episode, EXPERT);
    const owner = watch(episode);
    await product.ended(episode);

    await expect.poll(() => JSON.stringify(owner)).toMatch(/"verify_result":\{/);
    await expect.poll(() => JSON.stringify(owner)).toMatch(/"topic":"episodes".*"reward_type":"/);
    // Both are told of the same things at the same time.
    expect(expert).toHaveLength(owner.length);
    expect(expert.filter(({ topic }) => topic === 'episodes')).not.toEqual([]);
    expect(tellsOf(expert)).toEqual([]);
  });

  it('keeps the same steps on both sides: only what they say is covered', async () => {
    const { episode } = await play({ is_blinded: true });
    const whole = product.log.read(episode);
    const covered = whole.map(coverRecorded);

    for (const recorded of covered) expect(Recorded.safeParse(recorded).success).toBe(true);
    const [is, was] = [foldAll(episode, covered), foldAll(episode, whole)];
    expect(is.timeline.map(({ type }) => type)).toEqual(was.timeline.map(({ type }) => type));
    expect(is.counts).toEqual(was.counts);
    expect(is.verified).toMatchObject({ reward: null, verify_result: null });
    expect(was.verified?.reward_type).toEqual(expect.any(String));
  });

  it('covers every kind that has room for a reward, a verdict or a frame', () => {
    const telling = ['reward', 'reward_type', 'verify_result', 'verdict', 'frame', 'result'];
    const kinds = LogEvent.options.filter(({ shape }) =>
      telling.some((field) => Object.hasOwn(shape, field)),
    );

    expect(kinds.map(({ shape }) => shape.kind.value).toSorted()).toEqual([
      'call.returned',
      'environment.finished',
      'environment.reset',
      'episode.ended',
      'frame.passed',
      'preview.ran',
      'tools.listed',
      'verifier.ran',
    ]);
  });

  it('goes on blinded when it is forked', async () => {
    const { episode } = await play({ is_blinded: true, is_key_open: true });
    const fork = await product.as('seat-one')('episode.fork', { episode, turn: 1 });

    const record = await product.until(fork.episode, ({ started }) => started);
    expect(record.started).toMatchObject({ is_blinded: true, is_key_open: true });
  });
});

describe('a run that is not blinded', () => {
  it('tells an expert’s seat how its advice fared, which marks it', async () => {
    const { episode } = await play({});

    expect(await asExpert('answers.mine', { offset: 0, limit: 10 })).toMatchObject({
      answers: [
        {
          episode,
          uptake: { words: 'followed: 4 of 4 calls', tone: 'followed' },
          verified: expect.any(String) as string,
          is_covered: false,
        },
      ],
    });
    expect(product.log.projections.seen(EXPERT.seat, worldTask(0))).toContain('verdict');
  });
});

describe('the answer key', () => {
  const start = async (over: Partial<StartEpisode>): Promise<string> => {
    const { episodes } = await product.as('seat-one')('episode.start', startInput(over));
    const [episode = ''] = episodes;
    await product.until(episode, ({ consultations }) => consultations[0]);
    return episode;
  };

  it('is refused to an expert’s seat where the run does not grant it', async () => {
    const episode = await start({});

    await expect(asExpert('answer_key.show', { episode })).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(asExpert('answer_key.show', { episode: 'e-none' })).rejects.toMatchObject({
      code: 'unauthorized',
    });
    expect(await product.as('seat-one')('answer_key.show', { episode })).toMatchObject({
      saw: ['criteria', 'reference'],
    });
  });

  it('is shown to an expert’s seat in a run that grants it, and the advice that follows is marked', async () => {
    const episode = await start({ condition: 'human', is_key_open: true });
    expect(await asExpert('answer_key.show', { episode })).toMatchObject({ saw: ['criteria', 'reference'] });
    const record = product.log.record(episode);
    await asExpert('desk.answer', {
      episode,
      consultation: record.consultations[0]?.id,
      text: 'Do it',
      draft: null,
      seen_seq: record.seq,
      timing: TIMING,
    });

    expect(product.log.record(episode).consultations[0]?.decision).toMatchObject({
      privilege: ['criteria', 'reference'],
      actor: { id: EXPERT.seat },
    });
  });
});

describe('a brief in a blinded run', () => {
  it('tells an expert’s seat nothing of the earlier verdict, and the owner all of it', async () => {
    const owner = product.as('seat-one');
    const { episodes: first } = await owner('episode.start', startInput({ condition: 'none' }));
    const [earlier = ''] = first;
    await product.ended(earlier);
    const over = { condition: 'brief+human', baseline: earlier, is_blinded: true } as const;
    const { episodes } = await owner('episode.start', startInput(over));
    const [episode = ''] = episodes;
    const pushes = watch(episode, EXPERT);
    const ownPushes = watch(episode);
    const asking = await product.until(episode, ({ consultations }) => consultations[0]?.draft);
    const [brief] = asking.consultations;
    await expect.poll(() => JSON.stringify(ownPushes)).toContain('"draft":{"id"');
    await owner('desk.answer', {
      episode,
      consultation: `${episode}:brief`,
      text: `${textHead(brief?.draft?.text ?? '')} Look it up first.`,
      draft: brief?.draft?.id ?? null,
      seen_seq: asking.seq,
      timing: TIMING,
    });
    await product.ended(episode);
    await expect.poll(() => JSON.stringify(pushes)).toContain('episode.ended');

    const told = [
      JSON.stringify(await asExpert('episode.read', { episode, after: 0, limit: 2000 })),
      JSON.stringify(pushes),
      JSON.stringify(
        await asExpert('advice.similar', { episode, consultation: `${episode}:brief`, limit: 5 }),
      ),
    ];
    for (const text of told) {
      expect(text).not.toMatch(/FAIL|Root cause|"others"/);
      expect(tellsOf(text)).toEqual([]);
    }
    expect(told[1]).toContain('"draft_failure":{"code":"covered"');
    expect(product.log.projections.seen(EXPERT.seat, worldTask(0))).not.toContain('verdict');
    expect(JSON.stringify(ownPushes)).toMatch(/FAIL \(others/);
  });
});
