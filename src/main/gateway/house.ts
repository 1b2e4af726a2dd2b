// Owns: the gateway as one thing: its doors, its tap, where they are, who stands there, how it opens and closes.
import type { GatewayStatus } from '../../shared/contract/gateway.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { Keys } from '../settings/keys.ts';
import type { Settings } from '../settings/settings.ts';
import { createDoorWatch } from './doorWatch.ts';
import { createGateway, type Gateway, type GatewayDoors } from './gateway.ts';

/** What the house needs to know of its tap, which runs in a process of its own. */
export type TapHandle = {
  /** Where the tap listens: a loopback address with a port of its own. */
  url: string;
  /** Episodes that clients play now. */
  tapped(): number;
  backlog(): number;
  lost(): number;
  /** Keys or environments are not what they were. */
  tokensChanged(): void;
  close(how: { keepServing: boolean }): Promise<void>;
};

export type GatewayHouse = Gateway & {
  /** Opens the tap; the doors answer from now on. */
  open(): Promise<void>;
  /** The address of the port that the doors are mounted on, once it is known. */
  announce(url: string): void;
  /** The tap's own port, for clients that come to the main port with its path; null while there is none. */
  tapPort(): number | null;
  status: () => GatewayStatus;
  /** Hears that the status may have changed; returns its undo. */
  onChanged: (listener: () => void) => () => void;
  tapped: () => number;
  close(how: { keepServing: boolean }): Promise<void>;
};

type Parts = {
  keys: Keys;
  settings: Settings;
  log: EventLog;
  doors: GatewayDoors;
  /** Every environment has a tap key of its own. */
  environments: { all: () => EnvironmentSpec[]; onChanged: (listener: () => void) => () => void };
  openTap: (() => Promise<TapHandle>) | null;
  clock: () => number;
  report: (thrown: unknown) => void;
};

export function createGatewayHouse(parts: Parts): GatewayHouse {
  const { keys, settings, log, doors, environments, openTap, clock, report } = parts;
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const tell of listeners) tell();
  };
  let tap: TapHandle | null = null;
  let url: string | null = null;
  let isOpen = false;
  const watch = createDoorWatch(['expert', 'mcp', 'agent'], clock, changed);
  const taps = watchTaps(log, changed);
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
    doors,
    watch,
    hasMcp: () => settings.gateway().mcp,
    closed: () => (isOpen ? null : 'the gateway is not open in this process'),
    report,
  });
  const tapped = (): number => tap?.tapped() ?? 0;
  return {
    ...gateway,
    open: async () => {
      keys.ensureDefaults(environments.all());
      tap = (await openTap?.()) ?? null;
      isOpen = true;
    },
    announce: (at) => {
      url = at;
      changed();
    },
    tapPort: () => (tap === null ? null : Number(new URL(tap.url).port)),
    tapped,
    status: () => ({
      address: addressOf(url, tap, settings),
      doors: [{ door: 'tap', open: tapped(), ...taps.seen() }, ...watch.lines()],
      tapped: tapped(),
      backlog: tap?.backlog() ?? 0,
      lost: tap?.lost() ?? 0,
    }),
    onChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async (how) => {
      isOpen = false;
      for (const take of undo) take();
      taps.close();
      await tap?.close(how);
    },
  };
}

const addressOf = (url: string | null, tap: TapHandle | null, settings: Settings) =>
  url === null
    ? null
    : {
        url,
        expert: `${url}/v1`,
        mcp: settings.gateway().mcp ? `${url}/mcp` : null,
        tap: tap === null ? null : `${tap.url}/t`,
        agent: `${url}/agent/v1`,
      };

/** Episodes that clients of the tap began since the start. */
function watchTaps(log: EventLog, changed: () => void) {
  let seen = 0;
  let lastAt: number | null = null;
  const close = log.subscribe(({ event, at }, record) => {
    if (event.kind === 'tap.opened') {
      seen += 1;
      lastAt = at;
    }
    if (event.kind === 'tap.opened' || (event.kind === 'episode.ended' && record.tapped !== null)) changed();
  });
  return { seen: () => ({ seen, last_at: lastAt }), close };
}
