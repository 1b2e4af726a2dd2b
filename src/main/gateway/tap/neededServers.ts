// The servers behind the tap that are ours to start: started when a client finds none, and kept while it plays.
import type { EventLog } from '../../log/eventLog.ts';
import type { EnvironmentSpec } from '../../../shared/events/lifecycle.ts';
import type { FromTap, ToTap } from './linkProtocol.ts';

export type TapServers = {
  isOurs: (id: string) => boolean;
  /** Resolves once it is well. Rejects where it is not. */
  start: (environment: EnvironmentSpec) => Promise<void>;
  /** Keeps it from being stopped as idle, until what it returns is called. */
  use: (id: string) => () => void;
  /** It did not start; the client is only told that. */
  failed: (environment: EnvironmentSpec, thrown: unknown) => void;
};

export type NeededServers = {
  answer(needed: Extract<FromTap, { type: 'server_needed' }>): Promise<ToTap>;
  /** The episodes that play now: their servers are kept, and those of no others. */
  hold(live: ReadonlySet<string>): void;
};

type NeededServersDependencies = {
  servers?: TapServers;
  environment: (id: string) => EnvironmentSpec;
  log: Pick<EventLog, 'record'>;
};

export function neededServers({ servers, environment, log }: NeededServersDependencies): NeededServers {
  const held = new Map<string, () => void>();
  return {
    answer: async ({ id, environment: name }) => {
      if (servers === undefined || !servers.isOurs(name)) return { type: 'server', id, state: 'not_ours' };
      const spec = environment(name);
      try {
        await servers.start(spec);
        return { type: 'server', id, state: 'ready' };
      } catch (thrown) {
        servers.failed(spec, thrown);
        return { type: 'server', id, state: 'failed' };
      }
    },
    hold: (live) => {
      for (const [episode, leave] of held) {
        if (live.has(episode)) continue;
        held.delete(episode);
        leave();
      }
      for (const episode of live) {
        // One that has just begun is held once its first record is in the log.
        const started = held.has(episode) ? null : log.record(episode).started;
        if (servers !== undefined && started !== null) held.set(episode, servers.use(started.environment.id));
      }
    },
  };
}
