// The lower floors, built once: the log, settings, worlds, models, the desk, and how environments are reached.
import { join } from 'node:path';
import { createLeakMeter, type MeasureLeak } from '../advisor/leakMeter.ts';
import { createRequests, type Requests } from '../commands/console.ts';
import { createExportJobs, type ExportJobs } from '../dataset/export/exportJobs.ts';
import { openImports } from '../dataset/import/openImports.ts';
import { createDesk } from '../desk/desk.ts';
import { createDeskActs, type Room } from '../desk/deskActs.ts';
import { watchLosses, type LossWatch } from '../desk/losses.ts';
import { createSeats } from '../desk/seats.ts';
import { openTaskKnowledge, type TaskKnowledgeOf } from '../episode/taskKnowledge.ts';
import { expertAtSeat, rosterFor, type QuestionRouting } from '../episode/routing.ts';
import { type Adopt, createAdopt, createContinuing, type Continuing } from '../episode/continueEpisode.ts';
import { type AgentNow, sortOpenEpisodes } from '../episode/restart.ts';
import { createRunBudgets } from '../episode/budget.ts';
import type { Supervisor } from '../episode/supervisor.ts';
import { modelAddress } from '../llm/failures.ts';
import { openModels } from '../llm/openModels.ts';
import type { EventLog } from '../log/eventLog.ts';
import { type OpenedLog } from '../log/openLog.ts';
import { readRoutedEpisodes } from '../log/routedEpisodes.ts';
import { openRollouts } from '../log/trainingRuns.ts';
import { openSearch, type Searching } from '../log/searchIndex.ts';
import { readPeople, type PeopleSummary } from '../log/people.ts';
import { packBriefings } from '../environments/builtIn.ts';
import { openEnvironments } from '../environments/environments.ts';
import type { EnvironmentOf } from '../environments/port.ts';
import { isOwnFolder, markAsOwn, openCameWith, setAside } from '../settings/cameWith.ts';
import { openKeys } from '../settings/keys.ts';
import { readPrompts, type Prompts } from '../settings/prompts.ts';
import { kindOf } from '../../shared/environmentKinds.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { redactMessage } from '../../shared/redact/redact.ts';
import type { MissingSecrets } from '../../shared/taskSecrets.ts';
import { createSettings, type SettingsStore } from '../settings/settings.ts';
import { createWorlds, type Worlds } from '../worlds/worlds.ts';
import type { App, AppConfig, AppEdges } from './types.ts';

/** Services of the lower floors for what stands on them. */
export type Services = { people: (since: number) => PeopleSummary } & Searching &
  ReturnType<typeof openModels> &
  ReturnType<typeof openRollouts> &
  Pick<
    App,
    | 'log'
    | 'desk'
    | 'seats'
    | 'settings'
    | 'cameWith'
    | 'keys'
    | 'worlds'
    | 'interrupted'
    | 'closed'
    | 'goingOn'
    | 'queued'
    | 'killed'
    | 'runBudgets'
  > & {
    losses: LossWatch;
    routedEpisodes: () => string[];
    adoptBy: (supervisor: Supervisor) => Adopt;
    continuingBy: (supervisor: Supervisor) => Continuing;
    folder: string;
    imports: ReturnType<typeof openImports>;
    exports: ExportJobs;
    close(): Promise<void>;
    room: Room;
    worldsUrl: string;
    environmentOf: EnvironmentOf;
    folderNotices: string[];
    knowledge: TaskKnowledgeOf;
    measureLeak: MeasureLeak;
    rosterOf: QuestionRouting['rosterOf'];
    awmProblem: (folder: string) => Promise<MissingSecrets | null>;
    requests: Requests;
  };

/** The settings of how to reach servers. */
const reachedBy = ({ workingAddress, connectionOf }: SettingsStore) => ({ workingAddress, connectionOf });

/** The built-in worlds, and packs of a person's own. */
const worldsOf = (
  { resources, worldDir }: AppConfig,
  { monotonic, newId, turn }: AppEdges,
  sessionsFolder: string,
): Worlds =>
  createWorlds({
    monotonic,
    newId,
    turn,
    packsFolder: join(resources, 'worlds'),
    ownFolder: worldDir ?? null,
    sessionsFolder,
  });

/** The lower floors: the log and what a restart has to mend, settings, worlds, the desk. */
export async function buildServices(
  config: AppConfig,
  edges: AppEdges,
  opened: OpenedLog,
): Promise<Services> {
  const { clock, monotonic, schedule } = edges;
  const { db, log, folder } = opened;
  const { settings, restart, losses, keys, cameWith } = await openSettings(config, edges, opened);
  const { resources } = config;
  const worlds = worldsOf(config, edges, folder.file('sessions'));
  const measureLeak = createLeakMeter(log, packBriefings(worlds));
  const waiting = openDesk({ log, clock, monotonic, schedule, measureLeak }, settings);
  const seats = createSeats({ log, schedule });
  const imports = openImports(log, folder, edges);
  const models = openModels((role, profile) => settings.model(role, profile), { ...edges, ...config });
  const exports = createExportJobs({ ...config, ...edges, log, folder: folder.file('exports') });
  const searching = openSearch(db, log, edges);
  // Last: from here on something must be closed before the process can end.
  const { close: closeWorlds, ...reach } = await openEnvironments({
    ...edges,
    worlds,
    ...reachedBy(settings),
    awmFolder: () => settings.awmData().folder,
    awmVerifying: () => ({ mode: settings.verifierMode(), judge: settings.judge() }),
  });
  return {
    log,
    settings,
    cameWith,
    losses,
    worlds,
    keys,
    people: (since) => readPeople(db, since),
    ...openRollouts(db),
    routedEpisodes: () => readRoutedEpisodes(db),
    ...searching,
    folder: folder.path,
    imports,
    exports,
    seats,
    room: createDeskActs({ log, clock, desk: waiting.desk }),
    ...reach,
    ...restart,
    ...foundAtStart(opened),
    ...models,
    knowledge: openTaskKnowledge({ log, ...reach, ...models, resources, folder, measureLeak }),
    measureLeak,
    requests: createRequests(),
    ...waiting,
    close: async () => {
      await imports.close();
      await exports.close();
      searching.searchIndex.close();
      seats.close();
      waiting.desk.close();
      losses.close();
      await closeWorlds();
      await worlds.close();
      keys.close();
      opened.close();
    },
  };
}

/** The settings, and what the open episodes become; of a folder that was made elsewhere nothing holds and none goes on. */
async function openSettings(config: AppConfig, edges: AppEdges, { folder, log }: OpenedLog) {
  const userKey = await edges.userKey();
  const isOwn = isOwnFolder(folder.path, userKey);
  if (!isOwn) setAside(folder.path);
  const secrets = edges.secrets(folder.path);
  const settings = createSettings({ ...config, folder: folder.path, secrets });
  const losses = watchLosses({ log, ...edges });
  const restart = restartOf(config, edges, { log, settings, cameWithFolder: !isOwn });
  losses.sorted();
  // Only now: a start that is broken off before finds the folder as it came.
  if (!isOwn) markAsOwn(folder.path, userKey);
  const { clock, monotonic, schedule } = edges;
  const keys = openKeys({ file: (name) => folder.file(name), secrets, clock, monotonic, schedule });
  endInvitesWith(keys, settings);
  return { settings, restart, losses, keys, cameWith: openCameWith({ folder: folder.path, secrets, keys }) };
}

/** An invite that a key made ends with it. */
function endInvitesWith(keys: App['keys'], settings: SettingsStore): void {
  const end = (): void => settings.revokeInvitesOfKeys((id) => keys.isLive(id));
  end();
  keys.onChanged(end);
}

const foundAtStart = (opened: OpenedLog) => ({
  killed: opened.folder.killed,
  folderNotices: opened.notices,
});

/** The desk, which knows who of a roster sits at a seat. */
function openDesk(edges: Parameters<typeof createDesk>[0], settings: Pick<App['settings'], 'roster'>) {
  const rosterOf = rosterFor(() => settings.roster());
  return { rosterOf, desk: createDesk({ ...edges, expertAt: expertAtSeat(rosterOf) }) };
}

export const promptsOf = (resources: string): Prompts => readPrompts(join(resources, 'prompts'));

/** Decides on the episodes of a killed program, now and when a bench or a lift takes its own over. */
function restartOf(
  { afterCrash: mode, resources }: AppConfig,
  edges: Pick<AppEdges, 'monotonic' | 'newId'>,
  { log, settings, cameWithFolder }: { log: EventLog; settings: SettingsStore; cameWithFolder: boolean },
) {
  const now = {
    log,
    isFreeOfEffects: (spec: EnvironmentSpec) =>
      kindOf(spec).isPartOfProduct || settings.connectionOf(spec.url).goes_on,
    promptSha256: promptsOf(resources).sha256,
    agentNow: (profile?: string) => agentNow(settings, profile),
  };
  const sorted = sortOpenEpisodes({ ...now, mode, cameWithFolder });
  // What no episode can go on with is forgotten.
  const runBudgets = createRunBudgets({ ...edges, log });
  return {
    ...sorted,
    runBudgets,
    adoptBy: (supervisor: Supervisor): Adopt => createAdopt({ ...now, runBudgets, supervisor }),
    continuingBy: (supervisor: Supervisor): Continuing =>
      createContinuing({ ...now, runBudgets, supervisor }),
  };
}

/** The agent's model, and where and how it is asked; a profile that was removed since is no model. */
export function agentNow(settings: SettingsStore, profile: string | undefined): AgentNow | null {
  try {
    const config = settings.model('agent', profile);
    if (config === null) return null;
    const { model, reasoning } = config;
    return { model, base_url: redactMessage(modelAddress(config)), ...(reasoning && { reasoning }) };
  } catch {
    return null;
  }
}
