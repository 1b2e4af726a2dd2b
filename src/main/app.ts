// Builds every room once and wires them together. Hosts get a router, feeds and a way to close.
import { join } from 'node:path';
import type { Caller, Handlers, Inputs } from '../shared/contract/contract.ts';
import type { Topic } from '../shared/contract/envelope.ts';
import type { SplitManifest } from '../shared/split.ts';
import { createAdvisor } from './advisor/advisor.ts';
import { createLeakMeter, type MeasureLeak } from './advisor/leakMeter.ts';
import { createMakePlan } from './advisor/makePlan.ts';
import { annotateCommands, isReviewer } from './commands/annotate.ts';
import { answerCommands } from './commands/answers.ts';
import { consoleCommands } from './commands/console.ts';
import { deskCommands } from './commands/desk.ts';
import { eraseCommands } from './commands/erase.ts';
import { createDisclosure } from './commands/disclosure.ts';
import { noticesOf } from './commands/notices.ts';
import { environmentProfileCommands } from './commands/environmentProfiles.ts';
import { createEnvironments, type EnvironmentCatalog } from './commands/environments.ts';
import { episodeCommands, runSpecs } from './commands/episodes.ts';
import { createFeeds, type CanSend, type FeedSchedule, type Send } from './commands/feeds.ts';
import { gatewayCommands } from './commands/gateway.ts';
import { exportCommands } from './commands/export.ts';
import { importCommands } from './commands/import.ts';
import { inviteCommands } from './commands/invites.ts';
import { modelCommands } from './commands/models.ts';
import { stepInCommands } from './commands/stepIns.ts';
import { planCommands } from './commands/plans.ts';
import { libraryCommands } from './commands/library.ts';
import { createRepeats } from './commands/repeats.ts';
import { previewCommands } from './commands/previews.ts';
import { practiceCommands } from './commands/practice.ts';
import { rewardCommands } from './commands/rewards.ts';
import { createScoreSets, type ScoreSets } from './commands/rewardSets.ts';
import { createRouter, type RouteCommand } from './commands/router.ts';
import { verifyCommands } from './commands/verify.ts';
import { worldStateCommands } from './commands/world.ts';
import { createExportJobs, type ExportJobs } from './dataset/export/exportJobs.ts';
import { openImports } from './dataset/import/openImports.ts';
import { createDesk, type Desk } from './desk/desk.ts';
import { createDeskActs, type Room } from './desk/deskActs.ts';
import { createSeats, type SeatRegistry } from './desk/seats.ts';
import { createConsult, type Consult } from './episode/consult.ts';
import { createRunEpisode, type RunSpec } from './episode/runEpisode.ts';
import { createStates } from './episode/states.ts';
import { policyFor } from './episode/policyFor.ts';
import { openTaskKnowledge, type TaskKnowledgeOf } from './episode/taskKnowledge.ts';
import { createSupervisor, recoverInterrupted, type Supervisor } from './episode/supervisor.ts';
import { assembleGateway } from './gateway/assemble.ts';
import type { GatewayHouse } from './gateway/gatewayContext.ts';
import { openModels, type ModelOptions } from './llm/openModels.ts';
import type { StartThread } from './log/checkpoints.ts';
import { openDataFolder, type OpenedLog } from './log/openLog.ts';
import { type EventLog } from './log/eventLog.ts';
import { createGroups, type Groups } from './log/groups.ts';
import { openSearch, type Searching } from './log/searchIndex.ts';
import { readPeople, type PeopleSummary } from './log/people.ts';
import { packBriefings } from './environments/builtIn.ts';
import { openEnvironments } from './environments/environments.ts';
import type { ManagedServers } from './environments/managedServers.ts';
import type { EnvironmentOf } from './environments/port.ts';
import type { SpawnTap } from './gateway/tap/tapLink.ts';
import type { AwmFlags } from './settings/awmSettings.ts';
import type { GatewayPatch } from './settings/gatewaySettings.ts';
import type { GatewayKeys } from './settings/keys.ts';
import { openKeys } from './settings/openKeys.ts';
import { createReview, type ReviewRoom } from './review/review.ts';
import { readPractice } from './settings/practice.ts';
import { readPrompts, type Prompts } from './settings/prompts.ts';
import type { MissingSecrets } from '../shared/taskSecrets.ts';
import type { Secrets } from './settings/fileSecrets.ts';
import { createSettings, type ModelFlagsByRole, type SettingsStore } from './settings/settings.ts';
import type { LazySandbox } from './verifier/runtime.ts';
import { createWorlds, type Worlds } from './worlds/worlds.ts';

type AppConfig = {
  version: string;
  host: 'desktop' | 'browser';
  dataFolder: string;
  /** The folder that holds prompts and worlds, and a pack of a person's own, or a folder of them. */
  resources: string;
  worldDir?: string | null;
  environment: Readonly<Record<string, string | undefined>>;
  /** How many episodes run at once; more wait for a place. */
  places: number;
  /** Which tasks are held out, of the manifest that was given; null or absent without one. */
  split?: SplitManifest | null;
  /** What the command line said about the gateway, a role's model, the Agent World Model. */
  gateway?: GatewayPatch;
  models?: ModelFlagsByRole;
  modelTape?: ModelOptions['modelTape'];
  awm?: AwmFlags;
};

export type AppEdges = {
  clock: () => number;
  schedule: FeedSchedule;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  random: () => number;
  /** Ids that sort by the time they were made. */
  newId: () => string;
  secrets: (dataFolder: string) => Secrets;
  /** Opens a loopback port for the built-in worlds, which are reached through a real socket like any other. */
  listenWorlds: (worlds: Worlds) => Promise<{ url: string; close(): Promise<void> }>;
  /** Where verifier code is locked up. Starts nothing until it is needed. */
  sandbox: (resources: string) => LazySandbox;
  /** Starts the tap's own process, which outlives this one. */
  spawnTap: SpawnTap;
  /** Threads of this process, for what would hold it up; without them it does that work itself. */
  startThread?: StartThread;
  report: (thrown: unknown) => void;
  /** Says something a person should know. */
  tell: (notice: string) => void;
  /** Opens a folder in the system's own window for files, where the host has one; says what went wrong, or nothing. */
  openFolder?: (path: string) => Promise<string>;
};

export type App = {
  route: RouteCommand;
  subscribe(topic: Topic, send: Send, canSend?: CanSend, caller?: Caller): () => void;
  /** Clients of the tap may be served on after this process has ended. */
  close(how?: { keepServing: boolean }): Promise<void>;
  settings: SettingsStore;
  keys: GatewayKeys;
  gateway: GatewayHouse;
  log: EventLog;
  desk: Desk;
  seats: SeatRegistry;
  supervisor: Supervisor;
  environments: EnvironmentCatalog;
  worlds: Worlds;
  /** Takes a file of episodes in, and gives their ids. */
  importEpisodes(path: string): Promise<string[]>;
  /** The runs a start asks for, checked; throws before anything starts. */
  runSpecs(start: Inputs['episode.start']): RunSpec[];
  /** Episodes that a killed process had left open; they are marked as interrupted now. */
  interrupted: string[];
};

/** Takes the data folder and builds the product. Throws `data_in_use`, `data_unwritable`, `data_corrupt`, `log_damaged`. */
export async function createApp(config: AppConfig, edges: AppEdges): Promise<App> {
  const opened = openDataFolder(config.dataFolder, edges);
  let close: () => unknown = () => opened.close();
  try {
    const ground = await buildGround(config, edges, opened);
    close = () => ground.close();
    return build(config, edges, ground);
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

function build(config: AppConfig, edges: AppEdges, ground: CoreServices): App {
  const { log, settings, environmentOf } = ground;
  const environments = createEnvironments(ground);
  const consult = buildConsult(config, edges, ground);
  const supervisor = buildSupervisor(config, edges, ground, consult);
  const gateway = assembleGateway({
    ...ground,
    ...edges,
    version: config.version,
    dataFolder: ground.folder,
    consult,
    prompts: promptsOf(config.resources),
    environments,
  });
  const repeats = createRepeats({
    ...ground,
    ...edges,
    environment: environments.find,
    openSession: (spec, signal) => environmentOf(spec).open(signal),
  });
  const disclosure = createDisclosure(log);
  const feeds = createFeeds({
    log,
    disclosure,
    schedule: edges.schedule,
    seats: () => ground.seats.all(),
    gateway,
    imports: ground.imports.jobs,
    report: edges.report,
  });
  const rooms = { review: reviewOf(ground, config, edges), scoreSets: createScoreSets({ log, ...edges }) };
  const starting = {
    log: ground.log,
    split: config.split ?? null,
    environment: environments.find,
    environmentText: (id: string) => settings.environmentText(id),
    pricesFor: settings.pricesFor,
    hasAgentModel: (profile?: string) => settings.model('agent', profile) !== null,
  };
  const parts = { config, edges, ground, environments, consult, supervisor, gateway, repeats, ...rooms };
  const route = createRouter(handlersOf(parts, starting), disclosure);
  return {
    route,
    subscribe: (topic, send, canSend, caller) => feeds.subscribe(topic, send, canSend, caller),
    ...ground,
    environments,
    gateway,
    supervisor,
    importEpisodes: ground.imports.importEpisodes,
    runSpecs: (start) => runSpecs(starting, start, start.repeats > 1 ? edges.newId() : null),
    close: async (how = { keepServing: false }) => {
      await gateway.close(how);
      await supervisor.close();
      await repeats.close();
      for (const room of [feeds, ...Object.values(rooms)]) room.close();
      await ground.close();
    },
  };
}

type Context = {
  config: AppConfig;
  edges: AppEdges;
  ground: CoreServices;
  environments: EnvironmentCatalog;
  consult: Consult;
  supervisor: Supervisor;
  gateway: GatewayHouse;
  repeats: ReturnType<typeof createRepeats>;
  review: ReturnType<typeof reviewOf>;
  scoreSets: ScoreSets;
};

/** Every command of the contract, one line per area. */
function handlersOf(
  { config, edges, ground, environments, consult, supervisor, gateway, repeats, review, scoreSets }: Context,
  starting: Parameters<typeof runSpecs>[0],
): Handlers {
  const { log, desk, settings, environmentOf } = ground;
  const { sources } = ground.imports;
  const states = createStates({ ...ground, newId: edges.newId, kept: (sha256) => sources.find(sha256) });
  return {
    ...consoleCommands({
      ...config,
      ...ground,
      notices: () => noticesOf(ground),
      awmProblem: ground.awmProblem,
      mayReview: isReviewer(review),
    }),
    ...environments.handlers,
    ...environmentProfileCommands(ground, promptsOf(config.resources).awmUser.text),
    ...modelCommands(ground),
    ...episodeCommands({ ...ground, ...starting, supervisor, newId: edges.newId, stopTapped: gateway.stop }),
    ...deskCommands({ ...ground, consult, newId: edges.newId, clock: edges.clock }),
    ...stepInCommands({ log, desk, newId: edges.newId }),
    ...gatewayCommands({
      ...ground,
      environments: environments.all,
      clientFile: join(config.resources, 'interject.py'),
    }),
    ...importCommands({ log, ...ground.imports }),
    ...exportCommands({ ...ground, openFolder: edges.openFolder ?? null }),
    ...inviteCommands({ settings, clock: edges.clock }),
    ...answerCommands({ log }),
    ...planCommands({
      log,
      makePlan: createMakePlan({ llm: () => ground.llm('expert'), prompts: promptsOf(config.resources) }),
    }),
    ...libraryCommands(ground),
    ...annotateCommands({ log, review, clock: edges.clock }),
    ...rewardCommands({ log, sets: scoreSets }),
    ...repeats.handlers,
    ...practiceCommands({ log, settings, practice: readPractice(join(config.resources, 'practice')) }),
    ...previewCommands({ log, newId: edges.newId, ...states }),
    ...worldStateCommands({ log, supervisor, ...states }),
    ...eraseCommands({ log, sources: ground.imports.sources }),
    ...verifyCommands({ log, environmentOf, images: states.images }),
  };
}

type CoreServices = { people: (since: number) => PeopleSummary } & Searching &
  ReturnType<typeof openModels> &
  Pick<App, 'log' | 'desk' | 'seats' | 'settings' | 'keys' | 'worlds' | 'interrupted'> & {
    groups: Groups;
    folder: string;
    imports: ReturnType<typeof openImports>;
    exports: ExportJobs;
    close(): Promise<void>;
    room: Room;
    worldsUrl: string;
    environmentOf: EnvironmentOf;
    servers: ManagedServers;
    folderNotices: string[];
    knowledge: TaskKnowledgeOf;
    measureLeak: MeasureLeak;
    awmProblem: (folder: string) => Promise<MissingSecrets | null>;
  };

/** The lower floors: the log and what a restart has to mend, settings, worlds, the desk. */
async function buildGround(config: AppConfig, edges: AppEdges, opened: OpenedLog): Promise<CoreServices> {
  const { clock, schedule, newId } = edges;
  const { db, log, folder, notices } = opened;
  const interrupted = recoverInterrupted(log);
  const secrets = edges.secrets(folder.path);
  const settings = createSettings({ ...config, folder: folder.path, secrets, flags: config.models ?? {} });
  const keys = openKeys({ file: (name) => folder.file(name), secrets, clock, schedule });
  const { resources } = config;
  const folders = { packsFolder: join(resources, 'worlds'), ownFolder: config.worldDir ?? null };
  const worlds = createWorlds({ clock, newId, ...folders, sessionsFolder: folder.file('sessions') });
  const searching = openSearch(db, log, edges);
  const measureLeak = createLeakMeter(log, packBriefings(worlds));
  const desk = createDesk({ log, clock, schedule, measureLeak });
  const seats = createSeats({ log, schedule });
  const imports = openImports(log, folder, edges);
  const models = openModels((role, profile) => settings.model(role, profile), { clock, ...config });
  const exports = createExportJobs({ log, folder: folder.file('exports'), resources, clock, newId });
  // Last: from here on something must be closed before the process can end.
  const { close: closeWorlds, ...reach } = await openEnvironments({
    ...edges,
    worlds,
    workingAddress: settings.workingAddress,
    awmFolder: () => settings.awmData().folder,
    awmVerifying: () => ({ mode: settings.verifierMode(), judge: settings.judge() }),
    sandbox: edges.sandbox(resources),
    managed: { serverOf: (id) => settings.environmentServer(id), folder: folder.file('servers') },
  });
  return {
    log,
    settings,
    worlds,
    desk,
    keys,
    people: (since) => readPeople(db, since),
    groups: createGroups(db),
    ...searching,
    folder: folder.path,
    imports,
    exports,
    seats,
    room: createDeskActs({ log, clock }),
    ...reach,
    interrupted,
    folderNotices: notices,
    ...models,
    knowledge: openTaskKnowledge({ log, ...reach, ...models, resources, folder, measureLeak }),
    measureLeak,
    close: async () => {
      await imports.close();
      await exports.close();
      searching.searchIndex.close();
      seats.close();
      desk.close();
      await closeWorlds();
      await worlds.close();
      keys.close();
      opened.close();
    },
  };
}

function buildConsult(
  { resources }: AppConfig,
  { clock, newId }: AppEdges,
  { log, desk, seats, llm, knowledge, measureLeak }: CoreServices,
): Consult {
  const advisor = createAdvisor({ llm: () => llm('expert'), ...knowledge, prompts: promptsOf(resources) });
  const attendance = {
    isAttended: () => seats.isAttended(),
    load: () => ({
      waiting: log.projections.desk(1).total,
      onDuty: seats.onDuty().length,
      minutes: log.projections.activeMinutes(clock() - PEOPLE_WINDOW_MS),
    }),
  };
  return createConsult({ log, advisor, desk, attendance, newId, measureLeak });
}

const reviewOf = (
  { log, llm }: CoreServices,
  { resources }: AppConfig,
  { clock, newId }: AppEdges,
): ReviewRoom => createReview({ log, clock, newId, llm: () => llm('expert'), prompts: promptsOf(resources) });

const PEOPLE_WINDOW_MS = 60 * 60 * 1000;
const promptsOf = (resources: string): Prompts => readPrompts(join(resources, 'prompts'));

function buildSupervisor(
  config: AppConfig,
  edges: AppEdges,
  { log, desk, llm, environmentOf, knowledge, settings }: CoreServices,
  consult: Consult,
): Supervisor {
  const prompts = promptsOf(config.resources);
  const runEpisode = createRunEpisode({
    log,
    consult,
    prompts,
    policyFor: (spec, task) =>
      policyFor(spec, task, (environment, asked) => environmentOf(environment).taskSecrets(asked), llm),
    desk,
    environmentOf,
    prepareCriteria: (id, signal) => void knowledge.knowledge(id, signal).catch(() => undefined),
    pricesOf: ({ agent }) => settings.pricesFor(agent),
    clock: edges.clock,
    retry: { sleep: edges.sleep, random: edges.random },
  });
  return createSupervisor({ log, runEpisode, newId: edges.newId, places: config.places });
}
