// The parts of a filter of episodes in words, each to be taken away. Pure.
import { EpisodeFilter, type DraftFate } from '../../../shared/contract/library.ts';
import { personName, type Person } from '../../state/usePeople.ts';
import { environmentLabel, SOURCE_LABELS } from './episodeRowText.ts';

/** The filter with some of it changed; what becomes undefined is left out. */
export function changedFilter(filter: EpisodeFilter, change: EpisodeFilter): EpisodeFilter {
  const next = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined);
  return EpisodeFilter.parse(Object.fromEntries(next));
}

const HAS: readonly [keyof EpisodeFilter, string][] = [
  ['has_advice', 'advice'],
  ['has_step_ins', 'step-ins'],
  ['has_labels', 'labels'],
  ['has_leaks', 'leaked values'],
];

/** Labels of a draft's fates. */
export const DRAFT_LABELS: Readonly<Record<DraftFate, string>> = {
  accepted: 'draft sent unchanged',
  edited: 'draft edited',
  rewritten: 'draft rewritten',
  written: 'advice without a draft',
  declined: 'question declined',
};

/** A group that no trainer named: an id of our own says nothing to anybody. */
export const isOwnGroup = (group: string): boolean => /^[0-9a-z]{16,24}$/.test(group);

const day = (at: number): string => new Date(at).toLocaleDateString();

/** Each part of a filter in words. */
export function filterParts(
  filter: EpisodeFilter,
  people: readonly Person[] = [],
): { key: keyof EpisodeFilter; label: string }[] {
  const part = (
    key: keyof EpisodeFilter,
    label: string | false | undefined,
  ): { key: keyof EpisodeFilter; label: string }[] => (typeof label === 'string' ? [{ key, label }] : []);
  const {
    source,
    environment,
    scenario,
    outcome,
    reward_type,
    reward_min,
    reward_max,
    since,
    until,
    tag,
    run,
    group,
    reviewer,
    draft,
  } = filter;
  return [
    ...part('source', source && SOURCE_LABELS[source]),
    ...part('environment', environment && environmentLabel(environment)),
    ...part('scenario', scenario),
    ...part('outcome', outcome && `ended: ${outcome}`),
    ...part('reward_type', reward_type && `verdict: ${reward_type.replaceAll('_', ' ')}`),
    ...part('reward_min', reward_min !== undefined && `reward ≥ ${String(reward_min)}`),
    ...part('reward_max', reward_max !== undefined && `reward ≤ ${String(reward_max)}`),
    ...HAS.flatMap(([key, label]) =>
      part(key, filter[key] !== undefined && `${filter[key] === true ? 'with' : 'without'} ${label}`),
    ),
    ...part('draft', draft && DRAFT_LABELS[draft]),
    ...part('reviewer', reviewer !== undefined && `reviewed by ${personName(people, reviewer)}`),
    ...part('since', since !== undefined && `from ${day(since)}`),
    ...part('until', until !== undefined && `before ${day(until)}`),
    ...part('tag', tag !== undefined && `tag: ${tag}`),
    ...part('run', run !== undefined && `run: ${run}`),
    ...part(
      'group',
      group !== undefined && (isOwnGroup(group) ? 'one group of rollouts' : `group: ${group}`),
    ),
  ];
}
