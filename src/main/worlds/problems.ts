// Lists the problems of a frame in pydantic's shape. Clients tell problems apart by `type` and `loc`.
export type FrameProblem = {
  type: ProblemType;
  loc: (string | number)[];
  msg: string;
  input: unknown;
  ctx?: Record<string, unknown>;
  url: string;
};
type Location = FrameProblem['loc'];

export const PROBLEM_TEXTS = {
  missing: 'Field required',
  extra_forbidden: 'Extra inputs are not permitted',
  literal_error: 'Input is none of the values that are allowed',
  union_tag_not_found: 'Input should name its type',
  union_tag_invalid: 'Input is of no known type',
  string_type: 'Input should be a valid string',
  dict_type: 'Input should be a valid dictionary',
  list_type: 'Input should be a valid list',
  bool_type: 'Input should be a valid boolean',
  bool_parsing: 'Input should be a valid boolean',
  int_type: 'Input should be a valid integer',
  int_parsing: 'Input should be a valid integer',
  int_from_float: 'Input should be a valid integer',
  greater_than_equal: 'Input is less than the smallest value that is allowed',
  less_than_equal: 'Input is greater than the largest value that is allowed',
  float_type: 'Input should be a valid number',
  float_parsing: 'Input should be a valid number',
} as const;
export type ProblemType = keyof typeof PROBLEM_TEXTS;

export const problem = (
  type: ProblemType,
  loc: Location,
  input: unknown,
  ctx?: Record<string, unknown>,
): FrameProblem => ({
  type,
  loc,
  msg: PROBLEM_TEXTS[type],
  input,
  ...(ctx === undefined ? {} : { ctx }),
  url: `https://errors.pydantic.dev/2.14/v/${type}`,
});

/** A member of an object: what it must be, and the type of the problem where it is not. */
export type Member = { fits: (value: unknown) => boolean; type: ProblemType; isRequired?: boolean };
export const ANY_MEMBER: Member = { fits: () => true, type: 'missing' };
export const TEXT_MEMBER: Member = { fits: (value) => typeof value === 'string', type: 'string_type' };

/** Members that are missing, wrong, or not the object's. */
export function memberProblems(
  given: Record<string, unknown>,
  members: Readonly<Record<string, Member>>,
  at: Location = [],
): FrameProblem[] {
  const wrong = Object.entries(members).flatMap(([name, { fits, type, isRequired = false }]) => {
    const loc = [...at, name];
    if (!Object.hasOwn(given, name)) return isRequired ? [problem('missing', loc, given)] : [];
    return fits(given[name]) ? [] : [problem(type, loc, given[name])];
  });
  const extra = Object.keys(given).filter((name) => !Object.hasOwn(members, name));
  return [...wrong, ...extra.map((name) => problem('extra_forbidden', [...at, name], given[name]))];
}
