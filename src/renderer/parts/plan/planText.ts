// A plan as steps, and each change of a step as a change of the text around it: what is not touched stays as it is
// written. The text is the truth; steps are read from it. Pure.
import { formatPlan, locatePlan, type PlanPlace } from '../../../shared/plan.ts';
import { isRecord, tryExactJson } from '../../../shared/json.ts';
import {
  endOfValue,
  itemSpans,
  memberSpan,
  type MemberSpan,
  memberSpans,
  replaced,
  type Span,
  wholeMembers,
  withoutSpan,
} from '../../../shared/jsonSpans.ts';

export type PlanStep = { tool: string; args: Record<string, unknown>; purpose: string | null };
type PlanSheet = {
  form: PlanPlace['form'];
  steps: PlanStep[];
  /** The free text before the plan, between its calls, and after it; between the steps of JSON there is none. */
  before: string;
  between: string[];
  after: string;
};

export function sheetOf(text: string): PlanSheet {
  const place = locatePlan(text);
  switch (place.form) {
    case 'json':
      return {
        form: 'json',
        steps: stepSpans(text, place).map((span) => stepAt(text, span)),
        before: text.slice(0, place.from),
        between: [],
        after: text.slice(place.to),
      };
    case 'lines': {
      const { calls } = place;
      return {
        form: 'lines',
        steps: calls.map(({ call, from, to }) => ({
          ...call,
          args: exactArguments(text.slice(from, to)) ?? call.args,
        })),
        before: text.slice(0, calls[0]?.from ?? 0),
        between: calls.slice(1).map(({ from }, at) => text.slice(calls[at]?.to ?? from, from)),
        after: text.slice(calls.at(-1)?.to ?? text.length),
      };
    }
    case 'none':
      return { form: 'none', steps: [], before: text, between: [], after: '' };
  }
}

// --- the words around the steps -----------------------------------------------------------------------------------

/** Other free text around the same plan. */
export function withAround(text: string, around: { before?: string; after?: string }): string {
  const { before, after } = sheetOf(text);
  const plan = withWords(text.slice(before.length, text.length - after.length), before);
  return (around.before ?? before) + plan + (around.after ?? after);
}

/** A bare list of steps is a plan only where it stands alone: among words it needs its name. */
function withWords(plan: string, before: string): string {
  if (!plan.startsWith('[') || before.trimEnd().endsWith('```') || /```(?:json)?\s*$/.test(before))
    return plan;
  return `{"plan": ${plan}}`;
}

/** Other free text between the call `index` and the next. */
export function withBetween(text: string, index: number, between: string): string {
  const place = locatePlan(text);
  if (place.form !== 'lines') return text;
  const [call, next] = [place.calls[index], place.calls[index + 1]];
  return call === undefined || next === undefined
    ? text
    : replaced(text, { from: call.to, to: next.from }, between.trim() === '' ? '\n' : between);
}

/** The words around a plan that a person reads; fences and marks of a list stand around them. */
export function proseIn(words: string): { lead: string; prose: string; trail: string } {
  const lead = /^(?:\s*```[^\S\n]*(?:\n|$))?\s*/.exec(words)?.[0] ?? '';
  const rest = words.slice(lead.length);
  const said = rest.trimEnd();
  const mark = /(?:^|\n)[^\S\n]*(?:```(?:json)?|[-*•]|\d+[.)])$/.exec(said);
  const prose = said.slice(0, mark?.index ?? said.length).trimEnd();
  return { lead, prose, trail: rest.slice(prose.length) };
}

// --- steps --------------------------------------------------------------------------------------------------------

/** An argument given or, where the value is undefined, left out. */
export const withArgument = (text: string, index: number, name: string, value: unknown): string =>
  withArguments(
    text,
    index,
    (args) => {
      const { [name]: _old, ...rest } = args;
      return value === undefined
        ? rest
        : Object.hasOwn(args, name)
          ? { ...args, [name]: value }
          : { ...rest, [name]: value };
    },
    (object, from) => {
      const member = memberSpan(object, from, name);
      if (value === undefined) {
        const members = memberSpans(object, from);
        const at = members.findLastIndex(({ key }) => key === name);
        return withoutSpan(
          object,
          members.map(({ keyFrom, to }) => ({ from: keyFrom, to })),
          at,
        );
      }
      const container = spanOf(object, from);
      const isMultiline = object.slice(container.from, container.to).includes('\n');
      if (member !== undefined)
        return replaced(object, member, jsonAt(value, indentAt(object, member.keyFrom), isMultiline));
      return withInserted(
        object,
        container,
        memberSpans(object, from),
        `${JSON.stringify(name)}: ${JSON.stringify(value) ?? 'null'}`,
      );
    },
  );

/** The same value under another name. */
export const withRenamedArgument = (text: string, index: number, name: string, next: string): string =>
  withArguments(
    text,
    index,
    (args) =>
      Object.fromEntries(Object.entries(args).map(([key, value]) => [key === name ? next : key, value])),
    (object, from) => {
      const member = memberSpan(object, from, name);
      return member === undefined
        ? object
        : replaced(
            object,
            { from: member.keyFrom, to: member.keyFrom + JSON.stringify(name).length },
            JSON.stringify(next),
          );
    },
  );

export function withTool(text: string, index: number, tool: string): string {
  const place = locatePlan(text);
  if (place.form === 'lines') {
    const call = place.calls[index];
    return call === undefined
      ? text
      : replaced(text, { from: call.from, to: call.from + call.call.tool.length }, tool);
  }
  return withMember(text, index, TOOL_KEYS, tool);
}

/** Sets the step's purpose; null takes it out. Calls that stand in words have none. */
export const withPurpose = (text: string, index: number, purpose: string | null): string =>
  withMember(text, index, ['purpose'], purpose ?? undefined);

export function withoutStep(text: string, index: number): string {
  const place = locatePlan(text);
  if (place.form === 'json') return withoutSpan(text, stepSpans(text, place), index);
  const call = place.form === 'lines' ? place.calls[index] : undefined;
  if (call === undefined) return text;
  // A line that held nothing but the call goes with it.
  const start = text.lastIndexOf('\n', call.from - 1);
  const isAlone =
    /^\s*(?:(?:[-*•]|\d+[.)])\s*)?$/.test(text.slice(start + 1, call.from)) &&
    /^[^\S\n]*(\n|$)/.test(text.slice(call.to));
  const from = isAlone ? Math.max(0, start) : call.from;
  const to = isAlone && start === -1 ? Math.min(text.length, call.to + 1) : call.to;
  return text.slice(0, from) + text.slice(to);
}

/** The same step once more, right after it. */
export function withRepeated(text: string, index: number): string {
  const place = locatePlan(text);
  if (place.form === 'json') {
    const steps = stepSpans(text, place);
    const step = steps[index];
    if (step === undefined) return text;
    const copied = withInserted(text, stepsSpan(text, place), steps, text.slice(step.from, step.to));
    return withMoved(copied, steps.length, index + 1);
  }
  const call = place.form === 'lines' ? place.calls[index] : undefined;
  if (call === undefined) return text;
  return `${text.slice(0, call.to)}\n${text.slice(call.from, call.to)}${text.slice(call.to)}`;
}

/** A step at another place; those between move up or down. */
export function withMoved(text: string, index: number, to: number): string {
  const place = locatePlan(text);
  const spans: readonly Span[] =
    place.form === 'json' ? stepSpans(text, place) : place.form === 'lines' ? place.calls : [];
  if (spans[index] === undefined || spans[to] === undefined || index === to) return text;
  const order = spans.map(({ from, to: end }) => text.slice(from, end));
  const [moved = ''] = order.splice(index, 1);
  order.splice(to, 0, moved);
  return spans.reduceRight((whole, span, at) => replaced(whole, span, order[at] ?? ''), text);
}

/** One more call at the end; words without a plan get one below them. */
export function withAdded(text: string, tool: string): string {
  const place = locatePlan(text);
  if (place.form === 'json') {
    const list = stepsSpan(text, place);
    const isMultiline = text.slice(place.from, place.to).includes('\n');
    return withInserted(text, list, stepSpans(text, place), jsonAt({ tool, args: {} }, '', isMultiline));
  }
  if (place.form === 'lines') {
    const end = place.calls.at(-1)?.to ?? text.length;
    return `${text.slice(0, end)}\n${tool}({})${text.slice(end)}`;
  }
  const plan = formatPlan({ calls: [{ tool, args: {}, purpose: null }], success_state: null, tips: null });
  return text.trim() === '' ? plan : `${text.trimEnd()}\n\n${plan}`;
}

// --- where a step stands in the text ------------------------------------------------------------------------------

type JsonPlace = Extract<PlanPlace, { form: 'json' }>;

const endOf = (text: string, from: number): number => spanOf(text, from).to;
const spanOf = (text: string, from: number): Span => ({ from, to: endOfValue(text, from) });

function stepsSpan(text: string, { from }: JsonPlace): Span {
  if (text[from] === '[') return spanOf(text, from);
  const plan = memberSpan(text, from, 'plan');
  return plan === undefined ? spanOf(text, from) : { from: plan.from, to: plan.to };
}

const stepSpans = (text: string, place: JsonPlace): Span[] => itemSpans(text, stepsSpan(text, place).from);

const TOOL_KEYS = ['tool', 'tool_name', 'name'] as const;
const ARGUMENT_KEYS = ['args', 'arguments'] as const;

/** The first of the keys that the object has, as the plan's reader takes them. */
const presentKey = (text: string, from: number, keys: readonly string[]): string => {
  const members = memberSpans(text, from);
  return keys.find((key) => members.some((member) => member.key === key)) ?? keys[0] ?? '';
};

function stepAt(text: string, { from, to }: Span): PlanStep {
  const step = tryExactJson(text.slice(from, to));
  if (!isRecord(step)) return { tool: '', args: {}, purpose: null };
  const tool = step[presentKey(text, from, TOOL_KEYS)];
  const { purpose } = step;
  return {
    tool: typeof tool === 'string' ? tool : '',
    args: argumentsOf(step[presentKey(text, from, ARGUMENT_KEYS)]),
    purpose: typeof purpose === 'string' ? purpose : null,
  };
}

function argumentsOf(value: unknown): Record<string, unknown> {
  const read = typeof value === 'string' ? tryExactJson(value) : value;
  return isRecord(read) ? read : {};
}

/** The arguments of `tool({…})`, with every integer kept. */
function exactArguments(call: string): Record<string, unknown> | null {
  const open = call.indexOf('{');
  const read = open === -1 ? null : tryExactJson(call.slice(open, endOf(call, open)));
  return isRecord(read) ? read : null;
}

/** A member of a step set, or taken out. */
function withMember(text: string, index: number, keys: readonly string[], value: unknown): string {
  const place = locatePlan(text);
  const span = place.form === 'json' ? stepSpans(text, place)[index] : undefined;
  if (span === undefined) return text;
  const members = memberSpans(text, span.from);
  const key = presentKey(text, span.from, keys);
  const at = members.findLastIndex((member) => member.key === key);
  const member = members[at];
  if (value === undefined) return withoutSpan(text, wholeMembers(members), at);
  if (member !== undefined) return replaced(text, member, JSON.stringify(value) ?? 'null');
  return withInserted(text, span, members, `${JSON.stringify(key)}: ${JSON.stringify(value) ?? 'null'}`);
}

type ArgumentsEdit = (args: Record<string, unknown>) => Record<string, unknown>;
/** The same change in a text, in which the object of arguments begins at `from`. */
type TextEdit = (text: string, from: number) => string;

function withArguments(text: string, index: number, edit: ArgumentsEdit, editText: TextEdit): string {
  const place = locatePlan(text);
  if (place.form === 'none') return text;
  if (place.form === 'lines') {
    const call = place.calls[index];
    if (call === undefined) return text;
    const open = text.indexOf('{', call.from);
    if (open !== -1 && open < call.to) return editText(text, open);
    return replaced(text, call, `${call.call.tool}(${JSON.stringify(edit({}))})`);
  }
  const span = stepSpans(text, place)[index];
  if (span === undefined) return text;
  const key = presentKey(text, span.from, ARGUMENT_KEYS);
  const member = memberSpan(text, span.from, key);
  if (member !== undefined && text[member.from] === '{') return editText(text, member.from);
  // Arguments as a text of JSON, or none: written anew.
  const old = member === undefined ? {} : tryExactJson(text.slice(member.from, member.to));
  const next = edit(argumentsOf(old));
  return withMember(text, index, [key], typeof old === 'string' ? JSON.stringify(next) : next);
}

/** The white space that a line begins with. */
const indentAt = (text: string, at: number): string => {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1);
  return /^[^\S\n]*/.exec(line)?.[0] ?? '';
};

/** A value as JSON that fits in a line with this indent; on several lines where its surroundings are. */
const jsonAt = (value: unknown, indent: string, isMultiline: boolean): string =>
  isMultiline
    ? (JSON.stringify(value, null, 2) ?? 'null').replaceAll('\n', `\n${indent}`)
    : (JSON.stringify(value) ?? 'null');

/** One more item or member after the others, laid out as they are. */
function withInserted(text: string, container: Span, spans: readonly Span[], written: string): string {
  const last = spans.at(-1);
  const isMultiline = text.slice(container.from, container.to).includes('\n');
  if (last === undefined) {
    const indent = indentAt(text, container.from);
    const inner = lines(written, `${indent}  `);
    const whole = written.includes('\n') || isMultiline ? `\n${indent}  ${inner}\n${indent}` : written;
    return text.slice(0, container.from + 1) + whole + text.slice(container.to - 1);
  }
  const starts = text.slice(0, keyStart(last)).match(/\n([^\S\n]*)$/)?.[1];
  const joined = starts === undefined ? `, ${written}` : `,\n${starts}${lines(written, starts)}`;
  return text.slice(0, last.to) + joined + text.slice(last.to);
}

const keyStart = (span: Span): number => ('keyFrom' in span ? (span as MemberSpan).keyFrom : span.from);
const lines = (written: string, indent: string): string => written.replaceAll('\n', `\n${indent}`);
