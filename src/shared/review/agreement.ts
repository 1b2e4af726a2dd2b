// Agreement of reviewers, per dimension and per label, and where they differ. Only finished reviews count. Pure.
import { canonical } from '../canonical.ts';
import type { Dimension, Target, Value } from '../events/annotations.ts';
import { krippendorffAlpha, type Alpha, type Metric } from './alpha.ts';
import { rangeOverlap } from './overlap.ts';
import type { Adjudication, Annotation, Correction, ItemRecord, QueueRecord } from './record.ts';
import { doneBy } from './seating.ts';
import { targetPlaceKey, targetKey, valueKey } from './target.ts';

type OptionAgreement = {
  option: string;
  alpha: number | null;
  /** How often reviewers chose it, of how many judgements. */
  chosen: number;
  judgements: number;
  /** Mean overlap of the characters two reviewers marked with it, 0 to 1; null where nobody marked any. */
  overlap: number | null;
};
type DimensionAgreement = Alpha & {
  dimension: string;
  metric: Metric;
  /** Share of pairs of judgements that are the same; null without a pair. */
  same: number | null;
  options: OptionAgreement[];
};

/** The reviewers' values for one target on one dimension. */
type Unit = { target: Target; values: { reviewer: string; value: Value }[] };

/** Reviewers' values, target by target. Who finished the item and set no label has said that none holds. */
export function unitsOf(dimension: Dimension, item: ItemRecord): Unit[] {
  const reviewers = doneBy(item);
  const units = new Map<string, Unit>();
  const unitAt = (target: Target): Unit => {
    const key = targetKey(target);
    const unit = units.get(key) ?? { target, values: [] };
    units.set(key, unit);
    return unit;
  };
  const { subject } = item;
  // A whole episode without any label is agreement too.
  if (dimension.type === 'label' && dimension.on.includes('trajectory') && subject.type === 'episode') {
    if (reviewers.length > 0) unitAt({ on: 'trajectory', episode: subject.episode });
  }
  for (const { reviewer, target, value } of annotationsBy(dimension, item, reviewers)) {
    unitAt(target).values.push({ reviewer, value });
  }
  if (dimension.type !== 'label') return [...units.values()];
  return [...units.values()].map(({ target, values }) => ({
    target,
    values: reviewers.map(
      (reviewer) =>
        values.find((one) => one.reviewer === reviewer) ?? {
          reviewer,
          value: { type: 'label', options: [] },
        },
    ),
  }));
}

const annotationsBy = (
  { id, type }: Dimension,
  item: ItemRecord,
  reviewers: readonly string[],
): Annotation[] =>
  item.annotations.filter(
    ({ dimension, reviewer, value }) =>
      dimension === id && value.type === type && reviewers.includes(reviewer),
  );

/** Agreement on one dimension over many items. Free text is not compared. */
export function agreementOn(dimension: Dimension, items: readonly ItemRecord[]): DimensionAgreement | null {
  if (dimension.type === 'free_text') return null;
  const all = items.flatMap((item) => unitsOf(dimension, item));
  // Two people hardly ever mark the very same characters: ranges are compared by their overlap.
  const units = all.filter(({ target }) => target.on !== 'range').map(({ values }) => values);
  const ids = dimension.type === 'scale' ? [] : dimension.options.map(({ id }) => id);
  const options = ids.map((option) => {
    const chosen = units.map((values) => values.map(({ value }) => Number(holds(value, option))));
    const flat = chosen.flat();
    return {
      option,
      alpha: krippendorffAlpha(chosen, 'nominal').alpha,
      chosen: flat.reduce((sum, one) => sum + one, 0),
      judgements: flat.length,
      overlap: dimension.on.includes('range') ? rangeOverlap(items, dimension.id, option, holds) : null,
    };
  });
  const metric = metricOf(dimension);
  const numbers =
    dimension.type === 'label'
      ? ids.flatMap((id) => units.map((values) => values.map(({ value }) => Number(holds(value, id)))))
      : units.map((values) => values.map(({ value }) => valueNumber(value, ids)));
  return {
    dimension: dimension.id,
    metric,
    ...krippendorffAlpha(numbers, metric),
    units: units.filter((values) => values.length >= 2).length,
    same: sameShare(units.map((values) => values.map(({ value }) => valueKey(value)))),
    options,
  };
}

const holds = (value: Value, option: string): boolean =>
  (value.type === 'label' && value.options.includes(option)) ||
  (value.type === 'category' && value.option === option);

function metricOf(dimension: Dimension): Metric {
  if (dimension.type === 'scale') return 'interval';
  return dimension.type === 'category' && dimension.is_ordered ? 'ordinal' : 'nominal';
}

const valueNumber = (value: Value, ids: readonly string[]): number => {
  if (value.type === 'scale') return value.number;
  return value.type === 'category' ? ids.indexOf(value.option) : 0;
};

function sameShare(units: readonly (readonly string[])[]): number | null {
  let pairs = 0;
  let same = 0;
  for (const values of units) {
    for (const [i, a] of values.entries()) {
      for (const b of values.slice(i + 1)) {
        pairs += 1;
        if (a === b) same += 1;
      }
    }
  }
  return pairs === 0 ? null : same / pairs;
}

/** Agreement on which of two is better. */
function preferenceAgreement(items: readonly ItemRecord[]): DimensionAgreement | null {
  const choices = ['left', 'tie', 'right'] as const;
  const units = items
    .filter(({ subject }) => subject.type === 'pair')
    .map((item) => item.preferences.filter(({ reviewer }) => doneBy(item).includes(reviewer)))
    .map((preferences) => preferences.map(({ choice }) => choice));
  if (units.length === 0) return null;
  const flat = units.flat();
  return {
    dimension: PREFERENCE,
    metric: 'nominal',
    ...krippendorffAlpha(
      units.map((values) => values.map((choice) => choices.indexOf(choice))),
      'nominal',
    ),
    same: sameShare(units),
    options: choices.map((option) => ({
      option,
      alpha: krippendorffAlpha(
        units.map((values) => values.map((choice) => Number(choice === option))),
        'nominal',
      ).alpha,
      chosen: flat.filter((choice) => choice === option).length,
      judgements: flat.length,
      overlap: null,
    })),
  };
}

/** Agreement of a queue, dimension by dimension; those nobody judged twice are left out. */
export function agreementOf(dimensions: readonly Dimension[], queue: QueueRecord): DimensionAgreement[] {
  const reviewed = queue.items.filter((item) => doneBy(item).length >= 2);
  const found =
    queue.subject === 'pair'
      ? [preferenceAgreement(reviewed)]
      : dimensions.map((dimension) => agreementOn(dimension, reviewed));
  return found.filter(
    (one) => one !== null && (one.units > 0 || one.options.some(({ overlap }) => overlap !== null)),
  ) as DimensionAgreement[];
}

type Conflict = {
  target: Target;
  dimension: string;
  values: { reviewer: string; value: Value }[];
  /** What reviewers said the agent should have done, where that is what they differ on. */
  corrections: Correction[];
  adjudication: Adjudication | null;
  /** False where it is no contradiction: two remarks of two people may both stand. */
  isOpenQuestion: boolean;
};

/** Places where the finished reviews of an item differ. Ranges may, and are compared by overlap. */
export function conflictsOf(dimensions: readonly Dimension[], item: ItemRecord): Conflict[] {
  if (item.subject.type === 'pair') return preferenceConflict(item, item.subject.left.episode);
  const said = dimensions.flatMap((dimension) =>
    unitsOf(dimension, item)
      .filter(({ target }) => target.on !== 'range')
      .filter(({ values }) => new Set(values.map(({ value }) => valueKey(value))).size > 1)
      .map(({ target, values }) => ({
        target,
        dimension: dimension.id,
        values,
        corrections: [],
        adjudication:
          item.adjudications.find(
            (one) => one.dimension === dimension.id && targetKey(one.target) === targetKey(target),
          ) ?? null,
        isOpenQuestion: dimension.type !== 'free_text',
      })),
  );
  return [...said, ...correctionConflicts(item)];
}

/** The name of corrections beside dimensions; no name of a dimension becomes it. */
export const CORRECTION = '$correction';

/** Places where two who have finished would have had the agent do different things. */
function correctionConflicts(item: ItemRecord): Conflict[] {
  const done = doneBy(item);
  const given = item.corrections.filter(({ reviewer }) => done.includes(reviewer));
  return [...Map.groupBy(given, ({ target }) => targetPlaceKey(target)).values()].flatMap((corrections) => {
    const [first] = corrections;
    if (first === undefined || new Set(corrections.map(({ correct }) => canonical(correct))).size < 2)
      return [];
    const adjudication = item.adjudications.findLast(
      ({ dimension, target }) =>
        dimension === CORRECTION && targetPlaceKey(target) === targetPlaceKey(first.target),
    );
    return [
      {
        target: first.target,
        dimension: CORRECTION,
        values: [],
        corrections,
        adjudication: adjudication ?? null,
        isOpenQuestion: true,
      },
    ];
  });
}

/** The name of a preference beside dimensions. */
export const PREFERENCE = 'preference';

function preferenceConflict(item: ItemRecord, episode: string): Conflict[] {
  const done = doneBy(item);
  const values = item.preferences
    .filter(({ reviewer }) => done.includes(reviewer))
    .map(({ reviewer, choice }) => ({ reviewer, value: { type: 'category' as const, option: choice } }));
  if (new Set(values.map(({ value }) => value.option)).size < 2) return [];
  const adjudication = item.adjudications.find(({ dimension }) => dimension === PREFERENCE) ?? null;
  return [
    {
      target: { on: 'trajectory', episode },
      dimension: PREFERENCE,
      values,
      corrections: [],
      adjudication,
      isOpenQuestion: true,
    },
  ];
}
