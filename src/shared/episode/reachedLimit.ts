// A limit that ended an episode, in words.
import type { ReachedLimit } from '../events/lifecycle.ts';
import { formatMoney } from './spending.ts';

const FROM: Readonly<Record<ReachedLimit['from'], string>> = {
  settings: 'set in Settings',
  start: 'set with the start',
  default: 'the default',
};

/** `50,000 tokens per run, set in Settings`. A command line says by which flag a limit came. */
export function limitText(
  { name, of, value, from }: ReachedLimit,
  { currency = null, flag }: { currency?: string | null | undefined; flag?: string | undefined } = {},
): string {
  const source = from === 'start' && flag !== undefined ? `set by ${flag}` : FROM[from];
  return `${amountText(name, value, currency)} per ${of}, ${source}`;
}

function amountText(name: ReachedLimit['name'], value: number, currency: string | null): string {
  switch (name) {
    case 'turns':
      return value === 1 ? '1 turn' : `${value.toLocaleString('en')} turns`;
    case 'time_ms':
      return `${(value / 60_000).toLocaleString('en', { maximumFractionDigits: 2 })} minutes`;
    case 'tokens':
      return `${value.toLocaleString('en')} tokens`;
    case 'cost':
      return currency === null ? `a cost of ${String(value)}` : formatMoney(value, currency);
  }
}
