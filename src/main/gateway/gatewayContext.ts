// The gateway as one thing: its doors and tap, their addresses, who is connected, and how it opens and closes.
import type { Door, GatewayStatus } from '../../shared/contract/gateway.ts';
import { kindOf } from '../../shared/environmentKinds.ts';
import type { Actor } from '../../shared/events/actor.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import type { Desk } from '../desk/desk.ts';
import type { SeatRegistry } from '../desk/seats.ts';
import type { Schedule } from '../desk/waiting.ts';
import type { EnvironmentOf } from '../environments/port.ts';
import type { Consult } from '../episode/consult.ts';
import type { Tokens } from '../llm/tokenCommand.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { GatewayKeys } from '../settings/keys.ts';
import type { Prompts } from '../settings/prompts.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { Curriculum } from '../training/curriculum.ts';
import { type ClientDoors, createDoors } from './doors.ts';
import { createGateway, type Gateway } from './gateway.ts';
import { createTap, type Tap } from './tap/tap.ts';
import type { SpawnTap } from './tap/tapLink.ts';

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

/** `changed` is called when clients begin or leave. */
type OpenTap = (port: number, changed: () => void) => Promise<Tap>;

function createGatewayHouse(parts: GatewayParts, doors: ClientDoors, openTap: OpenTap): GatewayHouse {
  const { keys, settings, log, environments, clock, report } = parts;
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

// Putting the gateway together: the doors of clients and the tap, over the rooms below.
type GatewayParts = {
  version: string;
  dataFolder: string;
  log: EventLog;
  desk: Desk;
  seats: SeatRegistry;
  keys: GatewayKeys;
  settings: SettingsStore;
  consult: Consult;
  curriculum: Curriculum;
  prompts: Prompts;
  /** Every environment has a default key of its own. */
  environments: {
    all: () => EnvironmentSpec[];
    find: (id: string) => EnvironmentSpec;
    onChanged: (listener: () => void) => () => void;
  };
  tokens: Pick<Tokens, 'withToken'>;
  environmentOf: EnvironmentOf;
  clock: () => number;
  schedule: Schedule;
  newId: () => string;
  spawnTap: SpawnTap;
  turn?: (() => Promise<void>) | undefined;
  report: (thrown: unknown) => void;
};

/** The gateway, closed until it is opened. */
export function assembleGateway(parts: GatewayParts): GatewayHouse {
  const { log, settings, seats, keys, dataFolder, environments, environmentOf, spawnTap } = parts;
  let tap: Tap | null = null;
  return createGatewayHouse(
    parts,
    createDoors({
      ...parts,
      settings: () => settings.gateway(),
      expertModel: () => settings.model('expert')?.model ?? null,
      roster: () => settings.roster(),
      agent: async () => {
        const config = settings.model('agent');
        return config === null ? null : parts.tokens.withToken(config);
      },
      recorded: () => tap?.recorded() ?? Promise.resolve(true),
      attendance: () => ({
        onDuty: seats.onDuty().length,
        expected: seats.expected.names().length,
        waiting: log.projections.desk(1).total,
      }),
    }),
    async (port, changed) => {
      tap = await createTap({
        ...parts,
        dataFolder,
        port,
        settings: () => settings.gateway(),
        tokens: () => keys.tapKeys(),
        strangers: () => keys.strangers(),
        environment: environments.find,
        describe: (environment) => environmentOf(environment).describe(),
        workingAddress: settings.workingAddress,
        connectionOf: settings.connectionOf,
        spawn: spawnTap,
        changed,
        limited: (key) => keys.noteTap(key, 'limited'),
      });
      return tap;
    },
  );
}

// Clients at a door of the gateway: open requests, clients seen since the start, when the last one came.
type DoorLine = { door: Door; open: number; seen: number; last_at: number | null };
export type DoorWatch = {
  /** A client came in; returns what to call when it leaves. */
  enter(door: Door, client: string): () => void;
  lines(): DoorLine[];
};

/** Clients told apart; beyond these a new one counts without being remembered. */
const CLIENTS_MAX = 10_000;

export function createDoorWatch(doors: readonly Door[], clock: () => number, changed: () => void): DoorWatch {
  const lines = new Map<Door, DoorLine>(
    doors.map((door) => [door, { door, open: 0, seen: 0, last_at: null }]),
  );
  const clients = new Set<string>();
  return {
    enter: (door, client) => {
      const line = lines.get(door);
      if (line === undefined) return () => undefined;
      const known = `${door} ${client}`;
      if (!clients.has(known)) line.seen += 1;
      if (clients.size < CLIENTS_MAX) clients.add(known);
      line.open += 1;
      line.last_at = clock();
      changed();
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        line.open -= 1;
        changed();
      };
    },
    lines: () => [...lines.values()].map((line) => ({ ...line })),
  };
}
