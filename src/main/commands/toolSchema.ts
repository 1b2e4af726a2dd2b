// Owns: checking a call's arguments against the tool's JSON Schema, in words a person can act on.
import { Ajv, type ErrorObject } from 'ajv';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';

/** Schemas come from servers: unknown keywords are theirs, and a schema that cannot be compiled checks nothing. */
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, logger: false });

/** Throws `bad_input` naming each argument that does not fit, or a tool the environment does not have. */
export function checkCall(tools: readonly ToolSpec[], name: string, args: object): void {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) {
    throw new Failure('bad_input', `the environment has no tool ${name}`, {
      next: 'Choose one of its tools, or send it unchecked.',
    });
  }
  const validate = compiled(tool.input_schema);
  if (validate === null || validate(args)) return;
  throw new Failure('bad_input', `${name}: ${(validate.errors ?? []).map(words).join('; ')}`, {
    next: 'Correct the arguments, or send them unchecked.',
  });
}

function compiled(schema: Record<string, unknown>) {
  try {
    return ajv.compile(schema);
  } catch {
    return null;
  }
}

function words({ instancePath, keyword, params, message }: ErrorObject): string {
  const at = instancePath.slice(1).replaceAll('/', '.');
  if (keyword === 'required') return `${String(params['missingProperty'])} is missing`;
  if (keyword === 'additionalProperties') return `${String(params['additionalProperty'])} is no argument`;
  return `${at === '' ? 'the arguments' : at} ${message ?? 'do not fit'}`;
}
