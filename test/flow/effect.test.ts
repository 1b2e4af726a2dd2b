// The effect of a plan, shown before it is sent: compared with what the agent then really gets, with the live episode's
// database, and with the records that the world holds.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Sqlite from 'better-sqlite3';
import { parsePlan } from '../../src/shared/plan.ts';
import type { JsonObject } from '../../src/shared/events/turns.ts';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import type { Inputs, Outputs } from '../../src/shared/contract/contract.ts';
import { rowsOf } from '../dataset/export/episodes.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

type Extra = {
  condition?: string;
  effect?: string;
  blinded?: boolean;
  is_blinded?: boolean;
  interventions?: { effect_shown?: number }[];
};
const OWNER = 'seat-owner';
const EXPERT = { seat: 'seat-guest', invite: 'invite-1' };
const TIMING = { first_seen_at: null, active_ms: null };
let product: Product;
beforeAll(async () => {
  product = await openProduct();
});
afterAll(async () => {
  await product.close();
  removeFolder(product.folder);
});

const owner = () => product.as(OWNER);
const asExpert = <M extends 'preview.run' | 'preview.describe' | 'preview.changes'>(
  method: M,
  input: Inputs[M],
): Promise<Outputs[M]> => product.route(method, input, EXPERT) as Promise<never>;

/** An episode that waits for an answer, and the calls of its draft. */
async function asking(over: Parameters<typeof startInput>[0] = {}) {
  const { episodes } = await owner()('episode.start', startInput(over));
  const [episode = ''] = episodes;
  const record = await product.until(episode, ({ consultations }) => consultations[0]?.draft);
  const [asked] = record.consultations;
  const text = product.log.texts.loadText(asked?.draft?.text ?? '');
  const calls = parsePlan(text).calls.map(({ tool, args }) => ({
    tool_name: tool,
    arguments: args as JsonObject,
  }));
  return { episode, text, calls, turn: asked?.turn ?? 0, consultation: asked?.id ?? '', record };
}
type Asking = Awaited<ReturnType<typeof asking>>;

const shown = ({ episode, turn, calls }: Pick<Asking, 'episode' | 'turn' | 'calls'>) => ({
  episode,
  turn,
  call: null,
  calls,
  with_verdict: false,
  automatic: true,
});

async function accept({ episode, consultation, text }: Asking): Promise<EpisodeRecord> {
  const record = product.log.record(episode);
  const draft = record.consultations[0]?.draft?.id ?? null;
  const answer = { episode, consultation, text, draft, seen_seq: record.seq, timing: TIMING };
  await owner()('desk.answer', answer);
  return product.ended(episode);
}

/** What the agent got for the calls it made after a turn. */
const gotAfter = ({ turns }: EpisodeRecord, after: number) =>
  turns.flatMap(({ turn, call }) =>
    turn > after && call?.sent && call.returned !== null
      ? [
          {
            tool_name: call.sent.toolName,
            arguments: call.sent.arguments,
            text: call.returned.text === null ? null : product.log.texts.loadText(call.returned.text),
            error: call.returned.error === null ? null : product.log.texts.loadText(call.returned.error),
          },
        ]
      : [],
  );

const shownRuns = (episode: string) =>
  product.log
    .read(episode)
    .flatMap(({ actor, event }) => (event.kind === 'preview.ran' ? [{ actor, ...event }] : []));

describe('the effect that is shown with a draft', () => {
  it.each([
    ['loomline_workflows', 0],
    ['loomline_workflows', 3],
    ['maplecart_shop', 1],
    ['deskwren_helpdesk', 1],
    ['tallybrook_ledger', 1],
    ['tallybrook_ledger', 4],
  ])('is what the agent gets when it follows the plan: %s %i', async (scenario, task_idx) => {
    const asked = await asking({ scenario, task_idx });
    const before = product.worlds.images(asked.episode)?.current;

    const tried = await owner()('preview.run', shown(asked));
    const after = product.worlds.images(asked.episode)?.current;
    const ended = await accept(asked);

    expect(Buffer.from(after ?? []).equals(Buffer.from(before ?? []))).toBe(true);
    expect(before?.length).toBeGreaterThan(10_000);
    const got = gotAfter(ended, asked.turn);
    expect(tried.drift).toEqual([]);
    expect(tried.results.map(({ tool_name, text, error }) => ({ tool_name, text, error }))).toEqual(
      got.slice(0, tried.results.length).map(({ tool_name, text, error }) => ({ tool_name, text, error })),
    );
    expect(got.slice(0, asked.calls.length).map(({ arguments: args }) => args)).toEqual(
      asked.calls.map(({ arguments: args }) => args),
    );
  });
});

describe('a try that nobody asked for', () => {
  it('is made once for all seats, told once for each, and is no act of a person', async () => {
    const asked = await asking();
    const calls = asked.calls.slice(0, 1);
    const acts = product.log.record(asked.episode).counts.humanActs;

    const first = await owner()('preview.run', shown({ ...asked, calls }));
    const again = await owner()('preview.run', shown({ ...asked, calls }));
    const other = await asExpert('preview.run', shown({ ...asked, calls }));

    expect([again.preview, other.preview]).toEqual([first.preview, first.preview]);
    const runs = shownRuns(asked.episode);
    expect(runs.map(({ actor, shown_to: seat }) => [actor.type, seat])).toEqual([
      ['system', OWNER],
      ['system', EXPERT.seat],
    ]);
    expect(runs[0]).toMatchObject({ calls, privilege: [], results: [{ is_error: false }] });
    expect(product.log.record(asked.episode).counts.humanActs).toBe(acts);
    await accept(asked);
    expect(product.log.record(asked.episode).consultations[0]?.decision).toMatchObject({
      privilege: ['reference'],
    });
  });

  it('looks the records’ names up through tools that only read, as the world’s database has them', async () => {
    const asked = await asking();
    const calls = [
      { tool_name: 'set_workflow_status', arguments: { workflow_id: 101, status: 'paused' } },
      { tool_name: 'subscribe_user', arguments: { workflow_id: 102, user_id: 3 } },
    ];

    const { looked_up: found } = await asExpert('preview.run', shown({ ...asked, calls }));

    const db = new Sqlite(Buffer.from(product.worlds.images(asked.episode)?.current ?? []));
    const nameOf = (id: number) => db.prepare('SELECT name FROM workflows WHERE id = ?').pluck().get(id);
    expect(found.map(({ tool_name: tool }) => tool)).toEqual([
      'get_workflow',
      'get_workflow',
      'search_users',
    ]);
    expect(found[0]?.text).toContain(JSON.stringify(nameOf(101)));
    expect(found[1]?.text).toContain(JSON.stringify(nameOf(102)));
    db.close();
  });

  it('may not be asked for the verdict, by an expert’s seat neither in another way', async () => {
    const asked = await asking();
    const wanted = { ...shown(asked), with_verdict: true };

    await expect(owner()('preview.run', wanted)).rejects.toThrow(/only to who asks/);
    for (const automatic of [true, false])
      await expect(asExpert('preview.run', { ...wanted, automatic })).rejects.toThrow(/without the verdict/);

    expect(shownRuns(asked.episode)).toEqual([]);
  });
});

describe('what a try changed in the world', () => {
  it('is not shown to an expert’s seat in a blinded run, and marks who looks in any other', async () => {
    const [blinded, open] = [await asking({ is_blinded: true }), await asking({ task_idx: 1 })];

    const covered = await asExpert('preview.run', shown(blinded));
    const { preview } = await asExpert('preview.run', shown(open));
    const seen = () =>
      product.log.projections.seen(EXPERT.seat, {
        environment: open.record.started?.environment.name ?? '',
        scenario: 'loomline_workflows',
        task_idx: 1,
      });

    expect(covered).toMatchObject({ preview: null, verdict: null, drift: [] });
    expect(seen()).not.toContain('hidden_state');
    await asExpert('preview.changes', { preview: preview ?? '' });
    expect(seen()).toContain('hidden_state');
  });
});

describe('a run without the effect', () => {
  it('tries nothing while its questions wait, says why, and hands that on to forks', async () => {
    const asked = await asking({ effect: 'not_shown' });
    const { episode } = await owner()('episode.fork', { episode: asked.episode, turn: 0 });
    await product.until(episode, ({ reset }) => reset);

    for (const id of [asked.episode, episode]) {
      expect(product.log.record(id).started?.effect).toBe('not_shown');
      expect(await asExpert('preview.describe', { episode: id })).toEqual({
        mode: 'off',
        why: 'in this run nobody is shown what calls return before they are made',
      });
    }
    for (const automatic of [true, false])
      await expect(asExpert('preview.run', { ...shown(asked), automatic })).rejects.toThrow(
        /in this run nobody/,
      );
    await expect(owner()('preview.run', shown(asked))).rejects.toThrow(/in this run nobody/);
    await accept(asked);
    expect(await asExpert('preview.describe', { episode: asked.episode })).toMatchObject({ mode: 'off' });
    expect(await owner()('preview.describe', { episode: asked.episode })).toMatchObject({
      mode: 'by_itself',
    });
    expect(shownRuns(asked.episode)).toEqual([]);
  });

  it('is told in exports, as the log has it, with being blinded and how often an effect was shown', async () => {
    const kept = await asking({ effect: 'not_shown', is_blinded: true });
    const told = await asking();
    await asExpert('preview.run', shown(told));
    await owner()('preview.run', shown(told));
    await owner()('preview.run', { ...shown(told), automatic: false });
    await accept(kept);
    await accept(told);

    for (const { episode } of [kept, told])
      for (const format of ['atif', 'episode_record'] as const) {
        const { rows } = rowsOf(format, { log: product.log, id: episode });
        const extra = rows[0]?.['extra'] as Extra;
        // The second road: the stored events themselves.
        const events = product.log.read(episode).map(({ event }) => event);
        const started = events.find(({ kind }) => kind === 'episode.started') as Extra;
        const notes = events.filter((one) => one.kind === 'preview.ran' && one.shown_to !== undefined);
        expect(extra.condition).toBe(started.condition);
        expect(extra.effect).toBe(started.effect);
        expect(extra.blinded ?? false).toBe(started.is_blinded ?? false);
        expect(extra.interventions?.[0]?.effect_shown ?? 0).toBe(notes.length);
        expect(notes.length).toBe(episode === told.episode ? 2 : 0);
      }
  });

  it('is told of no other run: the effect is shown unless a start says otherwise', async () => {
    const asked = await asking();

    expect(product.log.record(asked.episode).started).not.toHaveProperty('effect');
    expect(await asExpert('preview.describe', { episode: asked.episode })).toEqual({
      mode: 'by_itself',
      why: null,
    });
  });
});
