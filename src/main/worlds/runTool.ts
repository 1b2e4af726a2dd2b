// One tool call on a session's database: check the arguments, run the tool's SQL in a transaction, write the result.
// A refused call changes nothing, unless the pack says that it failed halfway.
import type { Database, Statement } from 'better-sqlite3';
import { isRecord } from '../../shared/json.ts';
import { drawBelow } from './draw.ts';
import type { PackTool, ResultShape, ToolProperty } from './packFiles.ts';
import { PROBLEM_TEXTS, type ProblemType } from './problems.ts';

export type ToolOutcome = { ok: true; text: string } | { ok: false; error: string };
type SqlValues = Record<string, unknown>;
type ToolRefusal = { status: number; detail: string };
type PreparedSql = Statement<[SqlValues], SqlValues>;
/** A session's tools say the same few statements over and over: each is prepared once. */
type Prepare = (sql: string) => PreparedSql;
/** True if a call falters now, for the row its query gave; every call is counted. */
type Falters = (tool: string, row: SqlValues, times: number) => boolean;
type ToolContext = { db: Database; prepare: Prepare; falters: Falters };
type StepOutcome = ToolRefusal & { keepsChanges: boolean };

type RunTool = (tool: PackTool, args: SqlValues, now: string) => ToolOutcome;

/**
 * Runs tools of a pack on one database. Errors read as a scenario's HTTP service reports them through MCP. The seed
 * decides which calls falter; with 0 each does that can.
 */
export function createRunTool(db: Database, seed = 0): RunTool {
  const prepared = new Map<string, PreparedSql>();
  const prepare: Prepare = (sql) => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const made = db.prepare<[SqlValues], SqlValues>(sql);
    prepared.set(sql, made);
    return made;
  };
  const falters = createFalters(seed);
  return (tool, args, now) => runToolSql({ db, prepare, falters }, tool, args, now);
}

function createFalters(seed: number): Falters {
  const calls = new Map<string, number>();
  return (tool, row, times) => {
    const key = `${tool} ${JSON.stringify(Object.values(row))}`;
    const before = calls.get(key) ?? 0;
    calls.set(key, before + 1);
    return before < (seed === 0 ? times : drawnTimes(`${String(seed)} ${key}`, times));
  };
}

/** From none to all of the times a call may falter, by its seed and key alone. */
const drawnTimes = (key: string, times: number): number => drawBelow(key, times + 1);

function runToolSql(context: ToolContext, tool: PackTool, args: SqlValues, now: string): ToolOutcome {
  const { db, prepare } = context;
  const writes = tool.run.some((step) => 'do' in step);
  const checked = checkToolArguments(tool, args, writes ? 'body' : 'query');
  if (!checked.ok) return refusedCall(tool, 422, JSON.stringify({ detail: checked.details }));
  const values: SqlValues = { now, ...bindable(checked.values) };
  db.exec('BEGIN');
  try {
    const refusal = runSteps(context, tool, values);
    if (refusal !== null) {
      db.exec(refusal.keepsChanges ? 'COMMIT' : 'ROLLBACK');
      return refusedCall(tool, refusal.status, JSON.stringify({ detail: refusal.detail }));
    }
    const text = JSON.stringify(readResult(prepare, tool.result, values), null, 2);
    db.exec('COMMIT');
    return { ok: true, text };
  } catch (thrown) {
    if (db.inTransaction) db.exec('ROLLBACK');
    return crashed(tool, thrown);
  }
}

const refusedCall = ({ name }: PackTool, status: number, response: string): ToolOutcome => ({
  ok: false,
  error: `Error calling ${name}. Status code: ${String(status)}. Response: ${response}`,
});

function crashed(tool: PackTool, thrown: unknown): ToolOutcome {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (!code.startsWith('SQLITE_CONSTRAINT')) return refusedCall(tool, 500, 'Internal Server Error');
  const detail = thrown instanceof Error ? thrown.message : '';
  return refusedCall(tool, 409, JSON.stringify({ detail }));
}

function runSteps(
  { prepare, falters }: ToolContext,
  { name, run }: PackTool,
  values: SqlValues,
): StepOutcome | null {
  for (const step of run) {
    if ('do' in step) prepare(step.do).run(values);
    else if ('let' in step) values[step.let] = first(prepare, step.be, values);
    else if ('need' in step) {
      if (firstRow(prepare, step.need, values) === undefined) return filledRefusal(step, values);
    } else if ('refuse' in step) {
      const found = firstRow(prepare, step.refuse, values);
      if (found !== undefined) return filledRefusal(step, { ...values, ...found });
    } else {
      const found = firstRow(prepare, step.falter, values);
      if (found !== undefined && falters(name, found, step.times))
        return filledRefusal(step, { ...values, ...found }, step.keeps_changes);
    }
  }
  return null;
}

const filledRefusal = (
  { status, detail }: ToolRefusal,
  values: SqlValues,
  keepsChanges = false,
): StepOutcome => ({
  status,
  keepsChanges,
  detail: detail.replace(/\{(\w+)\}/g, (_whole, name: string) => String(values[name])),
});

const firstRow = (prepare: Prepare, sql: string, values: SqlValues): SqlValues | undefined =>
  prepare(sql).get(values);
const first = (prepare: Prepare, sql: string, values: SqlValues): unknown =>
  Object.values(firstRow(prepare, sql, values) ?? {})[0] ?? null;

function readResult(prepare: Prepare, shape: ResultShape, values: SqlValues): unknown {
  if ('one' in shape) return shownRow(firstRow(prepare, shape.one, values) ?? {});
  if ('all' in shape) return prepare(shape.all).all(values).map(shownRow);
  if ('value' in shape) return first(prepare, shape.value, values);
  return Object.fromEntries(
    Object.entries(shape.object).map(([key, inner]) => [key, readResult(prepare, inner, values)]),
  );
}

/** SQLite has no booleans and no objects: `is_…` columns and `…_json` columns stand for them. */
const shownRow = (stored: SqlValues): SqlValues =>
  Object.fromEntries(
    Object.entries(stored).map(([column, value]) => {
      if (column.startsWith('is_') && typeof value === 'number') return [column, value !== 0];
      if (column.endsWith('_json'))
        return [column.slice(0, -'_json'.length), typeof value === 'string' ? JSON.parse(value) : value];
      return [column, value];
    }),
  );

const bindable = (values: SqlValues): SqlValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (typeof value === 'boolean') return [name, value ? 1 : 0];
      return [name, typeof value === 'object' && value !== null ? JSON.stringify(value) : value];
    }),
  );

// Checks a call's arguments against its tool's schema, as leniently as a scenario's HTTP service does: numbers and
// booleans may come as text, unknown arguments are ignored.
type Detail = { type: string; loc: string[]; msg: string; input: unknown };
type CheckedArguments = { ok: true; values: Record<string, unknown> } | { ok: false; details: Detail[] };

/** The values to bind, one for every property of the schema (null where none was given), or what is wrong. */
function checkToolArguments(
  { input_schema: { properties, required } }: PackTool,
  args: Record<string, unknown>,
  place: 'query' | 'body',
): CheckedArguments {
  const values: Record<string, unknown> = {};
  const details: Detail[] = [];
  for (const [name, property] of Object.entries(properties)) {
    const given = Object.hasOwn(args, name) ? args[name] : undefined;
    const refuse = (type: string, msg: string, input: unknown = given): unknown =>
      details.push({ type, loc: [place, name], msg, input });
    values[name] = property.default ?? null;
    if ((given ?? null) === null && !required.includes(name)) continue;
    if (given === undefined) {
      refuse('missing', PROBLEM_TEXTS.missing, args);
      continue;
    }
    const read = property.enum === undefined ? ARGUMENT_READERS[property.type](given) : { value: given };
    const broken = typeof read === 'string' ? [read, PROBLEM_TEXTS[read]] : brokenRule(property, read.value);
    if (broken !== null) refuse(broken[0] ?? '', broken[1] ?? '');
    else if (typeof read !== 'string') values[name] = read.value;
  }
  return details.length === 0 ? { ok: true, values } : { ok: false, details };
}

type ArgumentReader = (given: unknown) => { value: unknown } | ProblemType;

const ARGUMENT_READERS: Readonly<Record<ToolProperty['type'], ArgumentReader>> = {
  integer: (given) => {
    if (typeof given === 'string')
      return /^\s*[+-]?\d+\s*$/.test(given) ? { value: Number(given) } : 'int_parsing';
    if (typeof given !== 'number') return 'int_type';
    return Number.isInteger(given) ? { value: given } : 'int_from_float';
  },
  number: (given) => {
    if (typeof given === 'number') return { value: given };
    if (typeof given !== 'string') return 'float_type';
    return given.trim() !== '' && Number.isFinite(Number(given)) ? { value: Number(given) } : 'float_parsing';
  },
  boolean: (given) => {
    const text = ['string', 'boolean', 'number'].includes(typeof given) ? String(given).toLowerCase() : null;
    if (text === null) return 'bool_type';
    if (/^(true|yes|on|1)$/.test(text)) return { value: true };
    return /^(false|no|off|0)$/.test(text) ? { value: false } : 'bool_parsing';
  },
  string: (given) => (typeof given === 'string' ? { value: given } : 'string_type'),
  array: (given) => (Array.isArray(given) ? { value: given } : 'list_type'),
  object: (given) => (isRecord(given) ? { value: given } : 'dict_type'),
};

/** The first rule of the schema that a value breaks. The words must not hold one that `labelOfError` looks for. */
function brokenRule(
  { enum: choices, minimum, maximum, minLength, maxLength, pattern }: ToolProperty,
  value: unknown,
): [type: string, msg: string] | null {
  if (choices !== undefined)
    return typeof value === 'string' && choices.includes(value)
      ? null
      : ['literal_error', `Input should be one of ${choices.join(', ')}`];
  if (typeof value === 'number') {
    if (minimum !== undefined && value < minimum)
      return ['greater_than_equal', `Input should be at least ${String(minimum)}`];
    if (maximum !== undefined && value > maximum)
      return ['less_than_equal', `Input should be at most ${String(maximum)}`];
  }
  if (typeof value === 'string') {
    if (minLength !== undefined && value.length < minLength)
      return ['string_too_short', `Input should be at least ${String(minLength)} characters long`];
    if (maxLength !== undefined && value.length > maxLength)
      return ['string_too_long', `Input should be at most ${String(maxLength)} characters long`];
    if (pattern !== undefined && !new RegExp(pattern).test(value))
      return ['string_pattern_mismatch', `Input should match ${pattern}`];
  }
  return null;
}
