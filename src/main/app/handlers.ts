// Every command of the contract, gathered from its area.
import { join } from 'node:path';
import type { Handlers } from '../../shared/contract/contract.ts';
import type { Curriculum } from '../training/curriculum.ts';
import { createMakePlan } from '../advisor/makePlan.ts';
import { reviewCommands, isReviewer } from '../commands/review.ts';
import type { CommandLines } from '../commands/commandLines.ts';
import { liftCommands } from '../commands/lifts.ts';
import type { Runs } from '../commands/runs.ts';
import { answerCommands } from '../commands/seat.ts';
import { consoleCommands, modelCommands } from '../commands/console.ts';
import { deskCommands } from '../commands/desk.ts';
import { libraryCommands, eraseCommands, expertCommands, rewardCommands } from '../commands/library.ts';
import { noticesOf } from '../commands/notices.ts';
import { environmentOverviewCommands } from '../commands/environmentOverview.ts';
import { type EnvironmentCatalog, environmentSettingsCommands } from '../commands/environments.ts';
import { episodeCommands, type runSpecs } from '../commands/episodes.ts';
import { gatewayCommands } from '../commands/gateway.ts';
import { exportCommands } from '../commands/export.ts';
import { importCommands } from '../commands/import.ts';
import { inviteCommands, planCommands } from '../commands/seat.ts';
import { settingsCommands } from '../commands/settings.ts';
import { stepInCommands } from '../commands/stepIns.ts';
import type { Benches } from '../commands/benches.ts';
import { benchFolderCommands } from '../commands/benchFolder.ts';
import { previewCommands } from '../commands/previews.ts';
import { trainingCommands } from '../commands/training.ts';
import { worldStateCommands } from '../commands/world.ts';
import type { Consult } from '../episode/consult.ts';
import type { Adopt, Continuing } from '../episode/continueEpisode.ts';
import { createStates } from '../episode/states.ts';
import type { Supervisor } from '../episode/supervisor.ts';
import type { GatewayHouse } from '../gateway/gatewayContext.ts';
import { promptsOf, type Services } from './services.ts';
import type { reviewOf } from './episodeRunner.ts';
import type { AppConfig, AppEdges } from './types.ts';

type Context = {
  config: AppConfig;
  edges: AppEdges;
  services: Services;
  environments: EnvironmentCatalog;
  consult: Consult;
  supervisor: Supervisor;
  gateway: GatewayHouse;
  benches: Benches;
  runs: Runs;
  lines: CommandLines;
  continuing: Continuing;
  adopt: Adopt;
  review: ReturnType<typeof reviewOf>;
  curriculum: Curriculum;
};

/** Every command of the contract, one line per area. */
export function handlersOf(context: Context, starting: Parameters<typeof runSpecs>[0]): Handlers {
  const { config, edges, services, environments, consult, supervisor, gateway, benches } = context;
  const { review, curriculum, continuing, runs, lines } = context;
  const { log, desk, settings, environmentOf } = services;
  const { sources } = services.imports;
  const states = createStates({ ...services, newId: edges.newId, kept: (sha256) => sources.find(sha256) });
  return {
    ...consoleCommands({
      ...config,
      ...services,
      notices: () => noticesOf(services),
      mayReview: isReviewer(review),
      environmentsChanged: environments.changed,
    }),
    ...environments.handlers,
    ...environmentOverviewCommands({ log, environmentOf, environments }),
    ...environmentSettingsCommands(settings, promptsOf(config.resources).awmUser.text, environments.changed),
    ...modelCommands(services),
    ...services.requests.handlers,
    ...settingsCommands(services),
    ...expertCommands(services),
    ...episodeCommands({
      ...services,
      ...starting,
      ...edges,
      supervisor,
      continuing,
      stopTapped: gateway.stop,
    }),
    ...deskCommands({
      ...services,
      consult,
      newId: edges.newId,
      clock: edges.clock,
      split: config.split ?? null,
    }),
    ...stepInCommands({ log, desk, newId: edges.newId, recorded: gateway.recorded }),
    ...gatewayCommands({ ...services, environments: environments.all }),
    ...importCommands({ log, lines, ...services.imports }),
    ...exportCommands({ ...services, sources, lines, openFolder: edges.openFolder ?? null }),
    ...inviteCommands({ ...services, clock: edges.clock }),
    ...answerCommands({ log }),
    ...planCommands({
      log,
      makePlan: createMakePlan({ llm: () => services.llm('expert'), prompts: promptsOf(config.resources) }),
    }),
    ...libraryCommands(services),
    ...reviewCommands({ log, review }),
    ...rewardCommands({ log }),
    ...trainingCommands({ ...services, curriculum }),
    ...benches.handlers,
    ...benchFolderHandlers(context),
    ...previewCommands({ ...services, newId: edges.newId, ...states }),
    ...worldStateCommands({ log, supervisor, ...states }),
    ...eraseCommands({ log, sources: services.imports.sources }),
    ...runs.handlers,
    ...lines.handlers,
    ...liftHandlers(context),
  };
}

const liftHandlers = ({ services, edges, ...context }: Context) =>
  liftCommands({
    ...edges,
    ...context,
    log: services.log,
    modelOf: (profile) => services.settings.model('agent', profile)?.model ?? null,
  });

const benchFolderHandlers = ({ services, benches, environments }: Context) =>
  benchFolderCommands({
    ...services,
    benches,
    environments: environments.handlers,
    reportsFolder: join(services.folder, 'reports'),
  });
