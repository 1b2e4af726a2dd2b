// Owns: building every room once and wiring them. Hosts get a router, feeds and a way to close; nothing else is shared.
import { join } from 'node:path';
import type { Topic } from '../shared/contract/envelope.ts';
import type { Briefing } from '../shared/pack.ts';
import { createAdvisor } from './advisor/advisor.ts';
import { createChatPolicy } from './agent/chat.ts';
import type { Policy } from './agent/policy.ts';
import { createRehearsal } from './agent/rehearsal.ts';
import { consoleCommands } from './commands/console.ts';
import { deskCommands } from './commands/desk.ts';
import { createEnvironments, type Environments } from './commands/environments.ts';
import { episodeCommands } from './commands/episodes.ts';
import { createFeeds, type CanSend, type Schedule, type Send } from './commands/feeds.ts';
import { createRouter, type Route } from './commands/router.ts';
import { createDesk, type Desk } from './desk/desk.ts';
import { createConsult } from './episode/consult.ts';
import { createRunEpisode, type RunSpec } from './episode/runEpisode.ts';
import { createSupervisor, recoverInterrupted, type Supervisor } from './episode/supervisor.ts';
import { createOpenAi } from './llm/openai.ts';
import type { Llm } from './llm/port.ts';
import { takeDataFolder } from './log/dataFolder.ts';
import { openDatabase } from './log/database.ts';
import { createEventLog, type EventLog } from './log/eventLog.ts';
import { openSession } from './openenv/session.ts';
import { readPrompts } from './settings/prompts.ts';
import type { Secrets } from './settings/secrets.ts';
import { createSettings, type Settings } from './settings/settings.ts';
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
  report: (thrown: unknown) => void;
};

export type App = {
  route: Route;
  subscribe(topic: Topic, send: Send, canSend?: CanSend): () => void;
  close(): Promise<void>;
  settings: Settings;
  log: EventLog;
  desk: Desk;
  supervisor: Supervisor;
  environments: Environments;
  worlds: Worlds;
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

async function build(
  config: AppConfig,
  edges: AppEdges,
  folder: ReturnType<typeof takeDataFolder>,
): Promise<App> {
  const { clock, schedule, newId } = edges;
  const db = openDatabase(folder.file('interject.db'));
  const log = createEventLog({ db, clock, onListenerError: edges.report });
  const interrupted = recoverInterrupted(log);
  const secrets = edges.secrets(folder.path);
  const settings = createSettings({ folder: folder.path, environment: config.environment, secrets });
  const prompts = readPrompts(join(config.resources, 'prompts'));
  const worlds = createWorlds({
    clock,
    newId,
    packsFolder: join(config.resources, 'worlds'),
    sessionsFolder: folder.file('sessions'),
  });
  const builtin = await edges.listenWorlds(worlds);
  const llm = (role: 'agent' | 'expert'): Llm | null => {
    const model = settings.model(role);
    return model === null ? null : createOpenAi(model);
  };
  const briefing = (scenario: string | null, taskIdx: number | null): Briefing | null =>
    scenario === null || taskIdx === null ? null : worlds.briefing(scenario, taskIdx);
  const advisor = createAdvisor({ llm: () => llm('expert'), briefing, prompts });
  const desk = createDesk({ log, clock, schedule });
  const environments = createEnvironments({ settings, worlds, builtinUrl: builtin.url });
  const runEpisode = createRunEpisode({
    log,
    consult: createConsult({ log, advisor, desk, newId }),
    prompts,
    policyFor: (spec) => policyFor(spec, briefing, llm),
    openSession: (url, signal) => openSession(url, { signal }),
    clock,
    retry: { sleep: edges.sleep, random: edges.random },
  });
  const supervisor = createSupervisor({ log, runEpisode, newId, places: config.places });
  const feeds = createFeeds({ log, schedule });
  const notices = (): string[] => settings.notices();
  const route = createRouter({
    ...consoleCommands({ ...config, log, settings, notices, llm, clock }),
    ...environments.handlers,
    ...episodeCommands({
      log,
      desk,
      supervisor,
      environment: environments.find,
      briefing,
      hasAgentModel: () => settings.model('agent') !== null,
      newId,
    }),
    ...deskCommands({ log, desk }),
  });
  return {
    route,
    subscribe: (topic, send, canSend) => feeds.subscribe(topic, send, canSend),
    settings,
    log,
    desk,
    supervisor,
    environments,
    worlds,
    interrupted,
    close: async () => {
      await supervisor.close();
      feeds.close();
      desk.close();
      await builtin.close();
      await worlds.close();
      db.close();
      folder.release();
    },
  };
}

function policyFor(
  { agent, scenario, taskIdx, seed }: RunSpec,
  briefing: (scenario: string | null, taskIdx: number | null) => Briefing | null,
  llm: (role: 'agent') => Llm | null,
): Policy {
  if (agent.policy === 'rehearsal') {
    return createRehearsal({
      script: briefing(scenario, taskIdx)?.rehearsal ?? null,
      protocol: agent.protocol,
    });
  }
  const model = llm('agent');
  if (model === null) throw new Error('a chat episode was started without a model');
  return createChatPolicy({ llm: model, seed });
}
