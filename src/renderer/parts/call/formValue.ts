// What typing into a field makes of a value, and what a new item begins as. Pure.
import { parseJson } from '../../../shared/json.ts';
import { inexactIn, isExact } from '../../../shared/schema/exactNumber.ts';
import type { SchemaField, Shape } from './schemaForm.ts';

const PLAIN_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
const WITH_POWER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * What a typed number means; words that are none stay words, so that nothing typed is lost. So does a number that would
 * be sent as another one, and a whole number written in another way than with its digits.
 */
export function numberFromText(text: string, { isWhole }: { isWhole: boolean }): number | string {
  const trimmed = text.trim();
  return (isWhole ? PLAIN_NUMBER : WITH_POWER).test(trimmed) && isExact(trimmed) ? Number(trimmed) : text;
}

/** What typed JSON means; text that is none stays text, and so does one whose numbers would be sent as others. */
export function jsonFromText(text: string): { value: unknown; isJson: boolean } {
  try {
    const value = parseJson(text);
    return inexactIn(text) === null ? { value, isJson: true } : { value: text, isJson: false };
  } catch {
    return { value: text, isJson: false };
  }
}

/** Whether a field has one value alone, as one that tells a form from others has. */
export const isFixed = ({ shape, isNullable }: Pick<SchemaField, 'shape' | 'isNullable'>): boolean =>
  shape.type === 'choice' && shape.options.length === 1 && !isNullable;

/** What a new item of a list begins as. */
export function emptyOf(shape: Shape): unknown {
  switch (shape.type) {
    case 'text':
    case 'json':
      return '';
    case 'number':
      return shape.min ?? 0;
    case 'boolean':
      return false;
    case 'choice':
      return shape.options[0] ?? '';
    case 'list':
      return [];
    case 'union':
      return shape.alternatives[0] === undefined ? '' : emptyOf(shape.alternatives[0].shape);
    case 'group':
      return Object.fromEntries(
        shape.fields
          .filter((field) => field.isRequired || isFixed(field))
          .map((field) => [field.name, emptyOf(field.shape)]),
      );
  }
}

/** `whole number, 1 to 100`. */
export function fieldTypeLabel({ shape, isNullable }: Pick<SchemaField, 'shape' | 'isNullable'>): string {
  return isNullable ? `${shapeLabel(shape)}, or null` : shapeLabel(shape);
}

function shapeLabel(shape: Shape): string {
  switch (shape.type) {
    case 'text':
      return 'text';
    case 'number': {
      const name = shape.isWhole ? 'whole number' : 'number';
      const { min, max } = shape;
      if (min !== null && max !== null) return `${name}, ${String(min)} to ${String(max)}`;
      if (min !== null) return `${name} from ${String(min)}`;
      return max === null ? name : `${name} up to ${String(max)}`;
    }
    case 'boolean':
      return 'yes or no';
    case 'choice':
      return 'choice';
    case 'list':
      return `list of ${shapeLabel(shape.item.shape)}`;
    case 'group':
      return 'object';
    case 'union':
      return shape.alternatives.length > 3
        ? `one of ${String(shape.alternatives.length)} forms`
        : shape.alternatives.map(({ label }) => label).join(' or ');
    case 'json':
      return 'JSON';
  }
}
