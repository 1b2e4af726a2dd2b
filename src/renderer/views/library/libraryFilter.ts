// Owns: what a person narrowed the library to, as it is kept, named and told in words. Pure.
import { z } from 'zod';
import { EpisodeFilter, EpisodeOrder } from '../../../shared/contract/library.ts';
import { Status } from '../../../shared/contract/rows.ts';
import { Condition } from '../../../shared/events/lifecycle.ts';
import { CONDITION_LABELS, type Filter } from '../../parts/episode/rowWords.ts';
import { sourceWords } from './columns.tsx';

export const KeptFilter = z.strictObject({
  query: z.string(),
  status: Status.nullable(),
  condition: Condition.nullable(),
  filter: EpisodeFilter.optional(),
  order: EpisodeOrder.optional(),
});
export const ANY: Filter = { query: '', status: null, condition: null };

/** A view of the library that a person named: what it is narrowed to, how it is ordered, what it shows. */
export const SavedView = z.strictObject({
  name: z.string(),
  filter: KeptFilter,
  columns: z.array(z.string()),
});
export type SavedView = z.infer<typeof SavedView>;

/** Whether everything is shown, in whatever order. */
export const isAny = ({ query, status, condition, filter = {} }: Filter): boolean =>
  query.trim() === '' && status === null && condition === null && Object.keys(filter).length === 0;

/** The filter with some of it changed; what becomes undefined is left out. */
export function narrowed(filter: Filter, change: EpisodeFilter): Filter {
  const next = Object.entries({ ...filter.filter, ...change }).filter(([, value]) => value !== undefined);
  return { ...filter, filter: EpisodeFilter.parse(Object.fromEntries(next)) };
}

export type Part = { key: string; words: string; without: Filter };

const HAS: readonly [keyof EpisodeFilter, string][] = [
  ['has_advice', 'advice'],
  ['has_step_ins', 'step-ins'],
  ['has_labels', 'labels'],
];

/** Each part of a filter in words, and the filter without it. */
export function partsOf(filter: Filter): Part[] {
  const { condition, filter: inner = {} } = filter;
  const part = (key: keyof EpisodeFilter, words: string): Part => ({
    key,
    words,
    without: narrowed(filter, { [key]: undefined }),
  });
  const day = (at: number): string => new Date(at).toLocaleDateString();
  return [
    ...(condition === null
      ? []
      : [{ key: 'condition', words: CONDITION_LABELS[condition], without: { ...filter, condition: null } }]),
    ...(inner.source === undefined ? [] : [part('source', sourceWords(inner.source))]),
    ...(inner.scenario === undefined ? [] : [part('scenario', inner.scenario)]),
    ...(inner.outcome === undefined ? [] : [part('outcome', `ended: ${inner.outcome}`)]),
    ...(inner.reward_type === undefined
      ? []
      : [part('reward_type', `verdict: ${inner.reward_type.replaceAll('_', ' ')}`)]),
    ...(inner.reward_min === undefined ? [] : [part('reward_min', `reward ≥ ${String(inner.reward_min)}`)]),
    ...(inner.reward_max === undefined ? [] : [part('reward_max', `reward ≤ ${String(inner.reward_max)}`)]),
    ...HAS.flatMap(([key, words]) =>
      inner[key] === undefined ? [] : [part(key, `${inner[key] === true ? 'with' : 'without'} ${words}`)],
    ),
    ...(inner.since === undefined ? [] : [part('since', `from ${day(inner.since)}`)]),
    ...(inner.until === undefined ? [] : [part('until', `before ${day(inner.until)}`)]),
    ...(inner.tag === undefined ? [] : [part('tag', `tag: ${inner.tag}`)]),
    ...(inner.run === undefined ? [] : [part('run', `run: ${inner.run}`)]),
  ];
}
