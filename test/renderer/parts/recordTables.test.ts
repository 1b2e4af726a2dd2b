import { describe, expect, it } from 'vitest';
import { recordTables, ROWS_MAX } from '../../../src/renderer/parts/text/DataText.tsx';

const text = (value: string) => ({ text: value, isNumber: false });
const number = (value: number) => ({ text: String(value), isNumber: true });

describe('a result', () => {
  it('is a table where it is a list of records, every field a column, what a record lacks a dash', () => {
    expect(
      recordTables([
        { id: 1, display_name: 'Rolls' },
        { id: 2, note: null },
      ]),
    ).toEqual([
      {
        type: 'table',
        label: null,
        columns: ['id', 'display name', 'note'],
        rows: [
          [number(1), text('Rolls'), text('–')],
          [number(2), text('–'), text('–')],
        ],
        more: 0,
      },
    ]);
  });

  it('keeps every field, those that tell the records apart before those that are alike', () => {
    const wide = (id: number, day: string) => ({
      id,
      ...Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`same_${String(at)}`, 'x'])),
      opened_at: day,
    });
    const [table] = recordTables([wide(1, '15 June'), wide(2, '16 June')]) ?? [];
    expect(table).toMatchObject({ columns: { length: 16 } });
    expect(table?.type === 'table' ? table.columns.slice(0, 2) : []).toEqual(['id', 'opened at']);
  });

  it('is its values by their names where it is one record, with the lists in it as tables', () => {
    expect(
      recordTables({ total: 1, orders: [{ id: 7 }], tags: ['a', 'b'], page: { next: null } }),
    ).toMatchObject([
      {
        type: 'facts',
        label: null,
        facts: [
          { label: 'total', cell: number(1) },
          { label: 'tags', cell: text('a, b') },
        ],
      },
      { type: 'table', label: 'orders', columns: ['id'] },
      { type: 'facts', label: 'page', facts: [{ label: 'next', cell: text('–') }] },
    ]);
  });

  it('counts the rows it leaves to the tree, and leaves what has no records to it altogether', () => {
    const rows = Array.from({ length: ROWS_MAX + 3 }, (_, id) => ({ id }));
    expect(recordTables(rows)).toMatchObject([{ more: 3, rows: { length: ROWS_MAX } }]);
    for (const value of [[], {}, [1, 2], [{ id: 1 }, 2], null]) expect(recordTables(value)).toBeNull();
  });
});
