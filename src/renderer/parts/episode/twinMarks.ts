// Repeats of one task have one name: where several are on screen, the end of the episode's id tells them apart.
import type { RecordSlice } from '../../state/store.ts';
import { useConsole } from '../../state/hooks.ts';

type Named = { episode: string; scenario: string | null; task_idx: number | null };

const SHORTEST = 4;

/** A mark for each episode that shares its name with another one, no longer than it has to be. */
export function twinMarks(episodes: readonly Named[]): ReadonlyMap<string, string> {
  const groups = new Map<string, Set<string>>();
  for (const { episode, scenario, task_idx: index } of episodes) {
    const name = JSON.stringify([scenario, index]);
    const ids = groups.get(name) ?? new Set();
    groups.set(name, ids.add(episode));
  }
  return new Map(
    [...groups.values()].flatMap((ids) => {
      if (ids.size < 2) return [];
      let length = SHORTEST;
      const marks = (): string[] => [...ids].map((id) => id.slice(-length));
      while (new Set(marks()).size < ids.size) length += 1;
      return [...ids].map((id) => [id, id.slice(-length)] as const);
    }),
  );
}

let read: { of: readonly unknown[]; marks: ReadonlyMap<string, string> } = { of: [], marks: new Map() };

/** Of all that the console lists, read once for every line of it. */
function marksOf({ rows, desk: { items, holds } }: RecordSlice): ReadonlyMap<string, string> {
  const of = [rows, items, holds];
  if (of.every((part, at) => part === read.of[at])) return read.marks;
  const listed = [...rows.values()].map(({ id, scenario, task_idx }) => ({
    episode: id,
    scenario,
    task_idx,
  }));
  read = { of, marks: twinMarks([...listed, ...items, ...holds]) };
  return read.marks;
}

/** ` · 3f2a` behind a name that another episode has too, else nothing. */
export const useTwinMark = (episode: string): string =>
  useConsole(({ record }) => {
    const mark = marksOf(record).get(episode);
    return mark === undefined ? '' : ` · ${mark}`;
  });

/** The same as a part of a text. */
export const TwinMark = ({ episode }: { episode: string }): string => useTwinMark(episode);
