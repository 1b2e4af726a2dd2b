// Putting the gateway together: the doors of clients and the tap, over the rooms below.
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import type { Curriculum } from '../training/curriculum.ts';
import type { Desk } from '../desk/desk.ts';
import type { SeatRegistry } from '../desk/seats.ts';
import type { Schedule } from '../desk/wait.ts';
import type { EnvironmentOf } from '../environments/port.ts';
import type { Consult } from '../episode/consult.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { GatewayKeys } from '../settings/keys.ts';
import type { Prompts } from '../settings/prompts.ts';
import type { Tokens } from '../llm/tokenCommand.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { createDoors } from './doors.ts';
import { createGatewayHouse, type GatewayHouse } from './gatewayContext.ts';
import { createTap, type Tap } from './tap/tap.ts';
import type { SpawnTap } from './tap/tapLink.ts';

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
  return createGatewayHouse({
    ...parts,
    doors: createDoors({
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
    openTap: async (port, changed) => {
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
  });
}
