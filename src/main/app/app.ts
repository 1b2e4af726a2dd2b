// Builds every room once and wires them together. Hosts get a router, feeds and a way to close.
import { join } from 'node:path';
import { createBenches, type Benches } from '../commands/benches.ts';
import { createDisclosure, createRouter } from '../commands/router.ts';
import { createEnvironments, type EnvironmentCatalog } from '../commands/environments.ts';
import { runSpecs } from '../commands/episodes.ts';
import { createFeeds } from '../commands/feeds.ts';
import { createCommandLines } from '../commands/commandLines.ts';
import { createRuns, type Runs } from '../commands/runs.ts';
import { assembleGateway } from '../gateway/gatewayContext.ts';
import { collector, createMemoryBack } from '../gateway/memoryBack.ts';
import { writePlanFile } from '../training/planFile.ts';
import { createCurriculum, type Curriculum } from '../training/curriculum.ts';
import { splitsIn } from '../log/pinnedSplits.ts';
import { openDataFolder } from '../log/openLog.ts';
import { buildServices, promptsOf, type Services } from './services.ts';
import { handlersOf } from './handlers.ts';
import { buildConsult, buildSupervisor, reviewOf } from './episodeRunner.ts';
import type { App, AppConfig, AppEdges } from './types.ts';

/** Takes the data folder and builds the product. Throws `data_in_use`, `data_unwritable`, `data_corrupt`, `log_damaged`. */
export async function createApp(config: AppConfig, edges: AppEdges): Promise<App> {
  const opened = openDataFolder(config.dataFolder, edges);
  let close: () => unknown = () => opened.close();
  try {
    const services = await buildServices(config, edges, opened);
    close = () => services.close();
    return build(config, edges, services);
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

function build(config: AppConfig, edges: AppEdges, services: Services): App {
  const environments = createEnvironments({ ...services, clock: edges.clock });
  const consult = buildConsult(config, edges, services);
  const supervisor = buildSupervisor(config, edges, services, consult);
  const curriculum = openCurriculum(config, edges, services);
  const gateway = assembleGateway({
    ...services,
    ...edges,
    version: config.version,
    dataFolder: services.folder,
    consult,
    curriculum,
    prompts: promptsOf(config.resources),
    environments,
  });
  const disclosure = createDisclosure(services.log, edges.clock);
  const feeds = createFeeds({
    ...services,
    disclosure,
    schedule: edges.schedule,
    seats: () => services.seats.all(),
    gateway,
    imports: services.imports.jobs,
    report: edges.report,
  });
  const memory = watchMemory(services.log);
  const rooms = { review: reviewOf(services, edges), curriculum };
  const starting = startingOf(config, services, environments);
  const restart = { continuing: services.continuingBy(supervisor), adopt: services.adoptBy(supervisor) };
  const lines = createCommandLines({ ...services, ...edges });
  const played = openRuns({ ...edges, ...services, ...restart, supervisor, lines }, starting);
  const { benches, runs } = played;
  const running = { consult, supervisor, gateway, lines, ...played, ...restart };
  const parts = { config, edges, services, environments, ...running, ...rooms };
  const route = createRouter(handlersOf(parts, starting), disclosure);
  return {
    route: (method, input, caller) => lines.within(caller, () => route(method, input, caller)),
    leave: (caller) => lines.leave(caller),
    subscribe: (topic, send, canSend, caller) => feeds.subscribe(topic, send, canSend, caller),
    ...services,
    environments,
    gateway,
    supervisor,
    continueEpisodes: () => restart.continuing.all(services.goingOn),
    benches,
    curriculum,
    close: async (how = { keepServing: false }) => {
      services.losses.closing();
      await gateway.close(how);
      const played = runs.close();
      await supervisor.close();
      await played;
      for (const room of [feeds, memory, ...Object.values(rooms)]) room.close();
      await services.close();
    },
  };
}

/** Gives memory back to the system once a crowd of episodes has ended and a quiet second has come. */
function watchMemory(log: Services['log']): { close: () => void } {
  const memory = createMemoryBack(collector(), () => log.lastSeq());
  const unlisten = log.subscribe(({ event }) => {
    if (event.kind === 'episode.ended') memory.closed();
  });
  return {
    close: () => {
      unlisten();
      memory.stop();
    },
  };
}

const openCurriculum = (config: AppConfig, { report }: AppEdges, services: Services): Curriculum =>
  createCurriculum({
    ...services,
    splits: () => splitsIn(services.log, config.split ?? null),
    decided: (run, plan) => {
      try {
        writePlanFile(join(services.folder, 'curriculum'), run, plan);
      } catch (thrown) {
        // The plan is in the log, and served from there.
        report(thrown);
      }
    },
  });

type Starting = Parameters<typeof runSpecs>[0];

/** The dependencies of a start. */
const startingOf = (
  config: AppConfig,
  { log, settings }: Services,
  environments: EnvironmentCatalog,
): Starting => ({
  ...settings,
  log,
  get split() {
    return settings.ofCommands.current().split ?? config.split ?? null;
  },
  environment: environments.find,
  hasAgentModel: (profile?: string) => settings.model('agent', profile) !== null,
});

type RunParts = Omit<Parameters<typeof createRuns>[0], 'runSpecs'>;

/** Runs and benches start their episodes as anybody does. */
function openRuns(
  parts: RunParts & Pick<Services, 'settings'> & Pick<AppEdges, 'report'>,
  starting: Starting,
): { runs: Runs; benches: Benches } {
  const { settings } = parts;
  const asked = {
    ...parts,
    runSpecs: (start: Parameters<typeof runSpecs>[1]) =>
      runSpecs(starting, start, start.repeats > 1 ? parts.newId() : null),
  };
  const runs = createRuns(asked);
  const hasExpertModel = (): boolean => settings.model('expert') !== null;
  const benches = createBenches({ ...asked, runs, hasExpertModel, roster: () => settings.roster() });
  return { runs, benches };
}
