// Which live tapped episode a client's question belongs to: the one it names, or the one whose calls and results it
// quotes. A question that fits no episode with certainty belongs to none. Must not know: which door the question came
// through.
import type { Link } from '../../../shared/events/consultations.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Schedule } from '../../desk/wait.ts';
import type { EventLog } from '../../log/eventLog.ts';
import type { EpisodeClaim } from './episodeClaim.ts';
import { historyOf, type History, type QuotedHistory } from './history.ts';
import { matchHistory } from './match.ts';

export type LinkedEpisode = { episode: string | null; link: Link };
export type Linker = {
  /** `isRecorded` is what `settle` said. */
  find(
    claim: Pick<EpisodeClaim, 'episode' | 'by'>,
    quoted: QuotedHistory,
    isRecorded: boolean,
  ): LinkedEpisode;
  /**
   * Resolves once what the tap saw before a question is in the log, and a claimed episode is there or is not coming:
   * frames and questions take different roads. False where something of it is not in the log.
   */
  settle(claim: Pick<EpisodeClaim, 'episode'>): Promise<boolean>;
  /** A tapped episode by our id or by the client's own; the newest of those. Ended ones too. */
  named(id: string): EpisodeRecord | null;
  close(): void;
};

type LinkReason = NonNullable<Link['why']>;
const unlinked = (why: LinkReason): LinkedEpisode => ({ episode: null, link: { by: 'none', score: 0, why } });
/** How often a claimed episode is looked for: its reset may have come an instant ago. */
const CLAIM_LOOKS = 6;
/** Clients' own names of episodes that are remembered after these have ended. */
const TOLD_MAX = 20_000;
/** Between two looks for a claimed episode. */
const LINK_WAIT_MS = 150;
/** Episodes that were cut short, which a late question may still be from. */
const ENDED_EPISODES_MAX = 500;

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
  const isLive = ({ tapped, ended: over }: EpisodeRecord): boolean => tapped !== null && over === null;
  // A crowd asks at once: which episodes are live is looked up for the first question, and kept from then on.
  let known: Set<string> | null = null;
  const live = (): Set<string> =>
    (known ??= new Set(log.projections.open().filter((id) => isLive(log.record(id)))));
  const told = new Map<string, string>();
  const ended = new Map<string, History>();
  const close = log.subscribe(({ event, stream }, record) => {
    if (isLive(record)) known?.add(stream);
    else known?.delete(stream);
    // Who was cut short may still ask what now. Who left by itself does not, and its twins come after it.
    if (event.kind === 'episode.ended' && record.tapped !== null && wasCutShort(record)) {
      ended.set(stream, historyOf(record));
      dropOldest(ended, ENDED_EPISODES_MAX);
    }
    if (event.kind !== 'episode.started' || event.source !== 'tap') return;
    const name = event.trainer?.episode ?? null;
    if (name === null) return;
    told.delete(name);
    told.set(name, stream);
    dropOldest(told, TOLD_MAX);
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
      const isRecorded = await recorded();
      const looks = episode === null || !isRecorded ? 0 : CLAIM_LOOKS;
      for (let look = 0; look < looks && named(episode ?? '') === null; look += 1) await pause(LINK_WAIT_MS);
      return isRecorded;
    },
    find: ({ episode, by }, quoted, isRecorded) => {
      if (episode !== null && by !== 'none') {
        const record = named(episode);
        // An ended episode's own events never change: what comes after it stands for itself.
        if (record === null || record.ended !== null) return unlinked('not_here');
        return { episode: record.id, link: { by, score: 1 } };
      }
      const records = [...live()].map((id) => log.record(id));
      if (records.length === 0) return unlinked('no_episode');
      // What was not recorded may be what is quoted.
      if (!isRecorded || records.some(({ counts }) => counts.lostFrames > 0)) return unlinked('not_recorded');
      const match = matchHistory([...records.map(historyOf), ...ended.values()], quoted);
      return match.episode === null
        ? unlinked(match.why)
        : { episode: match.episode, link: { by: 'history', score: 1 } };
    },
  };
}

const wasCutShort = ({ ended, turns }: EpisodeRecord): boolean =>
  ended?.outcome === 'interrupted' ||
  ended?.outcome === 'error' ||
  turns.some(({ touched }) => touched === 'stopped');

function dropOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
