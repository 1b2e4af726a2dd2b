import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { readPacks, type Pack } from '../../../src/main/worlds/pack.ts';
import type { PackTool } from '../../../src/main/worlds/packFiles.ts';
import { createRunTool } from '../../../src/main/worlds/runTool.ts';
import { collectNames, joinNames, nameOf, type ToolResult } from '../../../src/shared/sentences/names.ts';
import { singularWords } from '../../../src/shared/sentences/words.ts';
import { packsFolder } from '../../support/worlds.ts';

const named = (tool: string, value: unknown) => nameOf(collectNames([{ tool, text: JSON.stringify(value) }]));

describe('a name of a record', () => {
  it('is never that of a record of another kind with the same id', () => {
    const name = named('get_workflow', {
      workflow: { id: 7, name: 'Nightly' },
      steps: [{ id: 7, name: 'Mail it' }],
    });

    expect(name('workflow_id', 7)?.name).toBe('Nightly');
    expect(name('step_id', 7)?.name).toBe('Mail it');
    expect(name('connection_id', 7)).toBeNull();
    expect(name('new_workflow_id', 7)?.name).toBe('Nightly');
    expect(name('bank_account_id', 7)).toBeNull();
  });

  it('of a bare id is of the kind the tool is about, and of no kind where the tool does not say', () => {
    expect(named('list_users', [{ id: 3, full_name: 'Ana Bo', email: 'a@b' }])('user_id', 3)).toEqual({
      name: 'Ana Bo',
      detail: 'a@b',
    });
    expect(named('list_users', { data: [{ id: 3, full_name: 'Ana Bo' }] })('id', 3)).toBeNull();
    expect(
      nameOf(collectNames([{ tool: 'get_user', text: '{"id":3,"full_name":"Ana Bo"}' }]))('id', 3, {
        tool: 'delete_user',
      })?.name,
    ).toBe('Ana Bo');
    expect(named('get_user_status', { id: 3, name: 'Ana Bo' })('user_id', 3)).toBeNull();
    expect(
      named('get_order', { order: { id: 1 }, items: [{ id: 3, name: 'Lamp' }] })('order_id', 3),
    ).toBeNull();
  });

  it('is none where a row joins two records', () => {
    expect(
      named('list_returns', { returns: [{ return_id: 9, order_id: 4, product_id: 5, name: 'Lamp' }] })(
        'return_id',
        9,
      ),
    ).toBeNull();
    expect(
      named('list_absences', { absences: [{ absence_id: 9, agent_id: 4, full_name: 'Ana Bo' }] })(
        'absence_id',
        9,
      ),
    ).toBeNull();
    expect(named('set_plan', { organisation_id: 1, name: 'Birch', plan_id: 2 })('plan_id', 2)).toBeNull();
    const joined: ToolResult[] = [
      { tool: 'list_products', text: '{"products":[{"product_id":5,"name":"Lamp"}]}' },
      { tool: 'list_offers', text: '{"offers":[{"offer_id":5,"product_id":5,"name":"Lamp"}]}' },
    ];
    expect(nameOf(collectNames(joined))('offer_id', 5)).toBeNull();
    expect(nameOf(collectNames(joined))('product_id', 5)?.name).toBe('Lamp');
  });

  it('is none where one result gives two, and the newest where a record was renamed', () => {
    expect(
      named('list_tags', {
        tags: [
          { tag_id: 1, name: 'a' },
          { tag_id: 1, name: 'b' },
        ],
      })('tag_id', 1),
    ).toBeNull();
    const renamed = collectNames([
      { tool: 'get_tag', text: '{"tag":{"tag_id":1,"name":"a"}}' },
      { tool: 'rename_tag', text: '{"tag":{"tag_id":1,"name":"b"}}' },
    ]);
    expect(nameOf(renamed)('tag_id', 1)?.name).toBe('b');
  });

  it('from another source never replaces one that is known', () => {
    const seen = collectNames([{ tool: 'list_tags', text: '[{"id":1,"name":"a"}]' }]);
    const read = collectNames([{ tool: 'list_tags', text: '[{"id":1,"name":"x"},{"id":2,"name":"b"}]' }]);
    const name = nameOf(joinNames(seen, read));
    expect([name('tag_id', 1)?.name, name('tag_id', 2)?.name]).toEqual(['a', 'b']);
  });

  it('of an argument with a name of its own is found by what the schema says of it', () => {
    const name = named('list_tickets', [{ ticket_id: 5, subject: 'Printer' }]);
    expect(name('duplicate_id', 5, { description: 'The ticket that ends' })?.name).toBe('Printer');
    expect(name('duplicate_id', 5, { description: 'Of the tickets one' })).toBeNull();
  });
});

type Database = Sqlite.Database;

/** Where a member `KIND_id` points: the table its foreign keys name, else the table of that kind. */
function tableOf(db: Database, kind: string): string | null {
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
  const column = `${kind.replaceAll(' ', '_')}_id`;
  const keys = tables.flatMap(
    (table) => db.pragma(`foreign_key_list(${table})`) as { from: string; table: string }[],
  );
  const own = tables.find((table) => singularWords(table.split('_')).join(' ') === kind);
  return own ?? keys.find(({ from }) => from === column)?.table ?? null;
}

/** What all reading tools show, each asked for every record that was seen before, and what each task's plan answers. */
function playedResults(pack: Pack, db: Database): ToolResult[] {
  const run = createRunTool(db);
  const results: ToolResult[] = [];
  const call = (tool: PackTool, args: Record<string, unknown>): void => {
    const outcome = run(tool, args, '2026-06-01T09:00:00Z');
    if (outcome.ok) results.push({ tool: tool.name, text: outcome.text });
  };
  const readers = [...pack.tools.values()].filter((tool) => !tool.run.some((step) => 'do' in step));
  for (const tool of readers)
    if (tool.input_schema.required.length === 0)
      call(tool, 'limit' in tool.input_schema.properties ? { limit: 100 } : {});
  for (const tool of readers) {
    const [id] = tool.input_schema.required;
    const seen = new RegExp(`"${id ?? ' '}": ?(\\d+)`, 'g');
    const ids = new Set(
      results.flatMap(({ text }) => [...text.matchAll(seen)].map(([, number]) => Number(number))),
    );
    for (const value of [...ids].slice(0, 40)) call(tool, { [id ?? '']: value });
  }
  for (const { reference } of pack.tasks)
    for (const { tool, args } of reference) {
      const known = pack.tools.get(tool);
      if (known !== undefined) call(known, args);
    }
  return results;
}

describe.each([...readPacks(packsFolder).packs])('names of records of %s', (_name, pack) => {
  it('are the names in its database, for every record that its tools ever show', () => {
    const db = new Sqlite(pack.image());
    const names = collectNames(playedResults(pack, db));
    const wrong: string[] = [];
    let count = 0;
    for (const [key, name] of names) {
      if (name === null) continue;
      const [, kind = '', id = ''] = /^(.*) (\S+)$/.exec(key) ?? [];
      const table = tableOf(db, kind);
      const row =
        table === null ? undefined : db.prepare(`SELECT * FROM ${table} WHERE id = ?`).get(Number(id));
      count += 1;
      if (!Object.values((row ?? {}) as Record<string, unknown>).includes(name.name))
        wrong.push(`${key}: ${name.name}`);
    }
    db.close();

    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(15);
  });
});
