// A plan as rows, and each change of a row as a change of the text around it: what is not touched stays as it is. The
// text is the truth; rows are read from it. Pure.
import { formatPlan, locatePlan, type PlanPlace } from '../../../shared/plan.ts';
import { isRecord, parseJson } from '../../../shared/json.ts';

export type PlanRow = { tool: string; args: Record<string, unknown>; purpose: string | null };
type PlanSheet = {
  form: PlanPlace['form'];
  rows: PlanRow[];
  /** The free text before and after the plan. */
  before: string;
  after: string;
};
type Raw = Record<string, unknown>;

export function sheetOf(text: string): PlanSheet {
  const place = locatePlan(text);
  switch (place.form) {
    case 'json':
      return {
        form: 'json',
        rows: stepsOf(place.value).map(rowOf),
        before: text.slice(0, place.from),
        after: text.slice(place.to),
      };
    case 'lines':
      return {
        form: 'lines',
        rows: place.calls.map(({ call }) => call),
        before: text.slice(0, place.calls[0]?.from ?? 0),
        after: text.slice(place.calls.at(-1)?.to ?? text.length),
      };
    case 'none':
      return { form: 'none', rows: [], before: text, after: '' };
  }
}

/** Other free text around the same plan. */
export function withAround(text: string, around: { before?: string; after?: string }): string {
  const { before, after } = sheetOf(text);
  const plan = text.slice(before.length, text.length - after.length);
  return (around.before ?? before) + plan + (around.after ?? after);
}

/** One row changed; keys of a step that rows do not show are kept. */
export const withRow = (text: string, index: number, change: Partial<PlanRow>): string =>
  edited(text, {
    json: (steps) => steps.map((step, at) => (at === index ? mergeStep(step, change) : step)),
    lines: (calls) => calls.map((call, at) => (at === index ? planLine({ ...call, ...change }) : null)),
  });

export const withoutRow = (text: string, index: number): string =>
  edited(text, {
    json: (steps) => steps.filter((_step, at) => at !== index),
    lines: (calls) => calls.map((_call, at) => (at === index ? '' : null)),
  });

/** A row and its neighbour swapped; unchanged at the ends. */
export function withMoved(text: string, index: number, by: -1 | 1): string {
  const { rows } = sheetOf(text);
  const [row, other] = [rows[index], rows[index + by]];
  if (row === undefined || other === undefined) return text;
  return edited(text, {
    json: (steps) =>
      steps.map((step, at) => steps[at === index ? index + by : at === index + by ? index : at] ?? step),
    lines: (calls) =>
      calls.map((_call, at) => (at === index ? planLine(other) : at === index + by ? planLine(row) : null)),
  });
}

/** One more call at the end; words without a plan get one below them. */
export function withAdded(text: string, tool: string): string {
  const row: PlanRow = { tool, args: {}, purpose: null };
  const place = locatePlan(text);
  if (place.form === 'json')
    return edited(text, { json: (steps) => [...steps, { tool, args: {} }], lines: () => [] });
  if (place.form === 'lines') {
    const end = place.calls.at(-1)?.to ?? text.length;
    return `${text.slice(0, end)}\n${planLine(row)}${text.slice(end)}`;
  }
  const plan = formatPlan({ calls: [row], success_state: null, tips: null });
  return text.trim() === '' ? plan : `${text.trimEnd()}\n\n${plan}`;
}

type Edit = {
  json: (steps: Raw[]) => Raw[];
  /** For each call what stands in its place; null to leave it. */
  lines: (calls: PlanRow[]) => (string | null)[];
};

function edited(text: string, edit: Edit): string {
  const place = locatePlan(text);
  if (place.form === 'none') return text;
  if (place.form === 'json') {
    const steps = edit.json(stepsOf(place.value));
    const value = Array.isArray(place.value) ? steps : { ...(place.value as Raw), plan: steps };
    return text.slice(0, place.from) + JSON.stringify(value, null, 2) + text.slice(place.to);
  }
  const instead = edit.lines(place.calls.map(({ call }) => call));
  return place.calls
    .map((call, index) => ({ ...call, insert: instead[index] ?? null }))
    .toReversed()
    .reduce((whole, { from, to, insert }) => {
      if (insert === null) return whole;
      // A line that held nothing but the call goes with it.
      const start = whole.lastIndexOf('\n', from - 1);
      const isAlone =
        insert === '' &&
        whole.slice(start + 1, from).trim() === '' &&
        /^[^\S\n]*(\n|$)/.test(whole.slice(to));
      return whole.slice(0, isAlone ? Math.max(0, start) : from) + insert + whole.slice(to);
    }, text);
}

const stepsOf = (value: unknown): Raw[] =>
  (Array.isArray(value) ? value : ((value as Raw)['plan'] as unknown[])) as Raw[];

const TOOL_KEYS = ['tool', 'tool_name', 'name'] as const;
const toolKey = (step: Raw): string => TOOL_KEYS.find((key) => step[key] !== undefined) ?? 'tool';
const argsKey = (step: Raw): string =>
  step['args'] === undefined && step['arguments'] !== undefined ? 'arguments' : 'args';

function rowOf(step: Raw): PlanRow {
  const tool = step[toolKey(step)];
  const purpose = step['purpose'];
  return {
    tool: typeof tool === 'string' ? tool : '',
    args: planArguments(step[argsKey(step)]),
    purpose: typeof purpose === 'string' ? purpose : null,
  };
}

function planArguments(value: unknown): Record<string, unknown> {
  if (typeof value === 'string') {
    try {
      return planArguments(parseJson(value));
    } catch {
      return {};
    }
  }
  return isRecord(value) ? (value as Raw) : {};
}

function mergeStep(step: Raw, { tool, args, purpose }: Partial<PlanRow>): Raw {
  const next = {
    ...step,
    ...(tool === undefined ? {} : { [toolKey(step)]: tool }),
    ...(args === undefined ? {} : { [argsKey(step)]: args }),
  };
  if (purpose === undefined) return next;
  const { purpose: _old, ...rest } = next as Raw;
  return purpose === null ? rest : { ...rest, purpose };
}

const planLine = ({ tool, args }: PlanRow): string => `${tool}(${JSON.stringify(args)})`;
