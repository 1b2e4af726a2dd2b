// The product for a command while another process has the data folder: what is begun goes through that process, what is
// read is read from the log beside it. The command's own code is the same in both cases.
import type { AnswerLine } from '../../shared/answerLine.ts';
import { BUILT_IN } from '../../shared/environmentKinds.ts';
import type { LaunchSettings } from '../../shared/contract/launchSettings.ts';
import type { ModelRole } from '../../shared/modelConfig.ts';
import { Failure } from '../../shared/failure.ts';
import { createEnvironments } from '../commands/environments.ts';
import { runSpecs } from '../commands/episodes.ts';
import { openLogBeside, type LogBeside } from '../log/logBeside.ts';
import type { ModelFlagsByRole, SettingsStore } from '../settings/settings.ts';
import { readSplit } from './briefFlags.ts';
import type { CommandApp, CommandAppOptions } from './commandApp.ts';
import type { DoorLine } from './doorLine.ts';
import { newId } from './edges.ts';
import { handTokens } from './handTokens.ts';
import { givenEnvironmentFlags } from './environmentFlags.ts';
import { modelFlags, pickModelOptions } from './modelFlags.ts';
import type { CommandOutput } from './output.ts';
import { readSettings, type SettingsOptions } from './readSettings.ts';
import { importEpisodes } from '../dataset/import/importEpisodes.ts';
import { createImporter } from './runningImports.ts';
import { createLaunches, type Launches } from './runningLaunches.ts';
import { benchesThrough, liftsThrough } from './runningMeasures.ts';

type Asked = CommandAppOptions & { folder: string };

/** Closes the line where it throws. */
export async function openRunningApp(
  line: DoorLine,
  asked: Asked,
  output: CommandOutput,
): Promise<CommandApp> {
  let beside: LogBeside | null = null;
  try {
    checkFlags(line, asked);
    const settings = await readSettings(settingsOptions(asked));
    const said = saidFor(
      asked,
      settings,
      await handTokens({ line, say: (text) => output.say(text) }, settings, rolesOf(asked)),
    );
    await checkModels(line, asked, settings, said);
    beside = openLogBeside(asked.folder, (thrown) => output.say(`a listener failed: ${String(thrown)}`));
    return await build(line, beside, asked, { settings, said });
  } catch (thrown) {
    beside?.close();
    line.close();
    throw thrown;
  }
}

type Said = { settings?: LaunchSettings };

async function build(
  line: DoorLine,
  beside: LogBeside,
  asked: Asked,
  { settings, said }: { settings: SettingsStore; said: Said },
): Promise<CommandApp> {
  const { environments: listed } = await line.call('environments.list', {});
  const worldsUrl = listed.find(({ id }) => id === BUILT_IN)?.url ?? '';
  const environments = environmentsThrough(line, settings, worldsUrl);
  let answers: readonly AnswerLine[] | null = null;
  const launchedWith = { answers: () => answers, settings: said };
  const launches = createLaunches(line, beside, { ...launchedWith, places: asked.places });
  const split = readSplit(asked.split);
  const starting = {
    ...settings,
    log: beside.log,
    split,
    environment: environments.find,
    hasAgentModel: (name?: string) => settings.model('agent', name) !== null,
  };
  return {
    settings,
    log: { ...beside.log, subscribe: launches.subscribe },
    environments,
    supervisor: launches,
    adopt: launches.adopt,
    runSpecs: (start) =>
      launches.noteStarts(start, runSpecs(starting, start, start.repeats > 1 ? newId() : null)),
    runBudget: launches.budget,
    importEpisodes: (path) => importEpisodes(createImporter(line), path),
    benches: benchesThrough(line, beside, launches, launchedWith),
    lifts: liftsThrough(line, beside, launches, launchedWith),
    attendDesk: (lines) => {
      answers = lines;
      return () => {
        answers = null;
      };
    },
    openDesk: async () => deskOf(line),
    pinSplit: async (name, pinned) => void (await line.call('launch.pin_split', { name, pinned })),
    call: (method, input) => line.call(method, input),
    close: async () => closeBoth(launches, beside, line),
  };
}

function closeBoth(launches: Launches, beside: LogBeside, line: DoorLine): void {
  launches.end();
  beside.close();
  line.close();
}

/** Which environments there are is in the settings; what each offers, the running process knows. */
const environmentsThrough = (line: DoorLine, settings: SettingsStore, worldsUrl: string) => {
  const { find, handlers } = createEnvironments({
    settings,
    worldsUrl,
    clock: Date.now,
    environmentOf: () => {
      throw new Failure('internal', 'an environment is reached by the process that plays in it');
    },
  });
  return {
    find,
    handlers: {
      ...handlers,
      'scenarios.search': (input) => line.call('scenarios.search', input),
      'scenarios.list': (input) => line.call('scenarios.list', input),
      'tasks.list': (input) => line.call('tasks.list', input),
    } satisfies CommandApp['environments']['handlers'],
  };
};

function deskOf({ console, owner }: DoorLine): Awaited<ReturnType<CommandApp['openDesk']>> {
  const address = console === null ? '' : new URL(console.url).origin;
  return {
    ready: { url: console?.url ?? null, token: console?.token ?? null },
    place: console === null ? `of the Interject that is open: ${owner}` : `at ${console.url}`,
    linkTo: (episode) => `${address}/#/live/${episode}`,
    close: () => Promise.resolve(),
  };
}

/** Flags that set up the whole product: one that runs was set up when it began. */
function flagsOfProduct(asked: Asked): string[] {
  const given = (flags: Record<string, unknown>): string[] =>
    Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [flag]));
  return [
    ...givenEnvironmentFlags(asked),
    ...given({
      '--record-model': asked.recordModel,
      '--replay-model': asked.replayModel,
      '--world-dir': asked.worldDir,
      '--awm-data': asked.awmData,
      '--judge-base-url': asked.judgeBaseUrl,
      '--judge-model': asked.judgeModel,
    }),
  ];
}

/** Throws `data_in_use`. */
function checkFlags(line: DoorLine, asked: Asked): void {
  const flags = flagsOfProduct(asked);
  if (flags.length === 0) return;
  const [verb, they] = flags.length === 1 ? ['sets', 'it'] : ['set', 'them'];
  throw inUse(
    line,
    asked.folder,
    `${flags.join(', ')} ${verb} up a whole Interject, and that one began without ${they}`,
    `Leave ${they} out and use its Settings, close it first, or name another folder with --data.`,
  );
}

const inUse = ({ owner }: DoorLine, folder: string, why: string, next: string): Failure =>
  new Failure('data_in_use', `${owner} has the data folder ${folder} open: ${why}`, { next });

const settingsOptions = ({ folder, ...asked }: Asked): SettingsOptions => ({
  ...pickModelOptions(asked),
  data: folder,
  ...(asked.experts === undefined ? {} : { experts: asked.experts }),
});

/** What the flags say of this command's own episodes, with the keys they name; it goes with each launch. */
function saidFor(asked: Asked, settings: SettingsStore, tokens: Partial<Record<ModelRole, string>>): Said {
  const models = launchedModels(modelFlags(asked), tokens);
  const said = {
    ...(Object.keys(models).length === 0 ? {} : { models }),
    ...(asked.experts === undefined ? {} : { roster: settings.roster() }),
  };
  return Object.keys(said).length === 0 ? {} : { settings: said };
}

/** Whose models the command asks, or names. */
const rolesOf = (asked: Asked): ModelRole[] => [
  ...new Set([...asked.roles, ...(Object.keys(modelFlags(asked)) as ModelRole[])]),
];

/** The flags as they travel: the name of what is handed over in place of a token command. */
function launchedModels(
  flags: ModelFlagsByRole,
  tokens: Partial<Record<ModelRole, string>>,
): NonNullable<LaunchSettings['models']> {
  const roles = (['agent', 'expert'] as const).filter(
    (role) => flags[role] !== undefined || tokens[role] !== undefined,
  );
  return Object.fromEntries(
    roles.map((role) => {
      const { tokenCommand: _here, ...said } = flags[role] ?? {};
      const tokenFrom = tokens[role];
      return [role, tokenFrom === undefined ? said : { ...said, tokenFrom }];
    }),
  );
}

/** A model that a variable of this terminal names is not the running process's. Throws `data_in_use`. */
async function checkModels(
  line: DoorLine,
  { roles, folder }: Asked,
  settings: SettingsStore,
  said: Said,
): Promise<void> {
  if (roles.length === 0) return;
  const ours = settings.describe();
  const theirs = await line.call('launch.models', said);
  for (const role of roles) if (isOther(ours[role], theirs[role])) throw otherModel(line, folder, role);
}

type Described = ReturnType<SettingsStore['describe']>['agent'];

const isOther = (one: Described, other: Described): boolean =>
  one.provider !== other.provider ||
  one.base_url !== other.base_url ||
  one.model !== other.model ||
  one.api_version !== other.api_version;

const otherModel = (line: DoorLine, folder: string, role: ModelRole): Failure =>
  inUse(
    line,
    folder,
    `its model for the ${role} is another than this terminal’s variables and the settings say`,
    `Name it with --${role}-model and --${role}-base-url or set it under Settings, which both read, or close that Interject first.`,
  );
