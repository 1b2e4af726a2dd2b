// The adapter of each kind of environment.
import { kindNameOf, type EnvironmentKindName } from '../../shared/environmentKinds.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { USUAL_CONNECTION } from '../../shared/serverConnection.ts';
import { failureShape } from '../../shared/failure.ts';
import type { MissingSecrets } from '../../shared/taskSecrets.ts';
import type { Worlds } from '../worlds/worlds.ts';
import { type AwmData, createAwmData } from './awmData.ts';
import { createAwmSecrets, createAwmSeed, type AwmDataOf } from './awm.ts';
import { builtInWorlds, packSecrets } from './builtIn.ts';
import { askServers, openEnvServer, type ServerDependencies } from './openenv.ts';
import type { Environment, EnvironmentOf, EnvironmentSession } from './port.ts';

type EnvironmentsDependencies = Pick<ServerDependencies, 'workingAddress' | 'connectionOf'> & {
  worlds: Worlds;
  listenWorlds: (worlds: Worlds) => Promise<{ url: string; close(): Promise<void> }>;
  awmFolder: () => string;
  /** How the Agent World Model verifies, as the settings have it now. */
  awmVerifying: NonNullable<ServerDependencies['awmVerifying']>;
  /** Answers that come at the same moment are handed on one after another. */
  turn?: (() => Promise<void>) | undefined;
};

/** Opens the port of the built-in worlds, and reaches every environment through the adapter of its kind. */
export async function openEnvironments({
  worlds,
  listenWorlds,
  workingAddress,
  connectionOf = () => USUAL_CONNECTION,
  awmFolder,
  awmVerifying,
  turn,
}: EnvironmentsDependencies): Promise<{
  worldsUrl: string;
  environmentOf: EnvironmentOf;
  awmProblem: (folder: string) => Promise<MissingSecrets | null>;
  close: () => Promise<void>;
}> {
  const listening = await listenWorlds(worlds);
  const builtIn = builtInWorlds(worlds, listening.url);
  const dataOf = awmDataOf(awmFolder);
  const ofPack = packSecrets(worlds);
  const ofData = createAwmSecrets(dataOf, awmVerifying);
  const server: ServerDependencies = {
    workingAddress,
    connectionOf,
    awmVerifying,
    ...askServers(),
    seed: createAwmSeed(dataOf),
    // A pack may be served by an Interject elsewhere.
    taskSecrets: async (task) => {
      const secrets = ofPack(task);
      return secrets === null ? ofData(task) : { secrets, missing: null };
    },
  };
  const adapters: Record<EnvironmentKindName, (spec: EnvironmentSpec) => Environment> = {
    builtin: () => builtIn,
    openenv: (spec) => openEnvServer(spec, server),
  };
  return {
    worldsUrl: listening.url,
    environmentOf: (spec) => inTurn(adapters[kindNameOf(spec)](spec), turn),
    awmProblem: (folder) => dataProblem(dataOf(folder)),
    close: () => listening.close(),
  };
}

function inTurn(environment: Environment, turn: EnvironmentsDependencies['turn']): Environment {
  if (turn === undefined) return environment;
  const after = async <T>(answer: Promise<T>): Promise<T> => {
    const answered = await answer;
    await turn();
    return answered;
  };
  return {
    ...environment,
    open: async (...asked) => {
      const session = await after(environment.open(...asked));
      const reset = session.reset.bind(session);
      const listTools = session.listTools.bind(session);
      const callTool = session.callTool.bind(session);
      // The very session: what it says of itself may change with its reset.
      return Object.assign<EnvironmentSession, Partial<EnvironmentSession>>(session, {
        reset: (...args) => after(reset(...args)),
        listTools: (...args) => after(listTools(...args)),
        callTool: (...args) => after(callTool(...args)),
      });
    },
  };
}

/** A folder's files are large: each is indexed once. */
function awmDataOf(usual: () => string): AwmDataOf {
  const read = new Map<string, AwmData>();
  return (named) => {
    const folder = named ?? usual();
    const known = read.get(folder) ?? createAwmData(folder);
    read.set(folder, known);
    return known;
  };
}

async function dataProblem(data: AwmData): Promise<MissingSecrets | null> {
  try {
    await data.tasks();
    return null;
  } catch (thrown) {
    const { message, next } = failureShape(thrown);
    return { message, next };
  }
}
