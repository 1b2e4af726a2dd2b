// What is wrong with a frame, in the shape and words of pydantic, whose error lists clients read. Must not know: what
// a frame is for.
import { typeName } from './python.ts';

export type FrameProblem = {
  type: string;
  loc: (string | number)[];
  msg: string;
  input: unknown;
  ctx?: Record<string, unknown>;
  url: string;
};

type Loc = (string | number)[];

const DOCS = 'https://errors.pydantic.dev/2.14/v/';

const problem = (type: string, loc: Loc, msg: string, input: unknown): FrameProblem => ({
  type,
  loc,
  msg,
  input,
  url: DOCS + type,
});

export const missingField = (loc: Loc, input: unknown): FrameProblem =>
  problem('missing', loc, 'Field required', input);
export const extra = (loc: Loc, input: unknown): FrameProblem =>
  problem('extra_forbidden', loc, 'Extra inputs are not permitted', input);
export const notString = (loc: Loc, input: unknown): FrameProblem =>
  problem('string_type', loc, 'Input should be a valid string', input);
export const notObject = (loc: Loc, input: unknown): FrameProblem =>
  problem('dict_type', loc, 'Input should be a valid dictionary', input);

/** A reward that a `reward_config` set to something that is no number. */
export function notNumber(input: unknown): FrameProblem[] {
  const isText = typeof input === 'string';
  const say = (name: string, type: string, text: string): FrameProblem =>
    problem(type, ['reward', name], text, input);
  if (!isText) {
    return [
      say('bool', 'bool_type', 'Input should be a valid boolean'),
      say('int', 'int_type', 'Input should be a valid integer'),
      say('float', 'float_type', 'Input should be a valid number'),
    ];
  }
  return [
    say('bool', 'bool_parsing', 'Input should be a valid boolean, unable to interpret input'),
    say('int', 'int_parsing', 'Input should be a valid integer, unable to parse string as an integer'),
    say('float', 'float_parsing', 'Input should be a valid number, unable to parse string as a number'),
  ];
}

export function noTag(input: unknown): FrameProblem {
  const text = "Unable to extract tag using discriminator 'type'";
  const { url, ...rest } = problem('union_tag_not_found', [], text, input);
  return { ...rest, ctx: { discriminator: "'type'" }, url };
}

export function wrongTag(tag: string, expected: readonly string[], input: unknown): FrameProblem {
  const tags = expected.map((name) => `'${name}'`).join(', ');
  const text = `Input tag '${tag}' found using 'type' does not match any of the expected tags: ${tags}`;
  const { url, ...rest } = problem('union_tag_invalid', [], text, input);
  return { ...rest, ctx: { discriminator: "'type'", tag, expected_tags: tags }, url };
}

/** An error list as one text, the way pydantic prints a validation error of `model`. */
export function printed(model: string, problems: readonly FrameProblem[]): string {
  const count = problems.length === 1 ? '1 validation error' : `${String(problems.length)} validation errors`;
  const lines = problems.map(
    ({ type, loc, msg, input, url }) =>
      `${loc.join('.')}\n  ${msg} [type=${type}, input_value=${shownInput(input)}, input_type=${typeName(input)}]\n    For further information visit ${url}`,
  );
  return [`${count} for ${model}`, ...lines].join('\n');
}

const shownInput = (input: unknown): string =>
  typeof input === 'string' ? `'${input}'` : (JSON.stringify(input) ?? 'None');

/** Any other type mismatch of a JSON-RPC request. */
export const fieldMismatch = (type: string, loc: Loc, msg: string, input: unknown): FrameProblem =>
  problem(type, loc, msg, input);
