// Checks an advice before it is sent: names no tool has, arguments that are missing or do not fit. Problems are said,
// never enforced: words that are not a plan are advice too.
import { escapeRegExp } from '../../../shared/escapeRegExp.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { parsePlan, type Plan } from '../../../shared/plan.ts';
import { ASK_EXPERT, isReservedTool } from '../../../shared/wire.ts';
import { nearest } from '../../../shared/nearest.ts';
import { isRecord } from '../../../shared/json.ts';
import { checkValue, type Schema, type Wrong } from '../../../shared/schema/checkValue.ts';

export type Fix = { from: number; to: number; insert: string; label: string };
export type Problem = {
  kind: ArgumentProblem['kind'] | 'unknown_tool' | 'reserved_tool' | 'bad_json';
  message: string;
  /** The stretch of the text to underline; null when it could not be placed. */
  range: { from: number; to: number } | null;
  fix: Fix | null;
};
export type PlanCheck = { plan: Plan; problems: Problem[] };

/** A tool of the environment; with names only, arguments cannot be checked. */
export type KnownTool = Pick<ToolSpec, 'name'> & Partial<Pick<ToolSpec, 'description' | 'input_schema'>>;

/** Names the agent itself answers for: a plan may name them, the environment never sees them. */
const VIRTUAL: ReadonlySet<string> = new Set(['list_tools', 'call_tool', ASK_EXPERT]);
export const isVirtualTool = (name: string): boolean => VIRTUAL.has(name);

/** Reads the calls in a text and says what would fail. With no tools known, names pass. */
export function checkPlan(text: string, tools: readonly KnownTool[]): PlanCheck {
  const plan = parsePlan(text);
  const broken = plan.form === 'json' ? null : brokenJson(text);
  const places = callPlaces(text, plan);
  const problems = plan.calls.flatMap(({ tool, args }, index): Problem[] => {
    const range = places[index] ?? null;
    if (isReservedTool(tool)) return [reserved(tool, range)];
    if (isVirtualTool(tool) || tools.length === 0) return [];
    const spec = tools.find(({ name }) => name === tool);
    if (spec === undefined) return [unknownTool(text, plan, index, tools, range)];
    return argumentProblems(spec.input_schema ?? {}, args).map((problem) =>
      argumentProblem(text, tool, range, places[index + 1] ?? null, problem),
    );
  });
  return { plan, problems: [...(broken === null ? [] : [broken]), ...problems] };
}

const reserved = (tool: string, range: Problem['range']): Problem => ({
  kind: 'reserved_tool',
  message: `"${tool}" is reserved for the host; the agent’s call would be refused.`,
  range,
  fix: null,
});

function unknownTool(
  text: string,
  plan: Plan,
  index: number,
  tools: readonly KnownTool[],
  range: Problem['range'],
): Problem {
  const tool = plan.calls[index]?.tool ?? '';
  const instead = nearest(
    tool,
    tools.map(({ name }) => name),
  );
  const fix =
    instead === null || range === null || !isRenamed(text, plan, index, range, instead)
      ? null
      : { ...range, insert: instead, label: `Use ${instead}` };
  return { kind: 'unknown_tool', message: `There is no tool named "${tool}".`, range, fix };
}

/** True when putting the name there changes that call and no other. */
function isRenamed(
  text: string,
  plan: Plan,
  index: number,
  { from, to }: { from: number; to: number },
  instead: string,
): boolean {
  const after = parsePlan(text.slice(0, from) + instead + text.slice(to)).calls;
  return (
    after.length === plan.calls.length &&
    after.every((call, at) => call.tool === (at === index ? instead : plan.calls[at]?.tool))
  );
}

function argumentProblem(
  text: string,
  tool: string,
  range: Problem['range'],
  next: Problem['range'],
  problem: ArgumentProblem,
): Problem {
  const { kind, path, message, instead } = problem;
  const place = kind === 'missing' ? null : namePlace(text, path.split('.').at(-1) ?? '', range, next);
  switch (kind) {
    case 'missing':
      return { kind, message: `${tool} needs "${path}".`, range, fix: null };
    case 'unfit':
      return {
        kind,
        message: `${tool}: ${path === '' ? 'it' : `"${path}"`} ${message}.`,
        range: place ?? range,
        fix: null,
      };
    case 'unknown': {
      const fix =
        instead === null || place === null ? null : { ...place, insert: instead, label: `Use ${instead}` };
      return { kind, message: `${tool} takes no "${path}".`, range: place ?? range, fix };
    }
  }
}

/** The place of an argument's name between this call and the next. */
function namePlace(
  text: string,
  name: string,
  call: Problem['range'],
  next: Problem['range'],
): Problem['range'] {
  const from = call?.from ?? 0;
  const quoted = JSON.stringify(name);
  const at = text.indexOf(quoted, from);
  if (at === -1 || (next !== null && at > next.from)) return null;
  return { from: at + 1, to: at + quoted.length - 1 };
}

/** The places of the calls' names in the text, in order; null if one could not be told. */
function callPlaces(text: string, plan: Plan): (Problem['range'] | null)[] {
  let from = 0;
  return plan.calls.map(({ tool }) => {
    const pattern =
      plan.form === 'json'
        ? new RegExp(
            String.raw`"(?:tool|tool_name|name)"\s*:\s*"(${escapeRegExp(JSON.stringify(tool).slice(1, -1))})"`,
            'g',
          )
        : new RegExp(String.raw`(?<![A-Za-z0-9_])(${escapeRegExp(tool)})\s*\(`, 'g');
    pattern.lastIndex = from;
    const match = pattern.exec(text);
    if (match === null) return null;
    const start = match.index + match[0].lastIndexOf(match[1] ?? '');
    from = start + (match[1]?.length ?? 0);
    return { from: start, to: from };
  });
}

/** A text that begins like JSON and is none: the likeliest slip of a hand-made edit. */
function brokenJson(text: string): Problem | null {
  if (!/^\s*(\{|\[\s*\{)/.test(text)) return null;
  const at = jsonErrorAt(text);
  if (at === null) return null;
  const from = Math.min(text.length - 1, at);
  const line = text.slice(0, from).split('\n').length;
  return {
    kind: 'bad_json',
    message: `This starts like JSON but is invalid from line ${String(line)} on. The agent gets it as plain text.`,
    range: { from, to: from + 1 },
    fix: null,
  };
}

/** `instead` is the argument that was probably meant by an unknown one. */
type ArgumentProblem = Wrong & { instead: string | null };

/**
 * Problems with the arguments of a drafted call by the tool's schema. Beyond that, an argument that is not listed is
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

const SPACE = /[ \t\r\n]*/y;
// oxlint-disable-next-line no-control-regex -- JSON forbids control characters inside a string
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const PLAIN_VALUE = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;
const JSON_DEPTH_LIMIT = 500;

/** Index of the first character that cannot stand where it stands; null when the text is JSON. */
export function jsonErrorAt(text: string): number | null {
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return false;
    at += match[0].length;
    return true;
  };
  const eat = (char: string): boolean => {
    skip(SPACE);
    if (text[at] !== char) return false;
    at += 1;
    skip(SPACE);
    return true;
  };
  const members = (close: string, depth: number, isMember: () => boolean): boolean => {
    if (depth > JSON_DEPTH_LIMIT) return false;
    if (eat(close)) return true;
    do if (!isMember()) return false;
    while (eat(','));
    return eat(close);
  };
  const value = (depth: number): boolean => {
    skip(SPACE);
    if (eat('{')) return members('}', depth, () => skip(STRING) && eat(':') && value(depth + 1));
    if (eat('[')) return members(']', depth, () => value(depth + 1));
    return skip(STRING) || skip(PLAIN_VALUE);
  };
  if (!value(0)) return at;
  skip(SPACE);
  return at === text.length ? null : at;
}
