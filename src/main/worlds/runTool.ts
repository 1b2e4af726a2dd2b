// One tool call on a session's database: check the arguments, run the tool's SQL in a transaction, write the result.
// A refused call changes nothing.
import type { Database, Statement } from 'better-sqlite3';
import type { ResultShape, PackTool, ToolStep } from './packFiles.ts';
import { checkToolArguments } from './toolArguments.ts';

export type ToolOutcome = { ok: true; text: string } | { ok: false; error: string };
type SqlValues = Record<string, unknown>;
type ToolRefusal = { status: number; detail: string };
type PreparedSql = Statement<[SqlValues], SqlValues>;
/** A session's tools say the same few statements over and over: each is prepared once. */
type Prepare = (sql: string) => PreparedSql;
type ToolContext = { db: Database; prepare: Prepare };

type RunTool = (tool: PackTool, args: SqlValues, now: string) => ToolOutcome;

/** Runs tools of a pack on one database. Errors read as a scenario's HTTP service reports them through MCP. */
export function createRunTool(db: Database): RunTool {
  const prepared = new Map<string, PreparedSql>();
  const prepare: Prepare = (sql) => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const made = db.prepare<[SqlValues], SqlValues>(sql);
    prepared.set(sql, made);
    return made;
  };
  return (tool, args, now) => runToolSql({ db, prepare }, tool, args, now);
}

function runToolSql({ db, prepare }: ToolContext, tool: PackTool, args: SqlValues, now: string): ToolOutcome {
  const writes = tool.run.some((step) => 'do' in step);
  const checked = checkToolArguments(tool, args, writes ? 'body' : 'query');
  if (!checked.ok) return refusedCall(tool, 422, JSON.stringify({ detail: checked.details }));
  const values: SqlValues = { now, ...bindable(checked.values) };
  db.exec('BEGIN');
  try {
    const refusal = runSteps(prepare, tool.run, values);
    if (refusal !== null) {
      db.exec('ROLLBACK');
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

function runSteps(prepare: Prepare, steps: readonly ToolStep[], values: SqlValues): ToolRefusal | null {
  for (const step of steps) {
    if ('do' in step) prepare(step.do).run(values);
    else if ('let' in step) values[step.let] = first(prepare, step.be, values);
    else if ('need' in step) {
      if (firstRow(prepare, step.need, values) === undefined) return filledRefusal(step, values);
    } else {
      const found = firstRow(prepare, step.refuse, values);
      if (found !== undefined) return filledRefusal(step, { ...values, ...found });
    }
  }
  return null;
}

const filledRefusal = ({ status, detail }: ToolRefusal, values: SqlValues): ToolRefusal => ({
  status,
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
