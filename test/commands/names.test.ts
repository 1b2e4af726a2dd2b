// What tasks are called in tables that know only where a task is from.
import { expect, it } from 'vitest';
import { reset, started, SYSTEM } from '../support/log.ts';
import { type Product } from '../support/product.ts';
import { productPerTest } from '../support/productPerTest.ts';

let product: Product;
productPerTest((opened) => (product = opened));

const AT = { scenario: 'shop', task_idx: 3 };

function play(id: string, task: string, name: string): void {
  const environment = { id: name, name, url: 'http://127.0.0.1:9', builtin: false };
  product.log.append(id, SYSTEM, started({ environment, ...AT }));
  product.log.append(id, SYSTEM, reset({ ...AT, task }));
}

const names = async (asked: { episodes?: string[]; tasks?: (typeof AT)[] }) =>
  product.as('seat-one')('library.names', { episodes: [], tasks: [], ...asked });

it('calls episodes and tasks by the words of their task, in the order asked for', async () => {
  play('one', 'Order two lamps.', 'shop');
  play('two', 'Order two lamps.', 'shop');

  expect(await names({ episodes: ['gone', 'two'], tasks: [AT, { ...AT, task_idx: 4 }] })).toEqual({
    episodes: [null, 'Order two lamps.'],
    tasks: ['Order two lamps.', null],
  });
});

it('gives no words to an address under which two environments play other tasks', async () => {
  play('one', 'Order two lamps.', 'shop');
  play('two', 'Cancel an order.', 'another shop');

  expect((await names({ tasks: [AT] })).tasks).toEqual([null]);
});
