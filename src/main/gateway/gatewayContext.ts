// The gateway as one thing: its doors and tap, their addresses, who is connected, and how it opens and closes.
import { kindOf } from '../../shared/environmentKinds.ts';
import type { GatewayStatus } from '../../shared/contract/gateway.ts';
import type { Actor } from '../../shared/events/actor.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { GatewayKeys } from '../settings/keys.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { createDoorWatch } from './doorWatch.ts';
import type { ClientDoors } from './doors.ts';
import { createGateway, type Gateway } from './gateway.ts';
import type { Tap } from './tap/tap.ts';

export type GatewayHouse = Gateway & {
  /** Opens the tap, at this port where it is free; the doors answer from now on. */
  open(tapPort: number): Promise<void>;
  /** The address of the port that the doors are mounted on, once it is known. */
  announce(url: string): void;
  /** The tap's own port, for clients that come to the main port with its path; null while there is none. */
  tapPort(): number | null;
  status: () => GatewayStatus;
  /** Hears that the status may have changed; returns its undo. */
  onChanged: (listener: () => void) => () => void;
  tapped: () => number;
  /** Those of them whose environment ends with this process. */
  inWorlds: () => number;
  /** Refuses clients that come from now on; with `onlyInWorlds` those of built-in worlds alone. */
  refuseNew: (which: { onlyInWorlds: boolean }) => void;
  /** Ends an episode that a client plays, for its client; false when it is none. Throws where people may not act. */
  stop: (episode: string, actor: Actor, reason: string | null) => boolean;
  /** Resolves with true once the log has all that the tap did by now; with false where that takes too long. */
  recorded: () => Promise<boolean>;
  close(how: { keepServing: boolean }): Promise<void>;
};

type GatewayContextDependencies = {
  keys: GatewayKeys;
  settings: SettingsStore;
  log: EventLog;
  doors: ClientDoors;
  /** Every environment has a default key of its own. */
  environments: { all: () => EnvironmentSpec[]; onChanged: (listener: () => void) => () => void };
  /** `changed` is called when clients begin or leave. */
  openTap: (port: number, changed: () => void) => Promise<Tap>;
  clock: () => number;
  report: (thrown: unknown) => void;
};

export function createGatewayHouse(parts: GatewayContextDependencies): GatewayHouse {
  const { keys, settings, log, doors, environments, openTap, clock, report } = parts;
  const { changed, onChanged } = createChangeNews();
  let tap: Tap | null = null;
  let [url, isOpen]: [string | null, boolean] = [null, false];
  const watch = createDoorWatch(['expert', 'mcp', 'agent'], clock, changed);
  const taps = watchTaps(log, keys, changed);
  const undo = [
    environments.onChanged(() => {
      if (isOpen) keys.ensureDefaults(environments.all());
      tap?.tokensChanged();
    }),
    keys.onChanged(() => tap?.tokensChanged()),
    settings.onGatewayConfigured(() => (tap?.tokensChanged(), changed())),
  ];
  const gateway = createGateway({
    keys,
    doors: doors.doors,
    watch,
    hasMcp: () => settings.gateway().mcp,
    closed: () => (isOpen ? null : 'the gateway is not open in this process'),
    report,
  });
  return {
    ...gateway,
    open: async (tapPort) => {
      keys.ensureDefaults(environments.all());
      tap = await openTap(tapPort, changed);
      // After the tap: it says which episodes are over, and their questions with them.
      doors.restore();
      isOpen = true;
    },
    announce: (at) => {
      url = at;
      changed();
    },
    tapPort: () => (tap === null ? null : Number(new URL(tap.url).port)),
    tapped: () => tap?.tapped() ?? 0,
    inWorlds: () => tap?.inWorlds() ?? 0,
    refuseNew: ({ onlyInWorlds }) => tap?.refuseNew(onlyInWorlds ? worldsAmong(environments.all()) : null),
    status: () => ({
      address: gatewayAddress(url, tap, settings),
      doors: [{ door: 'tap', open: tap?.tapped() ?? 0, ...taps.seen() }, ...watch.lines()],
      environments: taps.lines(),
      ...flowOf(tap),
    }),
    onChanged,
    stop: (episode, actor, reason) => {
      if (tap?.has(episode) !== true) return false;
      tap.stop(episode, actor, reason);
      return true;
    },
    recorded: () => tap?.recorded() ?? Promise.resolve(false),
    close: async (how) => {
      isOpen = false;
      for (const take of [...undo, taps.close]) take();
      doors.close();
      await tap?.close(how);
    },
  };
}

const worldsAmong = (all: readonly EnvironmentSpec[]): string[] =>
  all.filter((one) => kindOf(one).isPartOfProduct).map(({ id }) => id);

const flowOf = (tap: Tap | null) => ({
  tapped: tap?.tapped() ?? 0,
  backlog: tap?.backlog() ?? 0,
  lost: tap?.lost() ?? 0,
});

function createChangeNews() {
  const listeners = new Set<() => void>();
  return {
    changed: (): void => {
      for (const tell of listeners) tell();
    },
    onChanged: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const gatewayAddress = (url: string | null, tap: Tap | null, settings: SettingsStore) =>
  url === null
    ? null
    : {
        url,
        expert: `${url}/v1`,
        mcp: settings.gateway().mcp ? `${url}/mcp` : null,
        tap: tap === null ? null : `${tap.url}/t`,
        agent: `${url}/agent/v1`,
      };

type DoorVisits = { open: number; seen: number; last_at: number };

/** Episodes that clients of the tap began since the start, together and by environment. */
function watchTaps(log: EventLog, keys: Pick<GatewayKeys, 'noteTap'>, changed: () => void) {
  const places = new Map<string, DoorVisits>();
  /** Those that began before the start are in no count. */
  const counted = new Set<string>();
  const close = log.subscribe(({ event, at, stream }, { tapped, started }) => {
    const hasEnded = event.kind === 'episode.ended' && tapped !== null;
    const environment = started?.environment.id ?? '';
    const place = places.get(environment) ?? { open: 0, seen: 0, last_at: 0 };
    if (event.kind === 'tap.opened') {
      places.set(environment, { open: place.open + 1, seen: place.seen + 1, last_at: at });
      counted.add(stream);
      keys.noteTap(event.key, 'used');
    }
    if (hasEnded && counted.delete(stream)) places.set(environment, { ...place, open: place.open - 1 });
    if (event.kind === 'tap.opened' || hasEnded) changed();
  });
  return {
    seen: () => {
      const all = [...places.values()];
      return {
        seen: all.reduce((sum, { seen }) => sum + seen, 0),
        last_at: all.length === 0 ? null : Math.max(...all.map(({ last_at }) => last_at)),
      };
    },
    lines: () => [...places].map(([environment, visits]) => ({ environment, ...visits })),
    close,
  };
}
