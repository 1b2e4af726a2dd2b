import { isRecord } from '../../../shared/json.ts';
import { checkValue, type Schema, type Wrong } from '../../../shared/schema/checkValue.ts';
import { nearest } from '../../../shared/nearest.ts';

/** `instead` is the argument that was probably meant by an unknown one. */
export type ArgumentProblem = Wrong & { instead: string | null };

/**
 * What is wrong with the arguments of a drafted call by the tool's schema. Beyond that, an argument that is not listed is
 * said where the schema does not mention further ones: it is allowed, and most often misspelt.
 */
export function argumentProblems(schema: Schema, args: Readonly<Record<string, unknown>>): ArgumentProblem[] {
  const { properties, additionalProperties } = schema;
  const listed = isRecord(properties) ? Object.keys(properties) : [];
  const free = listed.filter((name) => !Object.hasOwn(args, name));
  const isOpen = !isRecord(properties) || additionalProperties !== undefined || 'patternProperties' in schema;
  const unlisted = isOpen ? [] : Object.keys(args).filter((name) => !listed.includes(name));
  return [
    ...checkValue(schema, args),
    ...unlisted.map((path): Wrong => ({ path, kind: 'unknown', message: 'is not listed' })),
  ].map((wrong) => ({ ...wrong, instead: wrong.kind === 'unknown' ? nearest(wrong.path, free) : null }));
}
