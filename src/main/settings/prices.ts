// Prices of models, as a person entered them: by the name of a model, or of a model profile, which goes first.
import { NamedPrice } from '../../shared/contract/models.ts';
import type { ModelPrice } from '../../shared/events/prices.ts';
import type { AgentSpec } from '../../shared/events/lifecycle.ts';
import type { EventOf } from '../../shared/events/vocabulary.ts';
import type { ModelRole } from '../../shared/modelConfig.ts';
import { rawList, type JsonFile } from './jsonFile.ts';

export type Prices = {
  prices(): NamedPrice[];
  /** A price of this name is replaced. */
  savePrice(price: NamedPrice): void;
  removePrice(name: string): void;
  /** The price of the first of these names that has one. */
  priceOf: (...names: (string | null | undefined)[]) => ModelPrice | undefined;
};

export function priceList(file: JsonFile): Prices {
  const prices = (): NamedPrice[] =>
    rawList(file.read(), 'prices').flatMap((one) => NamedPrice.safeParse(one).data ?? []);
  const save = (kept: readonly NamedPrice[]): void => file.write({ ...file.read(), prices: kept });
  return {
    prices,
    savePrice: (price) => save([...prices().filter(({ name }) => name !== price.name), price]),
    removePrice: (gone) => save(prices().filter(({ name }) => name !== gone)),
    priceOf: (...names) => {
      const all = prices();
      for (const wanted of names) {
        const found = all.find(({ name }) => name === wanted);
        if (found === undefined) continue;
        const { name: _name, ...price } = found;
        return price;
      }
      return undefined;
    },
  };
}

export type EpisodePrices = EventOf<'episode.started'>['prices'];

/** The prices of the models of an episode, as far as they are known; a profile's goes before its model's. */
export function pricesFor(
  { priceOf }: Pick<Prices, 'priceOf'>,
  {
    agent: { policy, profile, model },
    profiles,
    expert,
  }: {
    agent: AgentSpec;
    /** The profiles that were chosen on the command line. */
    profiles: Partial<Record<ModelRole, { profile?: string | undefined } | undefined>>;
    expert: string | null;
  },
): EpisodePrices {
  const ofAgent = policy === 'chat' ? priceOf(profile ?? profiles.agent?.profile, model) : undefined;
  const ofExpert = priceOf(profiles.expert?.profile, expert);
  if (ofAgent === undefined && ofExpert === undefined) return undefined;
  return {
    ...(ofAgent === undefined ? {} : { agent: ofAgent }),
    ...(ofExpert === undefined ? {} : { expert: ofExpert }),
  };
}
