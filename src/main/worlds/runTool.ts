// Owns: one tool call on a session's database: check the arguments, run the tool's SQL in a transaction, write the
// result. A refused call changes nothing.
import type { Database, Statement } from 'better-sqlite3';
import type { ResultShape, Tool, ToolStep } from './packFiles.ts';
import { checkArguments } from './toolArguments.ts';

export type ToolOutcome = { ok: true; text: string } | { ok: false; error: string };
type Values = Record<string, unknown>;
type Refusal = { status: number; detail: string };
type Prepared = Statement<[Values], Values>;
/** A session's tools say the same few statements over and over: each is prepared once. */
type Prepare = (sql: string) => Prepared;
type Ground = { db: Database; prepare: Prepare };

export type RunTool = (tool: Tool, args: Values, now: string) => ToolOutcome;

/** Runs tools of a pack on one database. Errors read as a scenario's HTTP service reports them through MCP. */
export function createRunTool(db: Database): RunTool {
  const prepared = new Map<string, Prepared>();
  const prepare: Prepare = (sql) => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const made = db.prepare<[Values], Values>(sql);
    prepared.set(sql, made);
    return made;
  };
  return (tool, args, now) => run({ db, prepare }, tool, args, now);
}

function run({ db, prepare }: Ground, tool: Tool, args: Values, now: string): ToolOutcome {
  const writes = tool.run.some((step) => 'do' in step);
  const checked = checkArguments(tool, args, writes ? 'body' : 'query');
  if (!checked.ok) return refused(tool, 422, JSON.stringify({ detail: checked.details }));
  const values: Values = { now, ...bindable(checked.values) };
  db.exec('BEGIN');
  try {
    const refusal = runSteps(prepare, tool.run, values);
    if (refusal !== null) {
      db.exec('ROLLBACK');
      return refused(tool, refusal.status, JSON.stringify({ detail: refusal.detail }));
    }
    const text = JSON.stringify(read(prepare, tool.result, values), null, 2);
    db.exec('COMMIT');
    return { ok: true, text };
  } catch (thrown) {
    if (db.inTransaction) db.exec('ROLLBACK');
    return crashed(tool, thrown);
  }
}

const refused = ({ name }: Tool, status: number, response: string): ToolOutcome => ({
  ok: false,
  error: `Error calling ${name}. Status code: ${String(status)}. Response: ${response}`,
});

function crashed(tool: Tool, thrown: unknown): ToolOutcome {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (!code.startsWith('SQLITE_CONSTRAINT')) return refused(tool, 500, 'Internal Server Error');
  const detail = thrown instanceof Error ? thrown.message : '';
  return refused(tool, 409, JSON.stringify({ detail }));
}

function runSteps(prepare: Prepare, steps: readonly ToolStep[], values: Values): Refusal | null {
  for (const step of steps) {
    if ('do' in step) prepare(step.do).run(values);
    else if ('let' in step) values[step.let] = first(prepare, step.be, values);
    else if ('need' in step) {
      if (row(prepare, step.need, values) === undefined) return refusalOf(step, values);
    } else {
      const found = row(prepare, step.refuse, values);
      if (found !== undefined) return refusalOf(step, { ...values, ...found });
    }
  }
  return null;
}

const refusalOf = ({ status, detail }: Refusal, values: Values): Refusal => ({
  status,
  detail: detail.replace(/\{(\w+)\}/g, (_whole, name: string) => String(values[name])),
});

const row = (prepare: Prepare, sql: string, values: Values): Values | undefined => prepare(sql).get(values);
const first = (prepare: Prepare, sql: string, values: Values): unknown =>
  Object.values(row(prepare, sql, values) ?? {})[0] ?? null;

function read(prepare: Prepare, shape: ResultShape, values: Values): unknown {
  if ('one' in shape) return shown(row(prepare, shape.one, values) ?? {});
  if ('all' in shape) return prepare(shape.all).all(values).map(shown);
  if ('value' in shape) return first(prepare, shape.value, values);
  return Object.fromEntries(
    Object.entries(shape.object).map(([key, inner]) => [key, read(prepare, inner, values)]),
  );
}

/** SQLite has no booleans and no objects: `is_…` columns and `…_json` columns stand for them. */
const shown = (stored: Values): Values =>
  Object.fromEntries(
    Object.entries(stored).map(([column, value]) => {
      if (column.startsWith('is_') && typeof value === 'number') return [column, value !== 0];
      if (column.endsWith('_json'))
        return [column.slice(0, -'_json'.length), typeof value === 'string' ? JSON.parse(value) : value];
      return [column, value];
    }),
  );

const bindable = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (typeof value === 'boolean') return [name, value ? 1 : 0];
      return [name, typeof value === 'object' && value !== null ? JSON.stringify(value) : value];
    }),
  );
