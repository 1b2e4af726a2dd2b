// Every command and topic of the contract, by what it says it reveals: an owner's seat and an expert's that ask for it
// are either refused, told nothing of the answer, or recorded as having seen it before they are told.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type Caller,
  contract,
  isMethod,
  isRevealing,
  type Method,
  type RevealingMethod,
} from '../../src/shared/contract/contract.ts';
import { type Push, type Topic, TOPICS } from '../../src/shared/contract/envelope.ts';
import { liftStream } from '../../src/shared/events/library.ts';
import { failureShape } from '../../src/shared/failure.ts';
import { ended as endedEvent, SYSTEM } from '../support/log.ts';
import { measuredLift } from '../support/measuredLift.ts';
import { openProduct, type Product, removeFolder, startInput } from '../support/product.ts';
import { CurriculumReport } from '../../src/main/training/report.ts';
import { openTapped } from '../support/tapped.ts';
import { benchPlan, PAGE, QUEUE, TIMING } from '../support/writingScene.ts';

const METHODS = Object.keys(contract).filter(isMethod);
const REVEALING = METHODS.filter(isRevealing);
const CALLS = [{ tool_name: 'list_workflows', arguments: { workspace_id: 1 } }];

/** Fields of an answer that tell a verdict, criteria, a reference, hidden state, or what an author had seen. */
const TELLING = ['reward', 'reward_type', 'verdict', 'verified', 'verify_result', 'evidence', 'changes'];
const TELLING_WORDS = ['criteria', 'reference', 'privilege', ...TELLING];
/** Commands that reveal nothing in spite of such a field. */
const ONLY_NAMED: Partial<Record<Method, string>> = {
  'people.summary': 'one sum over all episodes',
  'environments.audit': 'what a check of a server found, on sessions of its own',
  'environments.audit_progress': 'what it has found so far, on sessions of its own',
  'models.probe': 'what a model answered to small requests of ours',
  'import.wait': 'the rows of a command that imports, which shows no seat anything',
  'export.history': 'the rules an export was made by, not what they found',
};

let product: Product;
/** Ended, answered with its draft; and one of the same task that still waits. */
let ended: string;
let open: string;
let consultation: string;
let item: { project: string; queue: string; item: string };

const ownerCall = <M extends Method>(method: M, input: unknown) =>
  product.route(method, input, { seat: 'seat-setup' }) as Promise<never>;

beforeAll(async () => {
  product = await openProduct();
  const start = product.as('seat-setup');
  const { episodes } = await start('episode.start', startInput({ repeats: 2, condition: 'model' }));
  for (const id of episodes) await product.ended(id);
  const answered = await start('episode.start', startInput({ is_key_open: true }));
  ended = answered.episodes[0] ?? '';
  const asking = await product.until(ended, ({ consultations }) => consultations[0]?.draft);
  const { id = '', draft } = asking.consultations[0] ?? {};
  await start('desk.answer', {
    episode: ended,
    consultation: id,
    text: product.log.texts.loadText(draft?.text ?? ''),
    draft: draft?.id ?? null,
    seen_seq: asking.seq,
    timing: TIMING,
  });
  await product.ended(ended);
  const waiting = await start('episode.start', startInput({ is_key_open: true }));
  open = waiting.episodes[0] ?? '';
  const record = await product.until(open, ({ consultations }) => consultations[0]?.draft);
  consultation = record.consultations[0]?.id ?? '';
  await product.benches.run(benchPlan('pinned'), { concurrency: 2 });
  const { project } = await start('project.create', { name: 'P', instructions: '', dimensions: [] });
  const from = { type: 'episodes' as const, episodes: [ended] };
  const { queue } = await start('queue.make', { project, ...QUEUE, from });
  const { items } = await start('queue.items', { project, queue, show: 'all', ...PAGE });
  item = { project, queue, item: items[0]?.item ?? '' };
});
afterAll(async () => {
  await product.close();
  removeFolder(product.folder);
});

type Call = <M extends Method>(method: M, input: unknown) => Promise<never>;
type Recipe = (call: Call) => Promise<unknown>;

/** How each is asked for; a command that comes to reveal something has to be driven here. */
const RECIPES: Record<RevealingMethod, Recipe> = {
  'episodes.page': (call) => call('episodes.page', { query: '', status: null, condition: null, ...PAGE }),
  'episode.read': (call) => call('episode.read', { episode: ended, after: 0, limit: 2000 }),
  'answer_key.show': (call) => call('answer_key.show', { episode: open }),
  'advice.similar': (call) => call('advice.similar', { episode: open, consultation, limit: 5 }),
  'preview.run': (call) =>
    call('preview.run', { episode: open, turn: 1, call: null, calls: CALLS, with_verdict: true }),
  'preview.changes': async (call) => {
    const ask = { episode: open, turn: 1, call: null, calls: CALLS, with_verdict: false };
    const { preview } = await call<'preview.run'>('preview.run', ask);
    return call('preview.changes', { preview });
  },
  'call.changes': (call) => call('call.changes', { episode: ended, call: changingCall() }),
  'state.tables': (call) => call('state.tables', { episode: open, turn: null }),
  'state.page': (call) => call('state.page', { episode: open, turn: null, table: 'workflows', ...PAGE }),
  'answers.mine': async (call) => {
    await call('desk.advise_late', {
      episode: ended,
      consultation: `${ended}:c1`,
      text: 'late',
      timing: TIMING,
    });
    return call('answers.mine', PAGE);
  },
  'request.uncover': (call) => call('request.uncover', { episode: open, consultation }),
  'groups.page': (call) => call('groups.page', { query: '', ...PAGE }),
  'environments.overview': (call) => call('environments.overview', { id: 'builtin' }),
  'training.read': (call) => {
    if (product.log.read('trained').length === 0) {
      openTapped(product.log, { id: 'trained', name: 'rollout 1' });
      product.log.append('trained', SYSTEM, endedEvent());
    }
    return call('training.read', { run: 'r1' });
  },
  'training.curriculum': (call) => {
    const key = { id: 'k', name: 'trainer' };
    const rollouts = [{ step: 1, scenario: 'loomline_workflows', task_idx: 0, arm: 'solo', completed: true }];
    product.curriculum.report(CurriculumReport.parse({ run: 'reported', id: '1', rollouts }), key);
    product.curriculum.next({ run: 'reported', step: 2, group: 8 }, key);
    return call('training.curriculum', { run: 'reported' });
  },
  'log.search': (call) => call('log.search', { query: 'workflow', kinds: [], before: null, limit: 200 }),
  'export.job': async (call) => {
    const ask = { format: 'sft', rules: { episodes: [ended], verdict: 'any' }, write: null };
    const { export: id } = await call<'export.start'>('export.start', ask);
    await expect
      .poll(async () => (await ownerCall<'export.job'>('export.job', { export: id }))['state'], {
        timeout: 20_000,
      })
      .toBe('done');
    return call('export.job', { export: id });
  },
  'queue.items': (call) =>
    call('queue.items', { project: item.project, queue: item.queue, show: 'all', ...PAGE }),
  'queue.open': (call) => call('queue.open', item),
  'annotation.conflicts': (call) => call('annotation.conflicts', item),
  'rewards.scores': (call) => call('rewards.scores', { profile: 'default', episodes: [ended] }),
  'lift.read': (call) => {
    if (product.log.read(liftStream(ended)).length === 0)
      product.log.append(liftStream(ended), SYSTEM, measuredLift(ended));
    return call('lift.read', { episode: ended });
  },
  'bench.show': (call) => call('bench.show', { name: 'pinned' }),
};

const changingCall = (): string =>
  product.log.record(ended).turns.find(({ call }) => (call?.changes ?? []).length > 0)?.callId ?? '';

const seenBy = (seat: string): string[] =>
  product.log.read(`seat/${seat}`).flatMap(({ event }) => (event.kind === 'answer.seen' ? event.saw : []));

/** A verdict that stands in what was sent. Labels of single calls and of a session's beginning and end are none. */
const VERDICT =
  /"(?:reward|verified|verify_result|verdict)":(?!null)|"(?:reward_type|label)":"(?:complete|incomplete|others|partial)[^"]*"/;
const CHANGES = /"changes":\[\{/;
const AUTHOR = /"privilege":\["/;

/** What is told must be recorded; where nothing is told, nothing need be. */
function checkRecorded(value: unknown, seat: string): void {
  const text = JSON.stringify(value);
  if (VERDICT.test(text)) expect(seenBy(seat)).toContain('verdict');
  if (CHANGES.test(text)) expect(seenBy(seat)).toContain('hidden_state');
  if (AUTHOR.test(text)) expect(seenBy(seat)).not.toEqual([]);
}

async function drive(method: RevealingMethod, caller: Caller): Promise<'refused' | 'answered'> {
  const call: Call = (asked, input) => product.route(asked, input, caller) as Promise<never>;
  try {
    checkRecorded(await RECIPES[method](call), caller.seat);
    return 'answered';
  } catch (thrown) {
    if (failureShape(thrown).code !== 'unauthorized') throw thrown;
    return 'refused';
  }
}

describe('what a command reveals', () => {
  it.each(REVEALING)('%s: an owner’s seat is recorded as having seen it', async (method) => {
    const seat = `owner-${method.replace(/[._]/g, '-')}`;
    expect(seenBy(seat)).toEqual([]);

    expect(await drive(method, { seat })).toBe('answered');

    const declared: readonly string[] = contract[method].reveals;
    expect(seenBy(seat)).not.toEqual([]);
    for (const saw of seenBy(seat)) expect(declared).toContain(saw);
  });

  it.each(REVEALING)('%s: an expert’s seat is recorded, told nothing of it, or refused', async (method) => {
    const seat = `guest-${method.replace(/[._]/g, '-')}`;

    const outcome = await drive(method, { seat, invite: 'invite-1' });

    if (outcome === 'refused') expect(seenBy(seat)).toEqual([]);
  });

  it('is declared by every command that has a field for it', () => {
    const silent = METHODS.filter((method) => !isRevealing(method) && ONLY_NAMED[method] === undefined);
    for (const method of silent) {
      const schema = JSON.stringify(
        z.toJSONSchema(contract[method].output as z.ZodType, { unrepresentable: 'any', io: 'output' }),
      );
      for (const field of TELLING_WORDS) expect(schema, method).not.toContain(`"${field}":`);
    }
  });
});

describe('what is pushed', () => {
  const WATCHED: Record<Topic['topic'], () => Topic> = {
    episode: () => ({ topic: 'episode', episode: ended, after: 0 }),
    episodes: () => ({ topic: 'episodes' }),
    desk: () => ({ topic: 'desk' }),
    gateway: () => ({ topic: 'gateway' }),
    imports: () => ({ topic: 'imports' }),
    projects: () => ({ topic: 'projects' }),
  };

  it.each(Object.keys(TOPICS) as Topic['topic'][])('%s: is recorded before it is sent', async (topic) => {
    const callers: Caller[] = [
      { seat: `owner-topic-${topic}` },
      { seat: `guest-topic-${topic}`, invite: 'i' },
    ];
    const pushes = callers.map((): Push[] => []);
    const stops = callers.map((caller, index) =>
      product.subscribe(
        WATCHED[topic](),
        (push) => {
          pushes[index]?.push(push);
          checkRecorded(push, caller.seat);
        },
        () => true,
        caller,
      ),
    );
    const { episodes } = await product.as('seat-setup')('episode.start', startInput({ condition: 'none' }));
    await product.ended(episodes[0] ?? '');
    if (topic !== 'imports' && topic !== 'projects')
      await expect.poll(() => pushes[0]?.length).toBeGreaterThan(0);
    if (topic === 'episodes') await expect.poll(() => JSON.stringify(pushes[0])).toMatch(/"status":"ended"/);

    for (const stop of stops) stop();
    callers.forEach(({ seat }, index) => checkRecorded(pushes[index], seat));
    const declared: readonly string[] = TOPICS[topic].reveals;
    for (const saw of callers.flatMap(({ seat }) => seenBy(seat))) expect(declared).toContain(saw);
    if (declared.length > 0) expect(seenBy(`owner-topic-${topic}`)).not.toEqual([]);
    else expect(seenBy(`owner-topic-${topic}`)).toEqual([]);
  });
});

describe('a try of calls', () => {
  it('costs nothing while only its results are seen; what it changes marks the advice that follows', async () => {
    const seat = 'seat-tries';
    const call = product.as(seat);
    const ask = { episode: open, turn: 1, call: null, calls: CALLS, with_verdict: false };

    const tried = await call('preview.run', ask);
    expect(tried).not.toHaveProperty('changes');
    expect(seenBy(seat)).toEqual([]);
    await call('preview.changes', { preview: tried.preview ?? '' });
    await call('note.send', { episode: open, text: 'Look again.', timing: TIMING });

    expect(seenBy(seat)).toEqual(['hidden_state']);
    expect(product.log.record(open).notes.at(-1)?.privilege).toContain('hidden_state');
    await expect(
      product.as('seat-other')('preview.changes', { preview: tried.preview ?? '' }),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('and a look at the world marks advice on the other episodes of the task, too', async () => {
    const seat = 'seat-looks';
    await product.as(seat)('state.tables', { episode: ended, turn: 1 });
    await product.as(seat)('note.send', { episode: open, text: 'Look once more.', timing: TIMING });

    expect(product.log.record(open).notes.at(-1)?.privilege).toEqual(['hidden_state']);
  });
});

describe('whether there is any episode', () => {
  it('is asked for without seeing one, so that nobody’s advice is marked', async () => {
    const seat = 'seat-counts';
    const beyond = { query: '', status: null, condition: null, offset: 1_000_000_000, limit: 1 };

    const { total, rows } = await product.as(seat)('episodes.page', beyond);

    expect([total > 0, rows, seenBy(seat)]).toEqual([true, [], []]);
  });
});
