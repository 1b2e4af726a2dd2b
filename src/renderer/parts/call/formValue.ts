// Owns: what typing into a field makes of a value, and what a new item begins as. Pure.
import type { Field, Shape } from './schemaForm.ts';

/** What a typed number means; words that are none stay words, so that nothing typed is lost. */
export function numberFrom(text: string): number | string {
  const trimmed = text.trim();
  const value = Number(trimmed);
  return trimmed !== '' && Number.isFinite(value) ? value : text;
}

/** What typed JSON means; text that is none stays text. */
export function jsonFrom(text: string): { value: unknown; isJson: boolean } {
  try {
    return { value: JSON.parse(text) as unknown, isJson: true };
  } catch {
    return { value: text, isJson: false };
  }
}

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
    case 'group':
      return Object.fromEntries(
        shape.fields
          .filter(({ isRequired }) => isRequired)
          .map((field) => [field.name, emptyOf(field.shape)]),
      );
  }
}

/** `whole number, 1 to 100`. */
export function typeWords({ shape, isNullable }: Pick<Field, 'shape' | 'isNullable'>): string {
  return isNullable ? `${shapeWords(shape)}, or null` : shapeWords(shape);
}

function shapeWords(shape: Shape): string {
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
      return `list of ${shapeWords(shape.item.shape)}`;
    case 'group':
      return 'object';
    case 'json':
      return 'JSON';
  }
}
