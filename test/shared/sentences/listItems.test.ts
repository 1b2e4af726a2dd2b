import { describe, expect, it } from 'vitest';
import { collectNames, nameOf } from '../../../src/shared/sentences/names.ts';
import { listedArguments } from '../../../src/shared/sentences/sentence.ts';

const NO_NAME = nameOf(new Map());

describe('an argument that is a list of records', () => {
  it('is told line by line with names and ids, so that debit and credit the wrong way round can be seen', () => {
    const names = nameOf(
      collectNames([
        {
          tool: 'list_accounts',
          text: '{"accounts":[{"account_id":6110,"name":"Electricity"},{"account_id":2100,"name":"Accrued expenses"}]}',
        },
      ]),
    );
    const lines = [
      { account_id: 2100, debit_cents: 184000 },
      { account_id: 6110, cost_centre_id: 1, credit_cents: 184000 },
    ];

    expect(listedArguments({ memo: 'Accrual', lines }, names, 'book_entry')).toEqual([
      {
        argument: 'lines',
        lines: [
          'account Accrued expenses (2100), debit 1840.00',
          'account Electricity (6110), cost centre 1, credit 1840.00',
        ],
      },
    ]);
  });

  it('is left to its sentence where the list holds plain values or nothing', () => {
    expect(listedArguments({ bill_ids: [545, 546], tags: [] }, NO_NAME, 'pay_bills')).toEqual([]);
  });
});

it('two records that read the same are told apart by their id, so that the wrong one of two tickets can be seen', () => {
  const names = nameOf(
    collectNames([
      {
        tool: 'find_tickets',
        text: '{"tickets":[{"ticket_id":1030,"subject":"Pages print without the logo"},{"ticket_id":1031,"subject":"Pages print without the logo"},{"ticket_id":1040,"subject":"Cannot sign in"}]}',
      },
    ]),
  );

  expect(names('ticket_id', 1030)).toMatchObject({ name: 'Pages print without the logo', detail: '1030' });
  expect(names('ticket_id', 1031)).toMatchObject({ detail: '1031' });
  expect(names('ticket_id', 1040)).toMatchObject({ name: 'Cannot sign in', detail: null });
});
