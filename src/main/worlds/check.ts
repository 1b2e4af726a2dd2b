// Proving a pack: it loads, it is rich enough, and every task can be done, cannot be done by doing nothing, and
// cannot be done by its own wrong draft. Must not know: who asks; the command and the doctor print the report.
import Sqlite from 'better-sqlite3';
import { failureShape } from '../../shared/failure.ts';
import { isMadeAgain, isSameCall } from '../../shared/plan.ts';
import { tableNames } from './verifier.ts';
import { type Pack, readPack } from './pack.ts';
import type { PackTask, PackTool, ResultShape } from './packFiles.ts';
import { openWorldSession, type WorldSession } from './session.ts';

type PackReport = { pack: string | null; checks: PackCheck[] };

const TABLES_MIN = 8;
const ROWS_MIN = 150;
const TOOLS_MIN = 15;

/**
 * Checks the pack in a folder. Never throws for a bad pack: that is what the report says. A built-in one is also asked
 * whether it is rich enough to be shipped.
 */
export async function checkPack(folder: string, { isBuiltIn = true } = {}): Promise<PackReport> {
  let pack: Pack;
  try {
    pack = readPack(folder);
    pack.image();
  } catch (thrown) {
    const { message } = failureShape(thrown);
    return { pack: null, checks: [{ name: 'the pack loads', status: 'fail', evidence: message }] };
  }
  const checks = [
    packCheck('the pack loads', null, `${String(pack.tasks.length)} tasks`),
    ...(isBuiltIn ? sizeChecks(pack) : []),
    sqlCheck(pack),
    resetCheck(pack, folder),
    ...pack.tasks.flatMap((task, index) => taskChecks(pack, task, index)),
  ];
  return { pack: pack.name, checks };
}

function sizeChecks(pack: Pack): PackCheck[] {
  const db = new Sqlite(pack.image(), { readonly: true });
  const tables = tableNames(db);
  const rows = tables.reduce(
    (sum, table) => sum + (db.prepare<[], number>(`SELECT count(*) FROM "${table}"`).pluck().get() ?? 0),
    0,
  );
  db.close();
  const atLeast = (what: string, count: number, min: number): PackCheck =>
    packCheck(
      `at least ${String(min)} ${what}`,
      count >= min ? null : `only ${String(count)}`,
      String(count),
    );
  return [
    atLeast('tables', tables.length, TABLES_MIN),
    atLeast('rows', rows, ROWS_MIN),
    atLeast('tools', pack.tools.size, TOOLS_MIN),
  ];
}

/** Every statement is understood by SQLite against this schema; what reads only reads. */
function sqlCheck(pack: Pack): PackCheck {
  const db = new Sqlite(pack.image(), { readonly: true });
  const wrong = [...pack.tools.values()].flatMap((tool) =>
    statementsOf(tool).flatMap(({ sql, writes }) => {
      try {
        return db.prepare(sql).readonly === writes ? [`${tool.name}: ${sql.slice(0, 60)}`] : [];
      } catch (thrown) {
        return [`${tool.name}: ${failureShape(thrown).message}`];
      }
    }),
  );
  db.close();
  return packCheck('every tool statement fits the schema', wrong.length === 0 ? null : wrong.join('; '));
}

/** An episode leaves nothing behind for the next one, and the pack is built alike each time. */
function resetCheck(pack: Pack, folder: string): PackCheck {
  const first = openWorldSession(pack);
  failures(first, pack.tasks[0]?.reference ?? []);
  first.close();
  const [again, built] = [pack, readPack(folder)].map((one) => {
    const world = openWorldSession(one);
    const { current } = world.images();
    world.close();
    return Buffer.from(current);
  });
  const isEqual = again !== undefined && built !== undefined && Buffer.compare(again, built) === 0;
  const bytes = `${String(again?.length ?? 0)} bytes`;
  return packCheck('every reset starts from the same rows', isEqual ? null : 'two resets differ', bytes);
}

function statementsOf({ run, result }: PackTool): { sql: string; writes: boolean }[] {
  const steps = run.map((step) => {
    if ('do' in step) return { sql: step.do, writes: true };
    if ('let' in step) return { sql: step.be, writes: false };
    if ('need' in step) return { sql: step.need, writes: false };
    return { sql: 'refuse' in step ? step.refuse : step.falter, writes: false };
  });
  return [...steps, ...queriesIn(result).map((sql) => ({ sql, writes: false }))];
}

const queriesIn = (shape: ResultShape): string[] =>
  'object' in shape ? Object.values(shape.object).flatMap(queriesIn) : Object.values(shape);

function taskChecks(pack: Pack, task: PackTask, index: number): PackCheck[] {
  const name = (what: string): string => `task ${String(index)}: ${what}`;
  const { final } = task.rehearsal;
  const idle = playCalls(pack, index, [], final);
  const reference = playCalls(pack, index, task.reference, final);
  const checks = [
    packCheck(name('doing nothing does not pass'), idle.verdict === 'complete' ? 'it passes' : null),
    packCheck(name('the reference solution passes'), againstReference(reference)),
    packCheck(name('the rehearsal errs, and harms nothing'), againstRehearsal(pack, task, index)),
  ];
  checks.push(...nearMissChecks(pack, task, index, name));
  if (task.answer !== null) {
    const silent = playCalls(pack, index, task.reference, '');
    checks.push(
      packCheck(name('it needs the answer'), silent.verdict === 'complete' ? 'passes without' : null),
    );
  }
  if (task.draft !== null) {
    const drafted = playCalls(pack, index, task.draft.calls, final);
    const wrong = drafted.failed.length > 0 ? drafted.failed.join('; ') : null;
    const against = drafted.verdict === 'complete' ? 'it passes' : wrong;
    checks.push(packCheck(name('the draft can be carried out and does not pass'), against));
  }
  return checks;
}

/** Plans that come close: the reference without one of its changes, and those the pack names. */
function nearMissChecks(
  pack: Pack,
  { reference, near_misses: named, rehearsal: { final } }: PackTask,
  index: number,
  name: (what: string) => string,
): PackCheck[] {
  const without = reference.filter((call, at) => {
    if (!changesRows(pack, call.tool) || isMadeAgain(reference, at)) return false;
    const rest = reference.filter((other) => !isSameCall(other, call));
    return playCalls(pack, index, rest, final).verdict === 'complete';
  });
  const left = name('the reference does not pass without one of its changes');
  const checks = [packCheck(left, without.length === 0 ? null : `not needed: ${namesOf(without)}`)];
  for (const { why, calls } of named) {
    const { verdict, failed } = playCalls(pack, index, calls, final);
    // To stop after a call faltered is a near miss too.
    const broken = failed.filter((error) => !/Status code: 50[234]/.test(error)).join('; ');
    const against = verdict === 'complete' ? 'it passes' : broken || null;
    checks.push(packCheck(name(`a near miss does not pass (${why})`), against));
  }
  return checks;
}

const changesRows = (pack: Pack, tool: string): boolean =>
  pack.tools.get(tool)?.run.some((step) => 'do' in step) ?? false;
const namesOf = (calls: Calls): string => calls.map(({ tool }) => tool).join(', ');

type CheckPlay = { verdict: string; failed: string[] };

/** Carries calls out in a fresh world and asks for the verdict, twice: it must not depend on being asked. */
function playCalls(pack: Pack, index: number, calls: Calls, answer: string, before: Calls = []): CheckPlay {
  const world = openWorldSession(pack);
  try {
    for (const { tool, args } of before) world.call(tool, args);
    const failed = failures(world, calls);
    const verdicts = [world.verify(index, answer), world.verify(index, answer)];
    return { verdict: verdicts[0] === verdicts[1] ? (verdicts[0] ?? 'none') : 'unstable', failed };
  } finally {
    world.close();
  }
}

type Calls = readonly { tool: string; args: Record<string, unknown> }[];

/** The calls that failed. One that faltered and was made again is no failure. */
const failures = (world: WorldSession, calls: Calls): string[] =>
  calls.flatMap(({ tool, args }, at) => {
    const outcome = world.call(tool, args);
    return outcome.ok || isMadeAgain(calls, at) ? [] : [outcome.error];
  });

const againstReference = ({ verdict, failed }: CheckPlay): string | null => {
  if (failed.length > 0) return failed.join('; ');
  return verdict === 'complete' ? null : `the verdict is ${verdict}`;
};

function againstRehearsal(pack: Pack, task: PackTask, index: number): string | null {
  const { attempts, final } = task.rehearsal;
  const world = openWorldSession(pack);
  const failed = failures(world, attempts);
  world.close();
  if (failed.length === 0) return 'no attempt errs';
  if (playCalls(pack, index, attempts, final).verdict === 'complete') return 'the attempts complete the task';
  return againstReference(playCalls(pack, index, task.reference, final, attempts));
}

/** One promise about a world, and what was seen of it. */
export type PackCheck = { name: string; status: 'pass' | 'fail'; evidence: string };

/** A check with what speaks against it, or null and what was seen. */
export const packCheck = (name: string, against: string | null, seen = ''): PackCheck => ({
  name,
  status: against === null ? 'pass' : 'fail',
  evidence: against ?? seen,
});
