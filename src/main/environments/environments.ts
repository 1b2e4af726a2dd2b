// The adapter of each kind of environment.
import { kindNameOf, type EnvironmentKindName } from '../../shared/environmentKinds.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import type { LazySandbox } from '../verifier/runtime.ts';
import type { Worlds } from '../worlds/worlds.ts';
import { createAwmVerdict } from './awm.ts';
import { builtInWorlds } from './builtIn.ts';
import { askServers, openEnvServer, type ServerDependencies } from './openenv.ts';
import type { Environment, EnvironmentOf } from './port.ts';

type EnvironmentsDependencies = Pick<ServerDependencies, 'workingAddress'> & {
  worlds: Worlds;
  listenWorlds: (worlds: Worlds) => Promise<{ url: string; close(): Promise<void> }>;
  /** Where the Agent World Model data lies unless a person names another folder. */
  awmData: string;
  sandbox: LazySandbox;
};

/** Opens the port of the built-in worlds, and reaches every environment through the adapter of its kind. */
export async function openEnvironments({
  worlds,
  listenWorlds,
  workingAddress,
  awmData,
  sandbox,
}: EnvironmentsDependencies): Promise<{
  worldsUrl: string;
  environmentOf: EnvironmentOf;
  close: () => Promise<void>;
}> {
  const listening = await listenWorlds(worlds);
  const builtIn = builtInWorlds(worlds, listening.url);
  const server = {
    workingAddress,
    ...askServers(),
    verdict: createAwmVerdict(awmData, sandbox.get),
  };
  const adapters: Record<EnvironmentKindName, (spec: EnvironmentSpec) => Environment> = {
    builtin: () => builtIn,
    openenv: (spec) => openEnvServer(spec, server),
  };
  return {
    worldsUrl: listening.url,
    environmentOf: (spec) => adapters[kindNameOf(spec)](spec),
    close: () => {
      sandbox.close();
      return listening.close();
    },
  };
}
