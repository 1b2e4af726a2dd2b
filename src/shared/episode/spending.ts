// Sums what an episode spent on models: tokens, and money where the prices were known when it began. What is not known
// is said, and never counted as nothing. Pure.
import { z } from 'zod';
import type { EventOf } from '../events/vocabulary.ts';
import type { ModelPrice, Usage } from '../events/prices.ts';
import type { EpisodeRecord } from './record.ts';

type Prices = NonNullable<EventOf<'episode.started'>['prices']>;

export const Spending = z.strictObject({
  input_tokens: z.number(),
  output_tokens: z.number(),
  /** In `currency`; null where a price that is needed is not known. */
  cost: z.number().nullable(),
  currency: z.string().nullable(),
  /** Requests to a model of which the server did not say what they took: the sums are at least these. */
  unknown: z.number().int(),
});
export type Spending = z.infer<typeof Spending>;

const PER_PRICE = 1_000_000;

export function costOf(usage: Usage | null, price: ModelPrice | undefined): number | null {
  const { input_tokens: input = null, output_tokens: output = null } = usage ?? {};
  if (usage === null || price === undefined || input === null || output === null) return null;
  const cached = price.cached === null ? 0 : Math.min(input, usage.cached_tokens ?? 0);
  const thought = price.reasoning === null ? 0 : Math.min(output, usage.reasoning_tokens ?? 0);
  const sum =
    (input - cached) * price.input +
    cached * (price.cached ?? price.input) +
    (output - thought) * price.output +
    thought * (price.reasoning ?? price.output);
  return sum / PER_PRICE;
}

/** The replies that models were asked for in this episode: its own turns and its drafts, nothing that was copied. */
function requestsOf({ turns, consultations, copiedN }: EpisodeRecord, prices: Prices | undefined) {
  const own = turns.filter(
    ({ actor, replyOf, isCopied, hasText }) =>
      actor.type !== 'human' && replyOf === undefined && !isCopied && hasText,
  );
  const drafts = consultations
    .filter(({ askedN }) => askedN > copiedN)
    .flatMap((one) => one.drafts.filter(({ generator }) => generator === 'model'));
  return [
    ...own.map(({ usage }) => ({ usage, price: prices?.agent })),
    // What models of the expert roster cost is not known.
    ...drafts.map((one) => ({
      usage: one.usage ?? null,
      price: one.expert === undefined ? prices?.expert : undefined,
    })),
  ];
}

/** Null where no model was asked: a rehearsal, a person, a client's own agent. */
export function spendingOf(record: EpisodeRecord): Spending | null {
  const { started } = record;
  if (started === null || started.source !== 'run') return null;
  const isChat = started.agent.policy === 'chat';
  const requests = requestsOf(record, started.prices).filter(({ usage }) => isChat || usage !== null);
  if (requests.length === 0) return null;
  const sum = (field: 'input_tokens' | 'output_tokens'): number =>
    requests.reduce((all, { usage }) => all + (usage?.[field] ?? 0), 0);
  const known = requests.filter(
    ({ usage }) => typeof usage?.input_tokens === 'number' && typeof usage.output_tokens === 'number',
  );
  const currencies = new Set(known.map(({ price }) => price?.currency ?? null));
  const [currency = null] = currencies;
  // Money of two currencies is no sum, and a sum without one of its prices is none either.
  const isPriced = currencies.size === 1 && currency !== null;
  return {
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    cost: isPriced ? known.reduce((all, { usage, price }) => all + (costOf(usage, price) ?? 0), 0) : null,
    currency: isPriced ? currency : null,
    unknown: requests.length - known.length,
  };
}

/** Several episodes' spending as one; null for none. Money is a sum only where each has one, in one currency. */
export function sumSpending(all: readonly Spending[]): Spending | null {
  if (all.length === 0) return null;
  const sum = (field: 'input_tokens' | 'output_tokens' | 'unknown'): number =>
    all.reduce((total, one) => total + one[field], 0);
  const [currency = null] = new Set(all.map((one) => one.currency));
  const isPriced = currency !== null && all.every((one) => one.cost !== null && one.currency === currency);
  return {
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    cost: isPriced ? all.reduce((total, { cost }) => total + (cost ?? 0), 0) : null,
    currency: isPriced ? currency : null,
    unknown: sum('unknown'),
  };
}

/** Money as it is read: more digits where it is little. */
export const formatMoney = (cost: number, currency: string): string =>
  `${cost >= 1 ? cost.toFixed(2) : cost.toPrecision(2)} ${currency}`;

export function spendingText({
  input_tokens: input,
  output_tokens: output,
  cost,
  currency,
  unknown,
}: Spending): string {
  const least = unknown === 0 ? '' : 'at least ';
  const tokens = `${least}${(input + output).toLocaleString('en')} tokens`;
  return `${tokens}, ${cost === null || currency === null ? 'price unknown' : `${least}${formatMoney(cost, currency)}`}`;
}
