// Checks of a value against its dimension, of a schema, and of an item before it is called done. Pure.
import type { Dimension, Value } from '../events/annotations.ts';
import type { ItemRecord } from './record.ts';

/** The fault of a value for a dimension, in words; null when it fits. */
export function wrongValue(dimension: Dimension, value: Value): string | null {
  const name = `“${dimension.name}”`;
  if (value.type !== dimension.type)
    return `${name} takes a ${typeLabel(dimension.type)}, not a ${typeLabel(value.type)}`;
  if (dimension.type === 'label' && value.type === 'label') {
    const known = new Set(dimension.options.map(({ id }) => id));
    const strange = value.options.find((id) => !known.has(id));
    if (strange !== undefined) return `${name} has no label ${strange}`;
    return new Set(value.options).size === value.options.length ? null : `${name} names a label twice`;
  }
  if (dimension.type === 'category' && value.type === 'category') {
    return dimension.options.some(({ id }) => id === value.option)
      ? null
      : `${name} has no option ${value.option}`;
  }
  if (dimension.type === 'scale' && value.type === 'scale') return wrongNumber(dimension, value.number);
  return null;
}

const typeLabel = (type: Value['type']): string => (type === 'free_text' ? 'text' : type);

function wrongNumber(
  { name, min, max, step }: Extract<Dimension, { type: 'scale' }>,
  number: number,
): string | null {
  if (number < min || number > max) return `“${name}” goes from ${String(min)} to ${String(max)}`;
  const steps = (number - min) / step;
  return Math.abs(steps - Math.round(steps)) < 1e-6 ? null : `“${name}” moves in steps of ${String(step)}`;
}

/** The fault of dimensions as a schema; null when there is none. */
export function wrongSchema(dimensions: readonly Dimension[]): string | null {
  const ids = new Set<string>();
  for (const dimension of dimensions) {
    if (ids.has(dimension.id)) return `two dimensions have the id ${dimension.id}`;
    ids.add(dimension.id);
    if (dimension.type === 'scale') {
      const { min, max, step } = dimension;
      if (min >= max) return `“${dimension.name}” ends before it begins`;
      if (step > max - min) return `a step of “${dimension.name}” is longer than the scale`;
    }
    if (dimension.type === 'label' || dimension.type === 'category') {
      const options = new Set(dimension.options.map(({ id }) => id));
      if (options.size < dimension.options.length)
        return `two options of “${dimension.name}” have the same id`;
    }
  }
  return null;
}

/** The required dimensions that a reviewer has not answered for the whole episode. */
export function missing(dimensions: readonly Dimension[], item: ItemRecord, seat: string): Dimension[] {
  if (item.subject.type === 'pair') return [];
  return dimensions.filter(
    ({ id, is_required, on }) =>
      is_required &&
      on.includes('trajectory') &&
      !item.annotations.some(
        ({ reviewer, dimension, target }) =>
          reviewer === seat && dimension === id && target.on === 'trajectory',
      ),
  );
}
