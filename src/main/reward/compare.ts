// What a change of the settings does to a set of episodes, in one report. Pure.
import type { Correlation, Dot, LabReport, Section } from '../../shared/contract/rewards.ts';
import { Condition } from '../../shared/events/lifecycle.ts';
import { calibrationOf } from '../../shared/calibration.ts';
import { Pattern, type Breakdown, type Measure } from '../../shared/rewards/breakdown.ts';
import { roundToGrain, sharing, taskKeyOf, type ComparedEpisode } from './comparedEpisodes.ts';
import { countEpisodePairs, groupChanges, inversionsOf, listFlips } from './flips.ts';
import { poolPairs } from './order.ts';
import { deviationOf, meanOf } from '../../shared/statistics/means.ts';
import { clusteredShare } from '../../shared/statistics/clusteredShare.ts';
import { pearson, spearman } from './statistics.ts';
import { suspectsOf } from './suspects.ts';

export function reportOf(episodes: readonly ComparedEpisode[], measure: Measure): LabReport {
  const tasks = sharing(episodes, taskKeyOf);
  const groups = sharing(episodes, ({ group }) => group).filter((list) => list.length > 1);
  return {
    measure,
    episodes: episodes.length,
    completion: completionOf(episodes),
    change: {
      raised: episodes.filter(({ gain }) => gain > 0).length,
      lowered: episodes.filter(({ gain }) => gain < 0).length,
      same: episodes.filter(({ gain }) => gain === 0).length,
    },
    sections: sectionsOf(episodes),
    ...calibrationOfEpisodes(episodes),
    correlations: correlationsOf(episodes),
    overall: countEpisodePairs(episodes),
    tasks: { tasks: tasks.length, counts: poolPairs(tasks.map(countEpisodePairs)) },
    groups: {
      groups: groups.length,
      rollouts: groups.flat().length,
      counts: poolPairs(groups.map(countEpisodePairs)),
      ...groupChanges(groups),
    },
    inversions: inversionsOf(tasks),
    flips: listFlips(tasks),
    suspects: suspectsOf(episodes, tasks),
    dots: dotsOf(episodes),
  };
}

function completionOf(episodes: readonly ComparedEpisode[]): LabReport['completion'] {
  const verified = episodes.filter(({ row }) => row.label !== null).length;
  const complete = episodes.filter(({ isComplete }) => isComplete).length;
  // One whose task nobody knows stands for itself.
  const tasks = Map.groupBy(
    episodes.filter(({ row }) => row.label !== null),
    ({ row }) => taskKeyOf(row) ?? row.episode,
  );
  const counts = [...tasks.values()].map((list) => ({
    successes: list.filter(({ isComplete }) => isComplete).length,
    total: list.length,
  }));
  const interval = clusteredShare(counts) ?? { low: null, high: null };
  return { complete, verified, tasks: counts.length, ...interval };
}

/** Over episodes that were verified and whose agent said how sure it is. */
function calibrationOfEpisodes(episodes: readonly ComparedEpisode[]): Pick<LabReport, 'calibration'> {
  const points = episodes.flatMap(({ row: { label }, stated, isComplete }) =>
    stated === undefined || label === null ? [] : [{ stated, isRight: isComplete }],
  );
  const calibration = calibrationOf(points);
  return calibration === null ? {} : { calibration };
}

/** As people name them: without help first, what is missing last. */
const ORDER: readonly string[] = [...Condition.options, 'not recorded', ...Pattern.options, 'not completed'];

function sectionsOf(episodes: readonly ComparedEpisode[]): Section[] {
  const by = (of: Section['of'], nameOf: (episode: ComparedEpisode) => string): Section[] =>
    [...Map.groupBy(episodes, nameOf)]
      .map(([name, list]) => sectionOf(of, name, list))
      .toSorted((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name));
  return [
    ...by('all', () => 'all'),
    ...by('condition', ({ row }) => row.condition ?? 'not recorded'),
    ...by('pattern', ({ row }) => row.pattern ?? 'not completed'),
  ];
}

function sectionOf(of: Section['of'], name: string, episodes: readonly ComparedEpisode[]): Section {
  const spread = (side: 'before' | 'after'): Section['before'] => {
    const values = episodes.map(({ row }) => row[side]);
    return { mean: meanOf(values), sd: deviationOf(values) };
  };
  const complete = episodes.filter(({ isComplete }) => isComplete).length;
  return { of, name, episodes: episodes.length, complete, before: spread('before'), after: spread('after') };
}

/** Over verified episodes: what nobody judged says nothing of success. */
function correlationsOf(episodes: readonly ComparedEpisode[]): Correlation[] {
  const verified = episodes.filter(({ row }) => row.label !== null);
  const success = verified.map(({ isComplete }) => (isComplete ? 1 : 0));
  const side = (which: 'before' | 'after', valueOf: (score: Breakdown) => number): Correlation['before'] => {
    const values = verified.map((episode) => roundToGrain(valueOf(episode[which])));
    return { point_biserial: pearson(values, success), spearman: spearman(values, success) };
  };
  const row = (of: string, valueOf: (score: Breakdown) => number): Correlation => ({
    of,
    before: side('before', valueOf),
    after: side('after', valueOf),
  });
  const [first] = episodes;
  const components = { ...first?.before.rubric.components, ...first?.after.rubric.components };
  return [
    row('shaped', ({ shaped }) => shaped.total),
    row('rubric', ({ rubric }) => rubric.total),
    ...Object.keys(components).map((of) => row(of, ({ rubric }) => rubric.components[of] ?? 0)),
  ];
}

const DOTS_MAX = 400;
/** Grids that are tried in turn: the finest that leaves few enough places to draw is taken. */
const GRIDS = [0.01, 0.02, 0.05, 0.1, 0.25, 1, 10];

function dotsOf(episodes: readonly ComparedEpisode[]): LabReport['dots'] {
  let dots: LabReport['dots'] = { grid: null, list: dotsOn(episodes, null) };
  for (const grid of GRIDS) {
    if (dots.list.length <= DOTS_MAX) break;
    dots = { grid, list: dotsOn(episodes, grid) };
  }
  return dots;
}

function dotsOn(episodes: readonly ComparedEpisode[], grid: number | null): Dot[] {
  const at = (value: number): number => (grid === null ? value : Math.round(value / grid) * grid);
  const places = Map.groupBy(episodes, ({ row }) => `${String(at(row.before))} ${String(at(row.after))}`);
  return [...places.values()]
    .flatMap((list) => {
      const complete = list.filter(({ isComplete }) => isComplete).length;
      const [first] = list;
      if (first === undefined) return [];
      const { before, after } = first.row;
      return { before: at(before), after: at(after), complete, other: list.length - complete };
    })
    .toSorted((a, b) => a.before - b.before || a.after - b.after);
}
