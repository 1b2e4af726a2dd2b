// Owns: building every room once and wiring them. Hosts get a router, feeds and a way to close; nothing else is shared.
import { join } from 'node:path';
import type { Caller, Handlers, Inputs } from '../shared/contract/contract.ts';
import type { Topic } from '../shared/contract/envelope.ts';
import type { BriefingOf } from '../shared/pack.ts';
import { createAdvisor } from './advisor/advisor.ts';
import { createMakePlan } from './advisor/makePlan.ts';
import { annotateCommands, hasReviews } from './commands/annotate.ts';
import { answerCommands } from './commands/answers.ts';
import { consoleCommands } from './commands/console.ts';
import { deskCommands } from './commands/desk.ts';
import { eraseCommands } from './commands/erase.ts';
import { createEnvironments, type Environments } from './commands/environments.ts';
import { episodeCommands, runSpecs } from './commands/episodes.ts';
import { createFeeds, type CanSend, type Schedule, type Send } from './commands/feeds.ts';
import { gatewayCommands } from './commands/gateway.ts';
import { exportCommands } from './commands/export.ts';
import { importCommands } from './commands/import.ts';
import { inviteCommands } from './commands/invites.ts';
import { stepInCommands } from './commands/stepIns.ts';
import { planCommands } from './commands/plans.ts';
import { libraryCommands } from './commands/library.ts';
import { createRepeats } from './commands/repeats.ts';
import { practiceCommands } from './commands/practice.ts';
import { rewardCommands } from './commands/rewards.ts';
import { createScoreSets, type ScoreSets } from './commands/rewardSets.ts';
import { createRouter, type Route } from './commands/router.ts';
import { verifyCommands } from './commands/verify.ts';
import { worldCommands } from './commands/world.ts';
import { createExportJobs, type ExportJobs } from './dataset/export/jobs.ts';
import { openImports } from './dataset/import/openImports.ts';
import { createDesk, type Desk } from './desk/desk.ts';
import { createRoom, type Room } from './desk/room.ts';
import { createSeats, type Seats } from './desk/seats.ts';
import { createConsult, type Consult } from './episode/consult.ts';
import { createRunEpisode, type RunSpec } from './episode/runEpisode.ts';
import { createImages } from './episode/images.ts';
import { createPreview } from './episode/preview.ts';
import { policyFor } from './episode/policyFor.ts';
import { createSupervisor, recoverInterrupted, type Supervisor } from './episode/supervisor.ts';
import { assembleGateway } from './gateway/assemble.ts';
import type { GatewayHouse } from './gateway/house.ts';
import { createModels } from './llm/models.ts';
import { createOpenAi } from './llm/openai.ts';
import type { Llm } from './llm/port.ts';
import type { StartThread } from './log/checkpoints.ts';
import { takeDataFolder, type DataFolder } from './log/dataFolder.ts';
import { openDatabase } from './log/database.ts';
import { createEventLog, type EventLog } from './log/eventLog.ts';
import { createGroups, type Groups } from './log/groups.ts';
import { openSearch, type Searching } from './log/searchIndex.ts';
import { readPeople, type PeopleSummary } from './log/people.ts';
import { createOpener } from './openenv/opener.ts';
import type { SpawnTap } from './gateway/tap/tapLink.ts';
import type { GatewayPatch } from './settings/gatewaySettings.ts';
import type { Keys } from './settings/keys.ts';
import { openKeys } from './settings/openKeys.ts';
import { createReview, type Review } from './review/review.ts';
import { readPractice } from './settings/practice.ts';
import { readPrompts, type Prompts } from './settings/prompts.ts';
import type { Secrets } from './settings/secrets.ts';
import { createSettings, type Settings } from './settings/settings.ts';
import { awmDataFolder } from './verifier/awmData.ts';
import type { LazySandbox } from './verifier/runtime.ts';
import { createWorlds, type Worlds } from './worlds/worlds.ts';

export type AppConfig = {
  version: string;
  host: 'desktop' | 'browser';
  dataFolder: string;
  /** The folder that holds prompts and worlds. */
  resources: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** How many episodes run at once; more wait for a place. */
  places: number;
  /** What the command line said about the gateway. */
  gateway?: GatewayPatch;
};

export type AppEdges = {
  clock: () => number;
  schedule: Schedule;
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
  /** Opens a folder in the system's own window for files, where the host has one; says what went wrong, or nothing. */
  openFolder?: (path: string) => Promise<string>;
};

export type App = {
  route: Route;
  subscribe(topic: Topic, send: Send, canSend?: CanSend, caller?: Caller): () => void;
  /** Clients of the tap may be served on after this process has ended. */
  close(how?: { keepServing: boolean }): Promise<void>;
  settings: Settings;
  keys: Keys;
  gateway: GatewayHouse;
  log: EventLog;
  desk: Desk;
  seats: Seats;
  supervisor: Supervisor;
  environments: Environments;
  worlds: Worlds;
  /** The runs a start asks for, checked; throws before anything starts. */
  runSpecs(start: Inputs['episode.start']): RunSpec[];
  /** Episodes that a killed process had left open; they are marked as interrupted now. */
  interrupted: string[];
};

/** Takes the data folder and builds the product. Throws `data_in_use`, `data_unwritable`, `data_corrupt`. */
export async function createApp(config: AppConfig, edges: AppEdges): Promise<App> {
  const folder = takeDataFolder(config.dataFolder);
  try {
    return await build(config, edges, folder);
  } catch (thrown) {
    folder.release();
    throw thrown;
  }
}

async function build(config: AppConfig, edges: AppEdges, folder: DataFolder): Promise<App> {
  const ground = await buildGround(config, edges, folder);
  const { log, settings, worlds } = ground;
  const sandbox = edges.sandbox(config.resources);
  const environments = createEnvironments({ settings, worlds, builtinUrl: ground.builtin.url });
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
    openSession: createOpener(ground.builtin),
  });
  const feeds = createFeeds({
    log,
    schedule: edges.schedule,
    seats: () => ground.seats.all(),
    gateway,
    imports: ground.imports.jobs,
    report: edges.report,
  });
  const rooms = { review: reviewOf(ground, config, edges), scoreSets: createScoreSets({ log, ...edges }) };
  const starting = { environment: environments.find, hasAgentModel: () => settings.model('agent') !== null };
  const parts = { config, edges, ground, environments, consult, supervisor, gateway, repeats, ...rooms };
  const route = createRouter(handlersOf(parts, starting, sandbox.get));
  return {
    route,
    subscribe: (topic, send, canSend, caller) => feeds.subscribe(topic, send, canSend, caller),
    ...ground,
    environments,
    gateway,
    supervisor,
    runSpecs: (start) => runSpecs(starting, start, start.repeats > 1 ? edges.newId() : null),
    close: async (how = { keepServing: false }) => {
      await gateway.close(how);
      await supervisor.close();
      await repeats.close();
      for (const room of [feeds, sandbox, ...Object.values(rooms)]) room.close();
      await ground.close();
    },
  };
}

type Built = {
  config: AppConfig;
  edges: AppEdges;
  ground: Ground;
  environments: Environments;
  consult: Consult;
  supervisor: Supervisor;
  gateway: GatewayHouse;
  repeats: ReturnType<typeof createRepeats>;
  review: ReturnType<typeof reviewOf>;
  scoreSets: ScoreSets;
};
type Starting = Parameters<typeof runSpecs>[0];

/** Every command of the contract, one line per area. */
function handlersOf(
  { config, edges, ground, environments, consult, supervisor, gateway, repeats, review, scoreSets }: Built,
  starting: Starting,
  sandbox: LazySandbox['get'],
): Handlers {
  const { log, desk, settings, worlds } = ground;
  const states = statesOf(ground, edges, ground.imports.sources);
  return {
    ...consoleCommands({
      ...config,
      ...ground,
      notices: () => noticesOf(ground),
      mayReview: hasReviews(review),
    }),
    ...environments.handlers,
    ...episodeCommands({ ...ground, ...starting, supervisor, newId: edges.newId, stopTapped: gateway.stop }),
    ...deskCommands({ ...ground, consult, newId: edges.newId, clock: edges.clock }),
    ...stepInCommands({ log, desk, newId: edges.newId }),
    ...gatewayCommands({
      ...ground,
      status: gateway.status,
      environments: environments.all,
      clientFile: join(config.resources, 'interject.py'),
    }),
    ...importCommands({ log, ...ground.imports }),
    ...exportCommands({ ...ground, openFolder: edges.openFolder ?? null }),
    ...inviteCommands({ settings, clock: edges.clock }),
    ...answerCommands({ log, desk }),
    ...planCommands({
      log,
      makePlan: createMakePlan({ llm: () => ground.llm('expert'), prompts: promptsOf(config.resources) }),
    }),
    ...libraryCommands(ground),
    ...annotateCommands({ log, review, clock: edges.clock }),
    ...rewardCommands({ log, sets: scoreSets }),
    ...repeats.handlers,
    ...practiceCommands({ log, settings, practice: readPractice(join(config.resources, 'practice')) }),
    ...worldCommands({ log, desk, supervisor, newId: edges.newId, ...states }),
    ...eraseCommands({ log, sources: ground.imports.sources }),
    ...verifyCommands({
      log,
      worlds,
      images: states.images,
      sandbox,
      awmData: awmDataFolder(config.environment),
    }),
  };
}

type Ground = { people: (since: number) => PeopleSummary } & Searching &
  Pick<App, 'log' | 'desk' | 'seats' | 'settings' | 'keys' | 'worlds' | 'interrupted'> & {
    groups: Groups;
    folder: string;
    imports: ReturnType<typeof openImports>;
    exports: ExportJobs;
    close(): Promise<void>;
    room: Room;
    builtin: { url: string };
    llm: (role: 'agent' | 'expert') => Llm | null;
    briefing: BriefingOf;
  };

/** Ways to look at a world's state: now from its session, earlier from one that is rebuilt and thrown away. */
function statesOf(
  { log, worlds, builtin }: Ground,
  { newId }: AppEdges,
  sources: Ground['imports']['sources'],
) {
  const open = createOpener(builtin);
  const image = (episode: string): Uint8Array | null => worlds.images(episode)?.current ?? null;
  return {
    preview: createPreview({ log, openSession: open, image, newId }),
    images: createImages({
      log,
      openSession: open,
      images: (episode) => worlds.images(episode),
      newId,
      kept: (sha256) => sources.find(sha256),
    }),
  };
}

/** What a person should know: settings that could not be read, packs that are broken. */
const noticesOf = ({ settings, worlds }: Ground): string[] => [
  ...settings.notices(),
  ...worlds.problems().map(({ message }) => message),
];

/** The lower floors: the log and what a restart has to mend, settings, worlds, the desk. */
async function buildGround(config: AppConfig, edges: AppEdges, folder: DataFolder): Promise<Ground> {
  const { clock, schedule, newId } = edges;
  const db = openDatabase(folder.file('interject.db'));
  const log = createEventLog({ db, clock, onListenerError: edges.report, startThread: edges.startThread });
  const secrets = edges.secrets(folder.path);
  const settings = createSettings({
    folder: folder.path,
    environment: config.environment,
    secrets,
    ...(config.gateway === undefined ? {} : { gateway: config.gateway }),
  });
  const keys = openKeys({ file: (name) => folder.file(name), secrets, clock, schedule });
  const { resources } = config;
  const packsFolder = join(resources, 'worlds');
  const worlds = createWorlds({ clock, newId, packsFolder, sessionsFolder: folder.file('sessions') });
  const builtin = await edges.listenWorlds(worlds);
  const searching = openSearch(db, log, edges);
  const desk = createDesk({ log, clock, schedule });
  const seats = createSeats({ log, schedule });
  const imports = openImports(log, folder, edges);
  const exports = createExportJobs({ log, folder: folder.file('exports'), resources, clock, newId });
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
    room: createRoom({ log, clock }),
    builtin,
    interrupted: recoverInterrupted(log),
    llm: createModels(
      (role) => settings.model(role),
      (config) => createOpenAi(config),
    ),
    briefing: (scenario, taskIdx, task) => {
      if (scenario === null || taskIdx === null) return null;
      const known = worlds.tasks(scenario).find(({ task_idx }) => task_idx === taskIdx);
      return known?.task === task ? worlds.briefing(scenario, taskIdx) : null;
    },
    close: async () => {
      await imports.close();
      await exports.close();
      searching.searchIndex.close();
      seats.close();
      desk.close();
      await builtin.close();
      await worlds.close();
      keys.close();
      db.close();
      folder.release();
    },
  };
}

function buildConsult(
  { resources }: AppConfig,
  { clock, newId }: AppEdges,
  { log, desk, seats, llm, briefing }: Ground,
): Consult {
  const advisor = createAdvisor({ llm: () => llm('expert'), briefing, prompts: promptsOf(resources) });
  const attendance = {
    isAttended: () => seats.isAttended(),
    load: () => ({
      waiting: log.projections.desk(0, 1).total,
      onDuty: seats.onDuty().length,
      minutes: log.projections.activeMinutes(clock() - HOUR_MS),
    }),
  };
  return createConsult({ log, advisor, desk, attendance, newId });
}

const reviewOf = ({ log, llm }: Ground, { resources }: AppConfig, { clock, newId }: AppEdges): Review =>
  createReview({ log, clock, newId, llm: () => llm('expert'), prompts: promptsOf(resources) });

const HOUR_MS = 60 * 60 * 1000;
const promptsOf = (resources: string): Prompts => readPrompts(join(resources, 'prompts'));

function buildSupervisor(
  config: AppConfig,
  edges: AppEdges,
  { log, desk, llm, briefing, worlds, builtin }: Ground,
  consult: Consult,
): Supervisor {
  const prompts = promptsOf(config.resources);
  const runEpisode = createRunEpisode({
    log,
    consult,
    prompts,
    policyFor: (spec, task) => policyFor(spec, task, briefing, llm),
    desk,
    openSession: createOpener(builtin),
    image: (episode) => worlds.images(episode)?.current ?? null,
    clock: edges.clock,
    retry: { sleep: edges.sleep, random: edges.random },
  });
  return createSupervisor({ log, runEpisode, newId: edges.newId, places: config.places });
}
