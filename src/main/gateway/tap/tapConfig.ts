// Configuration of the tap's process: keys, environments and settings.
import { HOLD_DEFAULTS } from '../../../shared/contract/gateway.ts';
import { serverSpec } from '../../../shared/environmentKinds.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { EnvironmentSpec } from '../../../shared/events/lifecycle.ts';
import { type ServerConnection, USUAL_CONNECTION } from '../../../shared/serverConnection.ts';
import type { EventLog } from '../../log/eventLog.ts';
import type { ActionSpace } from '../../openenv/actionSpace.ts';
import { readAuthorities } from '../../openenv/authorities.ts';
import { type ServerDescription, UNDESCRIBED } from '../../openenv/serverDescription.ts';
import { type Began, RecordKind, type TapLinkKey, type TapRecord, type ToTap } from './linkProtocol.ts';
import type { TapParts } from './tap.ts';

type TapConfigDependencies = Pick<
  TapParts,
  'settings' | 'tokens' | 'strangers' | 'environment' | 'workingAddress' | 'connectionOf'
>;

export function tapConfig({
  settings,
  tokens,
  strangers = () => [],
  environment,
  workingAddress = (shown) => shown,
  connectionOf = () => USUAL_CONNECTION,
}: TapConfigDependencies): ToTap {
  const { may_act, on_touch, reserved_tools, note_in_result } = settings();
  const rules = { may_act, on_touch, reserved_tools, note_in_result };
  const keys = tokens().flatMap(({ id: key, sha256, name, environment: id, ...token }) => {
    const { atOnce = null, perMinute = null, bounds = [], hold = HOLD_DEFAULTS } = token;
    const within = bounds.map((one) => ({
      sha256: one.sha256,
      at_once: one.atOnce,
      per_minute: one.perMinute,
    }));
    const shown = urlOf({ environment }, id);
    const url = shown === null ? null : workingAddress(shown);
    if (shown === null || url === null) return [];
    const reach = reachOf(connectionOf(shown));
    const limits = { at_once: atOnce, per_minute: perMinute, within, ...hold };
    return [{ id: key, sha256, name, environment: id, url, ...limits, ...reach }];
  });
  return {
    type: 'config',
    keys,
    strangers: [...strangers()],
    rules,
  };
}

/** A file that cannot be read is no authority: the server is refused then, and `doctor` names the file. */
function reachOf({ headers, ca_file }: ServerConnection): Pick<TapLinkKey, 'headers' | 'ca'> {
  const named = Object.keys(headers).length === 0 ? {} : { headers };
  if (ca_file === null) return named;
  try {
    return { ...named, ca: readAuthorities(ca_file) };
  } catch {
    return named;
  }
}

/** Null for an environment that was removed: a key to it opens nothing. */
function urlOf({ environment }: Pick<TapConfigDependencies, 'environment'>, id: string): string | null {
  try {
    return environment(id).url;
  } catch {
    return null;
  }
}

/** An episode may begin while its environment is being removed; it is recorded all the same. */
export function environmentOr(
  { environment }: Pick<TapConfigDependencies, 'environment'>,
  id: string,
): EnvironmentSpec {
  try {
    return environment(id);
  } catch {
    return serverSpec(id, id, '');
  }
}

// Descriptions of the servers behind the tap, known before the first frame of an episode is read.
export type KnownServers = {
  described: (environment: string) => ServerDescription;
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
