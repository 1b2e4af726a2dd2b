// What the servers behind the tap say of themselves, known before the first frame of an episode is read.
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { EnvironmentSpec } from '../../../shared/events/lifecycle.ts';
import type { EventLog } from '../../log/eventLog.ts';
import type { ActionSpace } from '../../openenv/actionSpace.ts';
import { UNDESCRIBED, type ServerDescription } from '../../openenv/serverDescription.ts';
import { RecordKind, type Began, type TapRecord } from './linkProtocol.ts';
import { environmentOr } from './tapConfig.ts';

export type KnownServers = {
  described: (environment: string) => ServerDescription;
  /** The actions of an episode's environment; null where it has tools. */
  actionsOf: (record: Pick<EpisodeRecord, 'started'>) => ActionSpace | null;
  /** Asks the servers of the episodes in these records; null where all of them are known. */
  prepare(records: readonly TapRecord[]): Promise<void> | null;
};

type KnownServersDependencies = {
  environment: (id: string) => EnvironmentSpec;
  log: Pick<EventLog, 'record'>;
  describe?: (environment: EnvironmentSpec) => Promise<ServerDescription>;
};

/** A server is asked again when it begins to be played after this time: it may have been replaced. */
const ASK_AGAIN_MS = 60_000;

export function knownServers(parts: KnownServersDependencies): KnownServers {
  const { describe = () => Promise.resolve(UNDESCRIBED) } = parts;
  const known = new Map<string, { at: number; description: ServerDescription }>();
  const described = (id: string): ServerDescription => known.get(id)?.description ?? UNDESCRIBED;
  const isKnown = (id: string): boolean => {
    const entry = known.get(id);
    return entry !== undefined && performance.now() - entry.at < ASK_AGAIN_MS;
  };
  /** Episodes whose environment was looked at. */
  const seen = new Set<string>();
  const environmentsOf = ({ kind, episode, payload }: TapRecord): string[] => {
    if (kind === RecordKind.ended) seen.delete(episode);
    else if (kind === RecordKind.began) {
      seen.add(episode);
      return [(JSON.parse(payload.toString('utf8')) as Began).environment];
    } else if (!seen.has(episode)) {
      // It began before this process did.
      seen.add(episode);
      return [parts.log.record(episode).started?.environment.id ?? []].flat();
    }
    return [];
  };
  return {
    described,
    actionsOf: ({ started }) => (started === null ? null : described(started.environment.id).actions),
    prepare: (records) => {
      const unknown = [...new Set(records.flatMap(environmentsOf))].filter((id) => !isKnown(id));
      if (unknown.length === 0) return null;
      const ask = async (id: string): Promise<void> => {
        const description = await describe(environmentOr(parts, id)).catch(() => UNDESCRIBED);
        known.set(id, { at: performance.now(), description });
      };
      return Promise.all(unknown.map(ask)).then(() => undefined);
    },
  };
}
