// What a change of the settings does to a set of episodes, in one report. Pure.
import type { Correlation, LabReport, Section } from '../../shared/contract/rewards.ts';
import { Condition } from '../../shared/events/lifecycle.ts';
import { Pattern, type Measure } from '../../shared/rewards/breakdown.ts';
import type { ScoreColumns, ScoredEntry } from './columns.ts';
import { isEntryComplete, sharing, taskKeyOf, type RewardComparison } from './rewardComparison.ts';
import { dotsOf } from './dots.ts';
import { groupChanges, inversionsOf, listFlips, pooled } from './flips.ts';
import { countsOf, countPairs } from './order.ts';
import { deviationOf, meanOf, pointBiserial, spearman, wilson } from './statistics.ts';
import { suspectsOf } from './suspects.ts';

export function reportOf(
  entries: readonly ScoredEntry[],
  columns: { before: ScoreColumns; after: ScoreColumns },
  measure: Measure,
): LabReport {
  const [before, after] = [columns.before[measure], columns.after[measure]];
  const compared: RewardComparison = { entries, before, after, patterns: columns.after.patterns };
  const tasks = sharing(entries, taskKeyOf);
  const groups = sharing(entries, ({ group }) => group).filter((places) => places.length > 1);
  return {
    measure,
    episodes: entries.length,
    completion: completionOf(entries),
    change: changeOf(before, after),
    sections: sectionsOf(compared),
    correlations: correlationsOf(entries, columns),
    overall: countsOf(countPairs(before, after)),
    tasks: { tasks: tasks.length, counts: countsOf(pooled(compared, tasks)) },
    groups: {
      groups: groups.length,
      rollouts: groups.reduce((sum, places) => sum + places.length, 0),
      counts: countsOf(pooled(compared, groups)),
      ...groupChanges(compared, groups),
    },
    inversions: inversionsOf(compared, tasks),
    flips: listFlips(compared, tasks),
    suspects: suspectsOf(compared, tasks),
    dots: dotsOf(compared),
  };
}

function completionOf(entries: readonly ScoredEntry[]): LabReport['completion'] {
  const verified = entries.filter(({ known }) => known.facts.label !== null).length;
  const complete = entries.filter(isEntryComplete).length;
  const interval = wilson(complete, verified);
  return { complete, verified, low: interval?.low ?? null, high: interval?.high ?? null };
}

function changeOf(before: Float64Array, after: Float64Array): LabReport['change'] {
  const change = { raised: 0, lowered: 0, same: 0 };
  for (const [index, value] of after.entries()) {
    const was = before[index] ?? 0;
    change[value > was ? 'raised' : value < was ? 'lowered' : 'same'] += 1;
  }
  return change;
}

/** As people name them: without help first, what is missing last. */
const ORDER: readonly string[] = [...Condition.options, 'not recorded', ...Pattern.options, 'not completed'];

function sectionsOf(compared: RewardComparison): Section[] {
  const { entries, patterns } = compared;
  const all = entries.map((_, index) => index);
  const by = (of: Section['of'], nameOf: (index: number) => string): Section[] =>
    [...Map.groupBy(all, nameOf)]
      .map(([name, places]) => sectionOf(compared, of, name, places))
      .toSorted((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name));
  return [
    ...(entries.length === 0 ? [] : [sectionOf(compared, 'all', 'all', all)]),
    ...by('condition', (index) => entries[index]?.condition ?? 'not recorded'),
    ...by('pattern', (index) => patterns[index] ?? 'not completed'),
  ];
}

function sectionOf(
  { entries, before, after }: RewardComparison,
  of: Section['of'],
  name: string,
  places: readonly number[],
): Section {
  const spread = (column: Float64Array): Section['before'] => {
    const values = Float64Array.from(places, (index) => column[index] ?? 0);
    return { mean: meanOf(values), sd: deviationOf(values) };
  };
  return {
    of,
    name,
    episodes: places.length,
    complete: places.filter((index) => entries[index] !== undefined && isEntryComplete(entries[index]))
      .length,
    before: spread(before),
    after: spread(after),
  };
}

/** Over verified episodes: what nobody judged says nothing of success. */
function correlationsOf(
  entries: readonly ScoredEntry[],
  { before, after }: { before: ScoreColumns; after: ScoreColumns },
): Correlation[] {
  const verified = entries.flatMap(({ known }, index) => (known.facts.label === null ? [] : [index]));
  const success = Float64Array.from(verified, (index) =>
    entries[index] !== undefined && isEntryComplete(entries[index]) ? 1 : 0,
  );
  const both = (column: Float64Array | undefined): Correlation['before'] => {
    if (column === undefined) return { point_biserial: null, spearman: null };
    const values = Float64Array.from(verified, (index) => column[index] ?? 0);
    return { point_biserial: pointBiserial(values, success), spearman: spearman(values, success) };
  };
  const components = [...new Set([...before.components.keys(), ...after.components.keys()])];
  return [
    { of: 'shaped', before: both(before.shaped), after: both(after.shaped) },
    { of: 'rubric', before: both(before.rubric), after: both(after.rubric) },
    ...components.map((of) => ({
      of,
      before: both(before.components.get(of)),
      after: both(after.components.get(of)),
    })),
  ];
}
