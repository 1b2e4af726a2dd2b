// Episodes of one task have the same words: where several are listed, their order of start tells them apart.
import type { RecordSlice } from '../../state/store.ts';
import { useConsole } from '../../state/hooks.ts';

type Named = {
  episode: string;
  scenario: string | null;
  task_idx: number | null;
  /** Null where only the desk knows of it. */
  started_at: number | null;
  group: string | null;
};

/**
 * `rollout 3 of 16` for each episode of a group, `3 of 16` for one that only shares its task with others that are
 * listed. The first that started is 1.
 */
export function twinMarks(episodes: readonly Named[]): ReadonlyMap<string, string> {
  const tasks = new Map<string, Map<string, Named>>();
  for (const one of episodes) {
    const name = JSON.stringify([one.scenario, one.task_idx]);
    const twins = tasks.get(name) ?? new Map<string, Named>();
    const known = twins.get(one.episode);
    if (known === undefined || known.started_at === null) twins.set(one.episode, one);
    tasks.set(name, twins);
  }
  return new Map([...tasks.values()].flatMap((twins) => marksOfTask([...twins.values()])));
}

function marksOfTask(twins: readonly Named[]): [string, string][] {
  if (twins.length < 2) return [];
  const isOneGroup = twins.every(({ group }) => group !== null && group === twins[0]?.group);
  return twins
    .toSorted(
      (a, b) =>
        (a.started_at ?? Number.MAX_SAFE_INTEGER) - (b.started_at ?? Number.MAX_SAFE_INTEGER) ||
        (a.episode < b.episode ? -1 : 1),
    )
    .map(({ episode }, index) => [
      episode,
      `${isOneGroup ? 'rollout ' : ''}${String(index + 1)} of ${String(twins.length)}`,
    ]);
}

type Rows = RecordSlice['rows'];
type Listed = { rows: Rows; items: readonly unknown[]; holds: readonly unknown[] };
let read: Listed & { marks: ReadonlyMap<string, string> } = {
  rows: new Map(),
  items: [],
  holds: [],
  marks: new Map(),
};

/** Every event gives an episode another row, and none of them changes what a mark is made of. */
function isNamedAlike(before: Rows, after: Rows): boolean {
  if (before === after) return true;
  if (before.size !== after.size) return false;
  for (const row of after.values()) {
    const old = before.get(row.id);
    if (old === row) continue;
    if (
      old?.scenario !== row.scenario ||
      old.task_idx !== row.task_idx ||
      old.started_at !== row.started_at ||
      old.group !== row.group
    )
      return false;
  }
  return true;
}

/** Of all that the console lists, read once for every line of it. */
function marksOf({ rows, desk: { items, holds } }: RecordSlice): ReadonlyMap<string, string> {
  if (items === read.items && holds === read.holds && isNamedAlike(read.rows, rows)) {
    read = { ...read, rows };
    return read.marks;
  }
  // Only what a mark is made of: copying whole rows of a crowd took a tenth of the page's time.
  const listed = Array.from(rows.values(), ({ id, scenario, task_idx, started_at, group }) => ({
    episode: id,
    scenario,
    task_idx,
    started_at,
    group,
  }));
  const waiting = [...items, ...holds].map(({ episode, scenario, task_idx }) => ({
    episode,
    scenario,
    task_idx,
    started_at: null,
    group: null,
  }));
  read = { rows, items, holds, marks: twinMarks([...listed, ...waiting]) };
  return read.marks;
}

/** ` · 3 of 16` behind the name of an episode whose task others have too, else nothing. */
export const useTwinMark = (episode: string): string =>
  useConsole(({ record }) => {
    const mark = marksOf(record).get(episode);
    return mark === undefined ? '' : ` · ${mark}`;
  });

/** The same as a part of a text. */
export const TwinMark = ({ episode }: { episode: string }): string => useTwinMark(episode);
