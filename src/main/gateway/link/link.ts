// Owns: which live tapped episode a client's question belongs to: told, or scored by task text and latest activity.
// Must not know: which door the question came through.
import type { Link } from '../../../shared/events/consultations.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Schedule } from '../../desk/wait.ts';
import type { EventLog } from '../../log/eventLog.ts';
import type { Claim } from './claim.ts';

export type Linked = { episode: string | null; turn: number; link: Link };
export type Linker = {
  /** `text` is the request in words, criteria included. */
  find(claim: Pick<Claim, 'episode' | 'by'>, text: string): Linked;
  /**
   * Resolves once what the tap saw before a question has had the time to be recorded, and a claimed episode is there or
   * is not coming: frames and questions take different roads.
   */
  settle(claim: Pick<Claim, 'episode'>): Promise<void>;
  /** A tapped episode by our id or by the client's own; the newest of those. Ended ones too. */
  named(id: string): EpisodeRecord | null;
  close(): void;
};

const UNLINKED: Linked = { episode: null, turn: 0, link: { by: 'none', score: 0 } };
/** Even a lone match is a guess: two rollouts may share a task, and only one of them may be tapped. */
const CERTAIN_MAX = 0.95;
/** Shorter tasks stand in texts by chance. */
const TASK_MIN = 8;
/** Activity this much later makes an episode twice as likely. */
const HALF_MS = 2_000;
/** What was tried and told in the request counts more than when something last happened. */
const EVIDENCE = 8;
const EVIDENCE_MIN = 12;
/** The tap writes what it saw a few times a second. */
const SETTLE_MS = 150;
/** How often a claimed episode is looked for: its reset may have come an instant ago. */
const CLAIM_LOOKS = 6;
/** Clients' own names of episodes that are remembered after these have ended. */
const TOLD_MAX = 20_000;

export function createLinker({
  log,
  clock,
  schedule,
}: {
  log: EventLog;
  clock: () => number;
  schedule: Schedule;
}): Linker {
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      schedule(ms, resolve);
    });
  const live = (): EpisodeRecord[] =>
    log.projections
      .open()
      .map((id) => log.record(id))
      .filter(({ tapped }) => tapped !== null);
  const told = new Map<string, string>();
  const close = log.subscribe(({ event, stream }) => {
    if (event.kind !== 'episode.started' || event.source !== 'tap') return;
    const name = event.trainer?.episode ?? null;
    if (name === null) return;
    told.delete(name);
    told.set(name, stream);
    const [oldest] = told.keys();
    if (told.size > TOLD_MAX && oldest !== undefined) told.delete(oldest);
  });
  const named = (id: string): EpisodeRecord | null => {
    // A name nobody told here may be from before a restart.
    const known = told.get(id) ?? log.projections.toldAs(id) ?? id;
    // The log keeps a record of whatever it is asked for: it is asked for what is there only.
    const record = log.projections.episode(known) === null ? null : log.record(known);
    return record?.tapped === null ? null : record;
  };
  return {
    named,
    close,
    settle: async ({ episode }) => {
      const looks = episode === null ? 0 : CLAIM_LOOKS;
      for (let look = 0; look < looks && named(episode ?? '') === null; look += 1) await pause(SETTLE_MS);
      if (live().length > 0) await pause(SETTLE_MS);
    },
    find: ({ episode, by }, text) => {
      if (episode !== null && by !== 'none') {
        const record = named(episode);
        // An ended episode's own events never change: what comes after it stands for itself.
        if (record === null || record.ended !== null) return UNLINKED;
        return { episode: record.id, turn: turnOf(record), link: { by, score: 1 } };
      }
      return probable(live(), text, clock());
    },
  };
}

const turnOf = (record: EpisodeRecord): number => record.turns.at(-1)?.turn ?? 0;

/** The best of the episodes whose task stands in the request; its share of the likelihood is the score. */
function probable(records: readonly EpisodeRecord[], text: string, now: number): Linked {
  const flat = squeezed(text);
  const weighed = records
    .filter((record) => mayAsk(record) && tellsTask(record, flat))
    .map((record) => ({ record, weight: weightOf(record, flat, now) }))
    .toSorted((a, b) => b.weight - a.weight);
  // A guess at another question rules nothing out: it may be wrong, and then this one is that episode's.
  const best = weighed.find(({ record }) => !isAsking(record)) ?? weighed[0];
  if (best === undefined) return UNLINKED;
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0);
  const share = total === 0 ? 1 / weighed.length : best.weight / total;
  const score = Math.round(Math.min(CERTAIN_MAX, share) * 100) / 100;
  return { episode: best.record.id, turn: turnOf(best.record), link: { by: 'activity', score } };
}

/** An agent that waits for a result, or for an answer to a question that is certainly its own, asks nothing. */
function mayAsk({ ended, reset, turns, consultations }: EpisodeRecord): boolean {
  const call = turns.at(-1)?.call ?? null;
  const isBusy = call !== null && call.sent !== null && call.returned === null && call.decision === null;
  const isWaiting = consultations.some(({ decision, link }) => decision === null && link?.score === 1);
  return ended === null && reset !== null && !isBusy && !isWaiting;
}

const isAsking = ({ consultations }: EpisodeRecord): boolean =>
  consultations.some(({ decision, via }) => decision === null && via !== 'loop');

function tellsTask({ reset }: EpisodeRecord, flat: string): boolean {
  const task = reset?.task ?? null;
  const head = squeezed(task === null ? '' : typeof task === 'string' ? task : task.head);
  return head.length >= TASK_MIN && flat.includes(head);
}

function weightOf({ updatedAt, turns }: EpisodeRecord, flat: string, now: number): number {
  const age = Math.max(0, now - (updatedAt ?? 0));
  const recent = 1 / (1 + age / HALF_MS);
  const told = turns.slice(-3).filter(({ call }) => {
    const error = call?.returned?.error ?? null;
    const head = squeezed(error === null ? '' : typeof error === 'string' ? error : error.head).slice(0, 60);
    return head.length >= EVIDENCE_MIN && flat.includes(head);
  }).length;
  return recent * (1 + told * EVIDENCE);
}

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();
