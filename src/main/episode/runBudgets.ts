// What the episodes of a run may take together, over restarts too: an episode that goes on finds what all of its run had
// spent before.
import type { EpisodeRow } from '../../shared/contract/rows.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { SharedBudget } from '../../shared/events/lifecycle.ts';
import type { EventLog } from '../log/eventLog.ts';
import { createRunBudget, type RunBudget, type SpentBefore } from './budget.ts';

export type RunBudgets = {
  /** Of a run that begins. One with a name goes on counting what its episodes spent before, in other processes too. */
  open: (shared: Omit<SharedBudget, 'id'>, run?: string) => RunBudget;
  /** The one that an episode of the log was started with; null where there was none. */
  again: (record: Pick<EpisodeRecord, 'started'>) => RunBudget | null;
};

/** Which episodes share a budget, and how long the run had been going. */
const MARK = 'budget:';
const memberMark = (id: string, episode: string): string => `${MARK}${id} ${episode}`;
const timeMark = (id: string): string => `${MARK}${id}`;
/** A named run is found by its name: it may be begun again. */
const NAMED = 'run ';
const isNamed = (id: string): boolean => id.startsWith(NAMED);
const PAGE = 500;

type RunBudgetsEdges = { log: EventLog; monotonic: () => number; newId: () => string };

export function createRunBudgets({ log, monotonic, newId }: RunBudgetsEdges): RunBudgets {
  forgetEnded(log);
  const restored = new Map<string, RunBudget>();
  const make = (shared: SharedBudget, before: SpentBefore): RunBudget =>
    createRunBudget(shared, {
      monotonic,
      before,
      join: (episode) => {
        if (!isNamed(shared.id)) log.keepMarks([{ name: memberMark(shared.id, episode), value: 1 }]);
      },
      keepTime: (usedMs) => log.keepMarks([{ name: timeMark(shared.id), value: usedMs }]),
    });
  return {
    open: (shared, run) =>
      run === undefined
        ? make({ ...shared, id: newId() }, { episodes: [], usedMs: 0 })
        : make({ ...shared, id: `${NAMED}${run}` }, spentBefore(log, `${NAMED}${run}`)),
    again: ({ started }) => {
      const shared = started?.run_budget;
      if (shared === undefined) return null;
      const known = restored.get(shared.id) ?? make(shared, spentBefore(log, shared.id));
      restored.set(shared.id, known);
      return known;
    },
  };
}

function spentBefore(log: EventLog, id: string): SpentBefore {
  const rows = isNamed(id) ? rowsOfRun(log, id.slice(NAMED.length)) : rowsOfMembers(log, id);
  return {
    usedMs: log.mark(timeMark(id)),
    episodes: rows.map((row) => ({ id: row.id, spending: row.spent ?? null, turns: row.turns })),
  };
}

function rowsOfMembers(log: EventLog, id: string): EpisodeRow[] {
  const prefix = memberMark(id, '');
  return log.marks(prefix).flatMap((mark) => log.projections.episode(mark.slice(prefix.length)) ?? []);
}

function rowsOfRun({ projections }: EventLog, run: string): EpisodeRow[] {
  const all: EpisodeRow[] = [];
  const asked = { query: '', status: null, condition: null, filter: { run, source: 'run' } } as const;
  for (;;) {
    const { rows } = projections.episodes({ ...asked, offset: all.length, limit: PAGE });
    all.push(...rows);
    if (rows.length < PAGE) return all;
  }
}

/** What belongs to runs of which no episode can go on is kept no longer. */
function forgetEnded(log: EventLog): void {
  const marks = log.marks(MARK).filter((mark) => !isNamed(mark.slice(MARK.length)));
  if (marks.length === 0) return;
  const begun = log.projections.open().flatMap((id) => log.read(id, 0, 1));
  const queued = log.queue.all().flatMap(({ opening }) => opening.slice(0, 1));
  const open = new Set(
    [...begun, ...queued].flatMap(({ event }) =>
      event.kind === 'episode.started' ? [event.run_budget?.id ?? ''] : [],
    ),
  );
  log.dropMarks(marks.filter((mark) => !open.has(mark.slice(MARK.length).split(' ', 1).join(''))));
}
