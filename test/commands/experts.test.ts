import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { interventionsOf } from '../../src/main/dataset/export/interventions.ts';
import type { StartEpisode } from '../../src/shared/contract/areas.ts';
import type { Outputs } from '../../src/shared/contract/contract.ts';
import type { Push } from '../../src/shared/contract/envelope.ts';
import { DEFAULT_ROUTES, type Roster } from '../../src/shared/experts/roster.ts';
import { startOpenAiServer, type OpenAiServer } from '../support/openaiServer.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

const TIMING = { first_seen_at: null, active_ms: null };
const PLAN = JSON.stringify({
  plan: [{ tool: 'list_workflows', args: { workspace_id: 1 }, purpose: 'look' }],
});
const DRAFT = { content: PLAN, usage: { prompt_tokens: 100, completion_tokens: 10 } };

let product: Product;
let server: OpenAiServer;
let priya: string;
let other: string;
beforeEach(async () => {
  server = await startOpenAiServer(Array.from({ length: 4 }, () => DRAFT));
  product = await openProduct();
  priya = await invite('Priya');
  other = await invite('Quentin');
  await owner('settings.change', {
    profiles: {
      save: {
        name: 'small',
        provider: 'openai',
        base_url: server.url,
        model: 'small-1',
        api_version: null,
      },
    },
  });
});
afterEach(async () => {
  await product.close();
  removeFolder(product.folder);
  // Not every test asks as often as it may.
  await server.close().catch(() => undefined);
});

const owner = <M extends Parameters<ReturnType<Product['as']>>[0]>(
  method: M,
  input: Parameters<ReturnType<Product['as']>>[1],
): Promise<Outputs[M]> => product.as('seat-one')(method, input as never);
const invite = async (label: string): Promise<string> =>
  (await owner('invites.create', { label })).invite.seat;

const roster = (): Roster => ({
  experts: [
    {
      kind: 'person',
      name: 'Priya',
      skills: ['formatting', 'planning', 'recovery', 'domain'],
      ask_for: 'anything',
      seat: priya,
    },
    { kind: 'model', name: 'Small', skills: ['recovery'], ask_for: 'errors', profile: 'small' },
  ],
  routes: DEFAULT_ROUTES,
  seat_first_s: 60,
});
const start = async (over: Partial<StartEpisode>): Promise<string> =>
  (await owner('episode.start', startInput(over))).episodes[0] ?? '';

/** A question put to people, with its draft. */
async function asking(task_idx: number) {
  const episode = await start({ task_idx });
  const record = await product.until(episode, ({ consultations }) => consultations[0]?.draft);
  const [asked] = record.consultations;
  const at = { episode, consultation: asked?.id ?? '', seen_seq: record.seq, timing: TIMING };
  return { at, draft: asked?.draft?.id ?? null };
}

async function play(): Promise<void> {
  await product.ended(await start({ condition: 'model' }));
  const asPriya = product.as(priya);
  const accepted = await asking(0);
  await asPriya('desk.answer', { ...accepted.at, text: PLAN, draft: accepted.draft });
  const edited = await asking(1);
  await asPriya('desk.answer', { ...edited.at, text: `${PLAN} `, draft: edited.draft });
  const declined = await asking(2);
  await asPriya('desk.decline', { ...declined.at, reason: 'I do not know' });
  for (const { at } of [accepted, edited, declined]) await product.ended(at.episode);
}

/** The same figures by SQL over the stored events, without a record or a fold. */
function figuresBySql(expert: string) {
  const db = new Database(join(product.folder, 'interject.db'), { readonly: true });
  const one = (sql: string): number => (db.prepare(sql).pluck().get({ expert }) as number | null) ?? 0;
  const of = (path: string): string => `json_extract(body, '$.${path}')`;
  const decided = (kind: string, and: string): number =>
    one(`SELECT count(*) FROM events d JOIN events f ON f.stream = d.stream AND f.kind = '${kind}'
           AND json_extract(f.body, '$.consultation') = json_extract(d.body, '$.consultation')
         WHERE d.kind = 'advice.drafted' AND json_extract(d.body, '$.expert') = @expert
           AND json_extract(f.actor, '$.type') <> 'model' AND ${and}`);
  const waits = db
    .prepare(
      `SELECT a.at - q.at FROM events a JOIN events q ON q.stream = a.stream AND q.kind = 'consultation.asked'
         AND json_extract(q.body, '$.consultation') = json_extract(a.body, '$.consultation')
       WHERE a.kind = 'advice.approved' AND json_extract(a.body, '$.expert') = @expert ORDER BY 1`,
    )
    .pluck()
    .all({ expert }) as number[];
  const answered = `SELECT DISTINCT stream FROM events WHERE kind = 'advice.approved' AND ${of('expert')} = @expert`;
  const ended = `SELECT count(*) FROM events WHERE kind = 'episode.ended' AND stream IN (${answered})`;
  const middle = waits.slice(Math.ceil(waits.length / 2) - 1, Math.floor(waits.length / 2) + 1);
  const figures = {
    expert,
    asked: one(`SELECT count(*) FROM events WHERE ${of('routed.expert')} = @expert`),
    named: one(
      `SELECT count(*) FROM events WHERE ${of('routed.expert')} = @expert AND ${of('routed.by')} = 'name'`,
    ),
    answered: waits.length,
    declined: one(`SELECT count(*) FROM events WHERE kind = 'advice.declined' AND ${of('expert')} = @expert`),
    drafts: {
      made: one(`SELECT count(*) FROM events WHERE kind = 'advice.drafted' AND ${of('expert')} = @expert`),
      failed: 0,
      accepted: decided('advice.approved', `json_extract(f.body, '$.act') = 'accept'`),
      edited: decided('advice.approved', `json_extract(f.body, '$.act') = 'edit'`),
      declined: decided('advice.declined', 'true'),
      unused: 0,
    },
    outcomes: {
      episodes: one(`${ended} AND ${of('reward_type')} IS NOT NULL`),
      complete: one(`${ended} AND ${of('reward_type')} = 'complete'`),
    },
    median_answer_ms: waits.length === 0 ? null : middle.reduce((sum, wait) => sum + wait, 0) / middle.length,
    tokens: {
      input: one(`SELECT sum(${of('usage.input_tokens')}) FROM events WHERE ${of('expert')} = @expert`),
      output: one(`SELECT sum(${of('usage.output_tokens')}) FROM events WHERE ${of('expert')} = @expert`),
      unknown: 0,
    },
  };
  db.close();
  return figures;
}

describe('figures of each expert', () => {
  it('are what SQL by hand finds in the events, in the console', async () => {
    await owner('settings.change', { roster: roster() });
    await play();
    const { episodes, figures } = await owner('experts.figures', {});
    const [ofPriya, ofSmall] = figures;

    expect(episodes).toBe(4);
    expect(ofPriya).toMatchObject({ expert: 'Priya', asked: 3, answered: 2, declined: 1 });
    expect(ofSmall).toMatchObject({ asked: 1, answered: 1 });
    expect(ofSmall?.drafts).toEqual({ made: 4, failed: 0, accepted: 1, edited: 1, declined: 1, unused: 0 });
    expect(ofPriya).toMatchObject(figuresBySql('Priya'));
    expect(ofSmall).toMatchObject(figuresBySql('Small'));
    expect(Object.values(ofPriya?.uptake ?? {}).reduce((sum, count) => sum + count, 0)).toBe(2);
  });

  it('stand with each intervention: whom it went to, who drafted, who answered', async () => {
    await owner('settings.change', { roster: roster() });
    const { at, draft } = await asking(0);
    await product.as(priya)('desk.answer', { ...at, text: PLAN, draft });
    const record = await product.ended(at.episode);

    expect(interventionsOf(record, (text) => product.log.texts.loadText(text))).toMatchObject([
      {
        type: 'consultation',
        expert: 'Priya',
        routed: { by: 'rule' },
        draft: { expert: 'Small' },
        decision: { expert: 'Priya' },
      },
    ]);
  });
});

describe('a roster', () => {
  it('is refused with what to do where a profile, an invite or a skill is missing', async () => {
    const [person, model] = roster().experts;
    const save = (experts: unknown[]) =>
      product.route('settings.change', { roster: { ...roster(), experts } }, { seat: 'seat-one' });

    await expect(save([{ ...model, profile: 'none' }])).rejects.toMatchObject({
      message: 'Small: there is no model profile none',
      next: 'Save the profile under Setup, Models, or choose another.',
    });
    await expect(save([{ ...person, seat: 'seat-none' }])).rejects.toMatchObject({
      message: 'Priya: there is no invite for this seat',
    });
    await expect(save([{ ...person, skills: [] }])).rejects.toThrow('an expert needs a skill');
  });
});

describe('a question for one seat first', () => {
  it('is on that seat’s desk and the owner’s, and another expert’s only when it is passed on', async () => {
    product.seats.connect(priya);
    product.seats.connect(other);
    await owner('settings.change', { roster: roster() });
    const asPriya = { seat: priya, invite: 'i1' };
    const asOther = { seat: other, invite: 'i2' };
    const desks = new Map<string, Push[]>();
    for (const [name, caller] of [
      ['priya', asPriya],
      ['other', asOther],
      ['owner', { seat: 'seat-one' }],
    ] as const) {
      const pushes: Push[] = [];
      desks.set(name, pushes);
      product.subscribe({ topic: 'desk' }, (push) => void pushes.push(push), undefined, caller);
    }
    const shown = (name: string): number => {
      const last = desks.get(name)?.at(-1);
      return last?.topic === 'desk' ? last.items.length : 0;
    };
    const { at } = await asking(0);
    await expect.poll(() => [shown('priya'), shown('owner')]).toEqual([1, 1]);
    expect(shown('other')).toBe(0);
    const answer = { ...at, text: PLAN, draft: null };
    await expect(product.route('desk.answer', answer, asOther)).rejects.toMatchObject({
      code: 'unauthorized',
      message: 'this question is for Priya first',
    });

    const { episode, consultation } = at;
    await product.route('desk.pass', { episode, consultation }, asPriya);
    await expect.poll(() => shown('other')).toBe(1);
    const { seq: seen_seq } = product.log.record(episode);
    await product.route('desk.answer', { ...answer, seen_seq }, asOther);
    const record = await product.ended(episode);
    expect(record.consultations[0]?.decision).not.toHaveProperty('expert');
  });
});
