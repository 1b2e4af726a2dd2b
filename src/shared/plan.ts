// Reading the calls out of advice, in the shapes people and models write them. Must not know: which tools exist,
// unless it is told.
import * as z from 'zod/mini';
import { between, createBraces } from './between.ts';
import { canonical } from './canonical.ts';
import { isRecord, tryExactJson } from './json.ts';
import { READ_MAX } from './truncate.ts';

const PlanStep = z.looseObject({
  tool: z.optional(z.string()),
  tool_name: z.optional(z.string()),
  name: z.optional(z.string()),
  args: z.optional(z.unknown()),
  arguments: z.optional(z.unknown()),
  purpose: z.optional(z.string()),
});

export type PlannedCall = { tool: string; args: Record<string, unknown>; purpose: string | null };
type ComparedCall = Pick<PlannedCall, 'tool' | 'args'>;

export const isSameCall = (a: ComparedCall, b: ComparedCall): boolean =>
  a.tool === b.tool && canonical(a.args) === canonical(b.args);

/** True if the same call stands again after this one: what goes wrong the first time is expected there. */
export const isMadeAgain = (calls: readonly ComparedCall[], at: number): boolean =>
  calls.slice(at + 1).some((later) => calls[at] !== undefined && isSameCall(later, calls[at]));

/** The plan of an advice text: calls in order, and what else a JSON plan carried. */
export type Plan = {
  calls: PlannedCall[];
  success_state: string | null;
  tips: string | null;
  /** Where the calls came from: a JSON plan, `tool({...})` lines, or nothing that could be read. */
  form: 'json' | 'lines' | 'none';
};

const NO_PLAN: Plan = { calls: [], success_state: null, tips: null, form: 'none' };

/**
 * Calls in an advice text. Reads `{"plan":[{tool,args,purpose}],"success_state","tips"}` (bare or fenced, text
 * around it allowed), a bare list of such steps, or lines that hold `tool_name({...})`. A text longer than is read holds
 * none: half a plan is no plan. Never throws.
 * Source of the JSON shape: the expert-in-the-loop recipe for Agent World Model.
 */
export function parsePlan(text: string): Plan {
  if (text.length > READ_MAX) return NO_PLAN;
  for (const { value } of jsonCandidates(text)) {
    const plan = planFrom(value);
    if (plan !== null) return plan;
  }
  const calls = [...callLines(text)].map(({ call }) => call);
  return calls.length > 0 ? { calls, success_state: null, tips: null, form: 'lines' } : NO_PLAN;
}

/** The place in the text of the plan that `parsePlan` reads: one JSON value, or one stretch per call. */
export type PlanPlace =
  | { form: 'json'; from: number; to: number; value: unknown }
  | { form: 'lines'; calls: { from: number; to: number; call: PlannedCall }[] }
  | { form: 'none' };

/** Finds the stretches of a text that its plan was read from, so that a plan can be changed and the rest be kept. */
export function locatePlan(text: string): PlanPlace {
  if (text.length > READ_MAX) return { form: 'none' };
  for (const candidate of jsonCandidates(text)) {
    if (planFrom(candidate.value) !== null) return { form: 'json', ...candidate };
  }
  const calls = [...callLines(text)];
  return calls.length > 0 ? { form: 'lines', calls } : { form: 'none' };
}

/** The plan as an expert would write it: indented JSON that `parsePlan` reads back. */
export const formatPlan = (plan: {
  calls: readonly PlannedCall[];
  success_state: string | null;
  tips: string | null;
}): string =>
  JSON.stringify(
    {
      plan: plan.calls.map(({ tool, args, purpose }) => ({
        tool,
        args,
        ...(purpose === null ? {} : { purpose }),
      })),
      ...(plan.success_state === null ? {} : { success_state: plan.success_state }),
      ...(plan.tips === null ? {} : { tips: plan.tips }),
    },
    null,
    2,
  );

function planFrom(value: unknown): Plan | null {
  const whole = z.looseObject({ plan: z.array(PlanStep) }).safeParse(value);
  const steps = whole.success
    ? whole.data.plan
    : z.array(PlanStep).check(z.minLength(1)).safeParse(value).data;
  if (steps === undefined) return null;
  const calls = steps.flatMap((step): PlannedCall[] => {
    const tool = step.tool ?? step.tool_name ?? step.name;
    if (tool === undefined || tool === '') return [];
    return [{ tool, args: stepArguments(step.args ?? step.arguments), purpose: step.purpose ?? null }];
  });
  if (calls.length === 0 && !whole.success) return null;
  const said = whole.success ? (whole.data as Record<string, unknown>) : {};
  return {
    calls,
    success_state: textOrNull(said['success_state']),
    tips: textOrNull(said['tips']),
    form: 'json',
  };
}

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

function stepArguments(value: unknown): Record<string, unknown> {
  const parsed = typeof value === 'string' ? tryExactJson(value) : value;
  return isRecord(parsed) ? (parsed as Record<string, unknown>) : {};
}

type Candidate = { from: number; to: number; value: unknown };

function* jsonCandidates(text: string): Generator<Candidate> {
  const trimmed = text.trim();
  const whole = tryExactJson(trimmed);
  const start = text.indexOf(trimmed);
  if (whole !== undefined) yield { from: start, to: start + trimmed.length, value: whole };
  for (const { marks, inner: fenced } of between(text, /```(?:json)?\s*\n/g, /```/g)) {
    const inner = (fenced[0] ?? '').trim();
    const value = tryExactJson(inner);
    const from = text.indexOf(inner, (marks[0]?.index ?? 0) + 3);
    if (value !== undefined) yield { from, to: from + inner.length, value };
  }
  const closingBrace = createBraces(text);
  for (
    let at = text.indexOf('{'), tries = 0;
    at !== -1 && tries < 50;
    at = text.indexOf('{', at + 1), tries += 1
  ) {
    const end = closingBrace(at);
    const value = end === null ? undefined : tryExactJson(text.slice(at, end + 1));
    if (end !== null && typeof value === 'object' && value !== null && 'plan' in value)
      yield { from: at, to: end + 1, value };
  }
}

function* callLines(text: string): Generator<{ from: number; to: number; call: PlannedCall }> {
  const pattern = /(?<![A-Za-z0-9_])(\d*)([A-Za-z_][A-Za-z0-9_]*)\s*\(\s*(\{|\))/g;
  const closingBrace = createBraces(text);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [, digits = '', tool = '', after] = match;
    const from = match.index + digits.length;
    if (after === ')') {
      yield { from, to: pattern.lastIndex, call: { tool, args: {}, purpose: null } };
      continue;
    }
    const open = pattern.lastIndex - 1;
    const end = closingBrace(open);
    if (end === null) continue;
    const args = tryExactJson(text.slice(open, end + 1));
    if (typeof args !== 'object' || args === null) continue;
    pattern.lastIndex = end + 1;
    const closing = /^\s*\)/.exec(text.slice(end + 1))?.[0].length ?? 0;
    const to = end + 1 + closing;
    yield { from, to, call: { tool, args: args as Record<string, unknown>, purpose: null } };
  }
}
