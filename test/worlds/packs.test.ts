// What every world of tools keeps, over a real socket: each task can be done, cannot be done by less, more or something
// near it, and nothing of its answer is on the wire.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Briefing } from '../../src/shared/pack.ts';
import { checkPack } from '../../src/main/worlds/check.ts';
import { readPack } from '../../src/main/worlds/pack.ts';
import { openWorldSession } from '../../src/main/worlds/session.ts';
import { packsFolder, type Served, serveWorlds } from '../support/worlds.ts';

const NAMES = readdirSync(packsFolder).filter((name) => statSync(join(packsFolder, name)).isDirectory());

/** A change that no task asks for. */
const STRAY: Record<string, readonly [string, Record<string, unknown>]> = {
  maplecart_shop: ['set_price', { product_id: 336, price_cents: 1 }],
  deskwren_helpdesk: ['set_sla_plan', { organisation_id: 120, sla_plan_id: 4 }],
  tallybrook_ledger: ['set_budget', { account_id: 6500, month: '2026-01', amount_cents: 1 }],
};

let served: Served;
beforeAll(async () => {
  served = await serveWorlds();
});
afterAll(() => served.close());

const briefing = (pack: string, task_idx: number): Briefing =>
  Briefing.parse(served.worlds.briefing(pack, task_idx));

const play = async (pack: string, task_idx: number, calls: readonly { tool: string; args: object }[]) => {
  const client = await served.talk();
  await client.reset({ scenario: pack, task_idx });
  for (const { tool, args } of calls) await client.call(tool, { ...args });
  return client;
};

describe.each(NAMES)('the world %s', (pack) => {
  it('has ten tasks of three levels, some of them ambiguous, with enough rows to look through', async () => {
    const tasks = served.worlds.tasks(pack);
    const { checks } = await checkPack(join(packsFolder, pack));

    expect(tasks).toHaveLength(10);
    expect(new Set(tasks.map(({ difficulty }) => difficulty))).toEqual(new Set(['easy', 'medium', 'hard']));
    expect(tasks.filter(({ is_ambiguous: isAmbiguous }) => isAmbiguous).length).toBeGreaterThanOrEqual(3);
    expect(checks.filter(({ status }) => status !== 'pass')).toEqual([]);
  });

  it('starts from the same rows at every reset, whatever an episode before did', async () => {
    const first = openWorldSession(readPack(join(packsFolder, pack)));
    for (const { tool, args } of briefing(pack, 0).reference) first.call(tool, args);
    const second = openWorldSession(first.pack);
    const other = openWorldSession(readPack(join(packsFolder, pack)));

    expect(Buffer.compare(second.images().current, second.images().initial)).toBe(0);
    expect(Buffer.compare(second.images().initial, other.images().initial)).toBe(0);
    expect(Buffer.compare(first.images().current, first.images().initial)).not.toBe(0);
    for (const each of [first, second, other]) each.close();
  });

  it('shows a client neither criteria nor reference, in listings or at reset', async () => {
    const client = await served.talk();
    const shown = [JSON.stringify(await client.call('__list_scenarios__'))];
    for (let task_idx = 0; task_idx < 10; task_idx += 1)
      shown.push(JSON.stringify(await client.reset({ scenario: pack, task_idx })));
    const wire = shown.join('\n');

    for (let task_idx = 0; task_idx < 10; task_idx += 1) {
      const { criteria, reference } = briefing(pack, task_idx);
      expect(wire).not.toContain(JSON.stringify(criteria).slice(1, -1));
      expect(wire).not.toContain(JSON.stringify(reference.at(-1)?.args));
    }
  });

  it('answers a wrong type and a missing argument with a list of what is wrong, as FastAPI does', async () => {
    const client = await served.talk();
    await client.reset({ scenario: pack, task_idx: 0 });
    const { tool, args } = briefing(pack, 0).reference.at(-1) ?? { tool: '', args: {} };

    const wrong = Object.fromEntries(Object.keys(args).map((name) => [name, {}]));
    for (const given of [{}, wrong]) {
      const { data } = await client.call(tool, given);
      const error = String(data.observation['error']);
      const [, body = ''] = /Status code: 422\. Response: (.*)$/.exec(error) ?? [];
      expect(JSON.parse(body)).toEqual({
        detail: expect.arrayContaining([
          {
            type: expect.any(String),
            loc: ['body', expect.any(String)],
            msg: expect.any(String),
            input: expect.anything(),
          },
        ]),
      });
    }
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'completes task %i by its reference plan, and neither by nothing nor by a stray change more',
    async (task_idx) => {
      const { reference, rehearsal } = briefing(pack, task_idx);
      const idle = await play(pack, task_idx, []);
      const done = await play(pack, task_idx, reference);
      const verdicts = [await idle.verify(rehearsal.final), await done.verify(rehearsal.final)];
      const [tool, args] = STRAY[pack] ?? ['update_workflow', { workflow_id: 121, max_retries: 9 }];
      const stray = await done.call(tool, args);

      expect(stray.data.observation['reward_type']).toBe('tool_call_ok');
      expect([...verdicts, await done.verify(rehearsal.final)]).toEqual(['others', 'complete', 'others']);
    },
  );
});

describe('a tool that falters', () => {
  const refund = { payment_id: 6014, amount_cents: 3450, reason: 'damaged', request_key: 'a-key' };
  const outcomes = (seed: number): string => {
    const world = openWorldSession(readPack(join(packsFolder, 'maplecart_shop')), seed);
    const said = [0, 1, 2, 3, 4, 5].flatMap((key) =>
      [0, 1].map(() =>
        world.call('issue_refund', { ...refund, amount_cents: 100, request_key: `key-${String(key)}` }).ok
          ? 'y'
          : 'n',
      ),
    );
    world.close();
    return said.join('');
  };

  it('fails the first try, changes nothing then, and does it once however often it is repeated', async () => {
    const client = await play('maplecart_shop', 2, []);
    const tries = [];
    for (let at = 0; at < 3; at += 1)
      tries.push((await client.call('issue_refund', refund)).data.observation);

    expect(tries.map((one) => one['reward_type'])).toEqual(['timeout', 'tool_call_ok', 'tool_call_ok']);
    expect(String(tries[0]?.['error'])).toContain('Status code: 503');
    expect(tries[2]).toEqual(tries[1]);
    expect(await client.verify(briefing('maplecart_shop', 2).rehearsal.final)).toBe('complete');
  });

  it('fails at the same tries for the same seed, at every first try without one, at others for others', () => {
    const seeds = [1, 2, 3, 4, 5, 6].map(outcomes);

    expect(outcomes(0)).toBe('nynynynynyny');
    expect(seeds).toEqual([1, 2, 3, 4, 5, 6].map(outcomes));
    expect(new Set(seeds).size).toBeGreaterThan(1);
    expect(seeds.join('')).not.toContain('nn');
  });
});

describe('a tool that breaks off halfway', () => {
  const batch = { bill_ids: [545, 546, 547, 548], bank_account_id: 1, paid_on: '2026-04-02' };
  const paid = async (client: Awaited<ReturnType<typeof play>>): Promise<number> => {
    const { data } = await client.call('list_bills', { vendor_id: 201, due_to: '2026-03-31' });
    const { bills } = JSON.parse(String(data.observation['tool_result'])) as {
      bills: { bill_id: number; status: string }[];
    };
    return bills.filter(({ bill_id: id, status }) => batch.bill_ids.includes(id) && status === 'paid').length;
  };

  it('keeps the half it did and says so, and does only the rest when it is repeated', async () => {
    const client = await play('tallybrook_ledger', 3, []);

    const first = (await client.call('pay_bills', batch)).data.observation;
    const half = await paid(client);
    const between = await client.verify('');
    const second = (await client.call('pay_bills', batch)).data.observation;

    expect(String(first['error'])).toContain('the first half of the batch is paid, the rest is not');
    expect([half, between]).toEqual([2, 'others']);
    expect([second['reward_type'], await paid(client)]).toEqual(['tool_call_ok', 4]);
    expect(await client.verify('')).toBe('complete');
  });
});

describe('the world of long results', () => {
  it('answers with tens of kilobytes a page, and all pages together are the whole journal', async () => {
    const client = await play('tallybrook_ledger', 5, []);
    const pages: { total_lines: number; lines: { line_id: number }[] }[] = [];
    for (let page = 1; page <= 3; page += 1) {
      const { data } = await client.call('journal', { page });
      const text = String(data.observation['tool_result']);
      if (page < 3) expect(text.length).toBeGreaterThan(30_000);
      pages.push(JSON.parse(text) as (typeof pages)[number]);
    }

    const lines = pages.flatMap((page) => page.lines.map((line) => line.line_id));
    expect(lines).toHaveLength(pages[0]?.total_lines ?? 0);
    expect(new Set(lines).size).toBe(lines.length);
  });
});

describe('the world of relative dates', () => {
  it('tells its own moment and day, which never change', async () => {
    const client = await play('deskwren_helpdesk', 0, []);
    const told = [];
    for (let at = 0; at < 2; at += 1)
      told.push((await client.call('what_time_is_it')).data.observation['tool_result']);

    expect(told[0]).toBe(told[1]);
    expect(JSON.parse(String(told[0]))).toEqual({ now: '2026-06-17T10:00:00Z', day: 'Wednesday' });
    expect(new Date('2026-06-17T10:00:00Z').getUTCDay()).toBe(3);
  });
});
