// Links a client's question to its tapped episode: the one it names. What its words quote says nothing: rollouts of one
// task do and read the same. Must not know: which door the question came through.
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Link } from '../../../shared/events/consultations.ts';
import type { TrainerRef } from '../../../shared/events/lifecycle.ts';
import type { Schedule } from '../../desk/waiting.ts';
import type { EventLog } from '../../log/eventLog.ts';

export type LinkedEpisode = { episode: string | null; link: Link };
/** `shared`: several episodes of this name played at the same time, so that nobody can say which is meant. */
type NamedEpisode = EpisodeRecord | 'shared' | null;
export type Linker = {
  /** Of the episodes that a key began. `isRecorded` is what `settle` said. */
  find(claim: Pick<EpisodeClaim, 'episode' | 'by'>, key: string, isRecorded: boolean): LinkedEpisode;
  /**
   * Resolves once what the tap saw before a question is in the log, and a claimed episode is there or is not coming:
   * frames and questions take different roads. False where something of it is not in the log.
   */
  settle(claim: Pick<EpisodeClaim, 'episode'>, key: string): Promise<boolean>;
  /** A tapped episode of a key, by the client's own name for it (the newest) or by our id. Ended ones too. */
  named(name: string, key: string): NamedEpisode;
  close(): void;
};
const unlinked = (why: NonNullable<Link['why']>): LinkedEpisode => ({
  episode: null,
  link: { by: 'none', score: 0, why },
});
/** A question that could be any rollout's of its key. */
export const UNNAMED: LinkedEpisode = unlinked('unnamed');
/** A question of an episode that is over, or that was never here. */
export const NOT_HERE: LinkedEpisode = unlinked('not_here');
/** Tries to find a claimed episode: its reset may have come an instant ago. */
const CLAIM_LOOKS = 6;
/** Between two looks for a claimed episode. */
const LINK_WAIT_MS = 150;

type LinkerDependencies = {
  log: EventLog;
  schedule: Schedule;
  /** Resolves once what the tap has seen by now is in the log: true, or false where it did not get there. */
  recorded: () => Promise<boolean>;
};

export function createLinker({ log, schedule, recorded }: LinkerDependencies): Linker {
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      schedule(ms, resolve);
    });
  const live = watchLive(log);
  /** Keys whose clients named a rollout that the tap did not see: another question of theirs may be its. */
  const withOthers = new Set<string>();
  const ofKey = (id: string, key: string): EpisodeRecord | null => {
    // The log keeps a record of whatever it is asked for: it is asked for what is there only.
    const record = log.projections.episode(id) === null ? null : log.record(id);
    return record?.tapped?.key_id === key ? record : null;
  };
  const named = (name: string, key: string): NamedEpisode => {
    const namesakes = log.projections.toldAs(name);
    const at = namesakes.findIndex((id) => ofKey(id, key) !== null);
    const newest = ofKey(namesakes[at] ?? name, key);
    if (newest === null || at === -1) return newest;
    const since = newest.startedAt ?? 0;
    const isShared = namesakes.slice(at + 1).some((id) => {
      // What is over for long is told by its row: its events are not read again.
      const row = log.projections.episode(id);
      const isRecent = row !== null && (row.status !== 'ended' || row.updated_at > since);
      return isRecent && isBeside(ofKey(id, key), since);
    });
    return isShared ? 'shared' : newest;
  };
  const isPlayed = (name: string, key: string): boolean =>
    log.projections.toldAs(name).some((id) => {
      const isOver = log.projections.episode(id)?.status === 'ended';
      return !isOver && isLive(ofKey(id, key));
    });
  const only = (key: string): string | null => {
    const [episode, another] = log.projections.tappedBy(key, 2);
    if (episode === undefined || another !== undefined || withOthers.has(key)) return null;
    const { started, ended } = log.record(episode);
    return ended === null && (started?.trainer?.episode ?? null) === null ? episode : null;
  };
  return {
    named,
    close: live.close,
    settle: async ({ episode }, key) => {
      const isRecorded = await recorded();
      const isThere = (): boolean => episode !== null && isLive(named(episode, key));
      const looks = episode === null || !isRecorded ? 0 : CLAIM_LOOKS;
      for (let look = 0; look < looks && !isThere(); look += 1) await pause(LINK_WAIT_MS);
      return isRecorded;
    },
    find: ({ episode, by }, key, isRecorded) => {
      if (episode !== null && by !== 'none') {
        const record = named(episode, key);
        if (record === null) withOthers.add(key);
        // Once they are over, a name is nobody's until an episode begins under it.
        if (record === 'shared') return isPlayed(episode, key) ? unlinked('ambiguous') : NOT_HERE;
        // An ended episode's own events never change: what comes after it stands for itself.
        if (record === null || record.ended !== null) return NOT_HERE;
        return { episode: record.id, link: { by, score: 1 } };
      }
      // What was not recorded may be the begin of another episode.
      if (!isRecorded) return unlinked('not_recorded');
      if (!live.has(key)) return unlinked('no_episode');
      const found = only(key);
      return found === null ? UNNAMED : { episode: found, link: { by: 'only_live', score: 1 } };
    },
  };
}

const isLive = (found: NamedEpisode): boolean =>
  found === 'shared' || (found !== null && found.ended === null);

const isBeside = (older: EpisodeRecord | null, began: number): boolean =>
  older !== null && (older.ended === null || older.ended.at > began);

/** The keys of live episodes. A crowd asks at once: looked up for the first question, and kept. */
function watchLive(log: EventLog) {
  let known: Map<string, string> | null = null;
  const live = (): Map<string, string> =>
    (known ??= new Map(
      log.projections.open().flatMap((id) => {
        const key = log.record(id).tapped?.key_id;
        return key === undefined ? [] : [[id, key] as const];
      }),
    ));
  const close = log.subscribe(({ event, stream }) => {
    if (event.kind === 'tap.opened' && event.key_id !== undefined) known?.set(stream, event.key_id);
    if (event.kind === 'episode.ended') known?.delete(stream);
  });
  return { has: (key: string): boolean => [...live().values()].includes(key), close };
}

export type EpisodeClaim = {
  /** The client's own id of the episode, or ours; null when it told none. */
  episode: string | null;
  by: 'header' | 'metadata' | 'key' | 'none';
  trainer: TrainerRef | null;
};

const ID_MAX = 200;

/** The header counts before the request's own fields, and these before the name behind the key. */
export function claimOf(
  headers: Headers,
  metadata: Readonly<Record<string, unknown>>,
  rollout: string | null,
): EpisodeClaim {
  const header = claimText(headers.get('x-interject-episode'));
  const field = claimText(metadata['episode_id']) ?? claimText(metadata['interject_episode']);
  const episode = header ?? field ?? rollout;
  const run = claimText(metadata['interject_run']);
  const step = claimNumber(metadata['interject_step']);
  const checkpoint = claimText(metadata['interject_checkpoint']);
  const hasTold = [episode, run, step, checkpoint].some((one) => one !== null);
  return {
    episode,
    by: header !== null ? 'header' : field !== null ? 'metadata' : rollout !== null ? 'key' : 'none',
    trainer: hasTold ? { run, step, checkpoint, episode } : null,
  };
}

/** Whom of the roster a client asks for by name; the header counts first. */
export const wantedExpert = (headers: Headers, metadata: Readonly<Record<string, unknown>>): string | null =>
  claimText(headers.get('x-interject-expert')) ?? claimText(metadata['interject_expert']);

function claimText(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).trim().slice(0, ID_MAX);
  return text === '' ? null : text;
}

function claimNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}
