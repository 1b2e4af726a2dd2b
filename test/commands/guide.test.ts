import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seatActor } from '../../src/shared/events/actor.ts';
import { openProduct, removeFolder, type Product } from '../support/product.ts';

describe('the guided first question of a seat', () => {
  let product: Product;
  beforeEach(async () => {
    product = await openProduct();
  });
  afterEach(async () => {
    await product.close();
    removeFolder(product.folder);
  });
  const invited = async () => {
    const { invite } = await product.as('seat-one')('invites.create', { label: 'Ada' });
    const caller = { seat: invite.seat, invite: invite.id };
    return {
      seat: invite.seat,
      isRequired: async () => {
        const app = (await product.route('app.describe', {}, caller)) as { is_guide_required?: true };
        return app.is_guide_required ?? false;
      },
      end: (outcome: string) => product.route('seat.change', { guide: outcome }, caller),
    };
  };

  it.each(['done', 'skipped'])('is due once for an invited seat: %s, and recorded so', async (outcome) => {
    const { seat, isRequired, end } = await invited();
    expect(await isRequired()).toBe(true);

    await end(outcome);

    expect(await isRequired()).toBe(false);
    const events = product.log.read(`seat/${seat}`).map(({ actor, event }) => ({ actor, event }));
    expect(events).toContainEqual({
      actor: seatActor(seat),
      event: { kind: 'guide.ended', seat, outcome },
    });
    expect(await (await invited()).isRequired()).toBe(true);
  });

  it('is not due for the owner', async () => {
    expect(await product.as('seat-one')('app.describe', {})).not.toHaveProperty('is_guide_required');
  });
});
