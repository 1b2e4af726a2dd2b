// The flags that several commands have, and how each is read. A key never stands in a flag, only the name of the variable that holds it.
import { InvalidArgumentError, type Command, Option } from 'commander';
import { Failure } from '../../shared/failure.ts';
import { headersOf, type ServerConnection } from '../../shared/serverConnection.ts';
import { existsSync } from 'node:fs';
import { type AgentSpec, Condition } from '../../shared/events/lifecycle.ts';
import type { ModelRole } from '../../shared/modelConfig.ts';
import { openTape, type TapeModel } from '../llm/modelTape.ts';
import type { ModelFlags, ModelFlagsByRole } from '../settings/settings.ts';
import { fromCaller } from './paths.ts';
import { REPEATS_MAX } from '../../shared/contract/areas.ts';
import { GATEWAY_PORT } from './ports.ts';

export const seconds = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('a number of seconds above 0 is needed.');
  return value;
};

export const parseNumber = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('a number is needed.');
  return value;
};

/** A port to listen on; 0 lets the system choose. */
export const portNumber = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < 0 || value > 65_535)
    throw new InvalidArgumentError('a port from 0 to 65535 is needed.');
  return value;
};

export type EnvironmentOptions = { envHeader?: string[] };

export const addEnvironmentFlags = (command: Command): Command =>
  command.option(
    '--env-header <header>',
    'a header for the environment of --env, like "X-Team: blue"; may be given more than once (other users of this machine can see it: Setup → Environments keeps it apart)',
    (header: string, all: string[] | undefined) => [...(all ?? []), header],
  );

/** Settings of the flag. Throws `bad_input` for a header that is none. */
export const environmentFlags = ({ envHeader }: EnvironmentOptions): Partial<ServerConnection> =>
  envHeader === undefined ? {} : { headers: headersOf(envHeader.map(readHeader)) };

/** The text is never repeated: it may be a secret without its name. */
function readHeader(text: string, index: number): { name: string; value: string } {
  const at = text.indexOf(':');
  if (at > 0) return { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
  throw new Failure('bad_input', `--env-header number ${String(index + 1)} has no colon after its name`, {
    next: 'Write it like --env-header "X-Team: blue".',
  });
}

/** The settings of an environment, as `doctor` tells them: names of headers, never their values; null for nothing. */
export function connectionText(connection: ServerConnection): string | null {
  const { headers, ca_file, reset_seconds, transport, goes_on } = connection;
  const names = Object.keys(headers);
  const parts = [
    ...(names.length === 0 ? [] : [`${names.length === 1 ? 'header' : 'headers'} ${names.join(', ')}`]),
    ...(ca_file === null ? [] : [`authority ${ca_file}`]),
    ...(reset_seconds === null ? [] : [`resets of at most ${String(reset_seconds)} s`]),
    ...(transport === 'auto' ? [] : [transport === 'mcp' ? 'over POST /mcp' : 'over its socket only']),
    ...(goes_on ? ['episodes go on by themselves after a restart'] : []),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}

const ROLES: readonly ModelRole[] = ['agent', 'expert'];
const NAMES = ['Profile', 'Model', 'BaseUrl', 'KeyEnv', 'TokenCommand'] as const;
type Name = (typeof NAMES)[number];
/** The flags as commander names them: `agentModel`, `expertBaseUrl`, … */
export type ModelOptions = Partial<Record<`${ModelRole}${Name}`, string>>;

export function addModelFlags(command: Command, roles: readonly ModelRole[] = ROLES): Command {
  for (const role of roles) {
    command
      .option(`--${role}-profile <name>`, `a model profile of the settings for the ${role}`)
      .option(`--${role}-model <name>`, `the ${role}’s model (Azure: its deployment)`)
      .option(
        `--${role}-base-url <url>`,
        `where the ${role}’s model is; it gets no key but the one given here`,
      )
      .option(`--${role}-key-env <name>`, 'the variable that holds its key (keys are never flags)')
      .option(
        `--${role}-token-command <command>`,
        'a command that prints an access token (Entra ID), run without a shell',
      );
  }
  return command;
}

/** Names a file that answers in the place of models; one that is not there yet is written while they are asked. */
export const MODEL_TAPE = 'INTERJECT_MODEL_TAPE';

/** The variable's setting. */
export function tapeOf(environment: NodeJS.ProcessEnv): { modelTape?: TapeModel } {
  const named = environment[MODEL_TAPE] ?? '';
  if (named === '') return {};
  const file = fromCaller(named, environment);
  return { modelTape: openTape(existsSync(file) ? { replay: file } : { record: file }) };
}

/** Only the flags that say which models act. */
export const pickModelOptions = (options: ModelOptions): ModelOptions =>
  Object.fromEntries(
    ROLES.flatMap((role) => NAMES.map((name) => `${role}${name}` as const)).flatMap((name) =>
      options[name] === undefined ? [] : [[name, options[name]]],
    ),
  );

/** The flags that were given for a role's model, as they are typed. */
export const chosenModelFlags = (role: ModelRole, options: ModelOptions): string[] =>
  NAMES.filter((name) => options[`${role}${name}`] !== undefined).map(
    (name) => `--${role}${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );

/** The agent: chat where a flag names its model, and no other agent is named. */
export const chosenPolicy = ({
  agent,
  ...options
}: ModelOptions & { agent?: AgentSpec['policy'] }): AgentSpec['policy'] =>
  agent ?? (chosenModelFlags('agent', options).length > 0 ? 'chat' : 'rehearsal');

/** Whose models are asked where this agent acts and these may advise. */
export const askedModels = (policy: AgentSpec['policy'], conditions: readonly Condition[]): ModelRole[] => [
  ...(policy === 'chat' ? (['agent'] as const) : []),
  ...(conditions.every((one) => one === 'none' || one === 'human') ? [] : (['expert'] as const)),
];

/** Throws `bad_input` for a key that is not there. */
export function modelFlags(
  options: ModelOptions,
  environment: NodeJS.ProcessEnv = process.env,
): ModelFlagsByRole {
  return Object.fromEntries(
    ROLES.flatMap((role) => {
      const flags = flagsOf(role, options, environment);
      return Object.keys(flags).length === 0 ? [] : [[role, flags]];
    }),
  );
}

function flagsOf(role: ModelRole, options: ModelOptions, environment: NodeJS.ProcessEnv): ModelFlags {
  const [profile, model, baseUrl, variable, tokenCommand] = NAMES.map((name) => options[`${role}${name}`]);
  const apiKey = variable === undefined ? '' : (environment[variable]?.trim() ?? '');
  if (variable !== undefined && apiKey === '')
    throw new Failure('bad_input', `--${role}-key-env names ${variable}, which is not set`, {
      next: 'Give the name of a variable, not the key itself.',
    });
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(model === undefined ? {} : { model }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(variable === undefined ? {} : { apiKey, keyFrom: variable }),
    ...(tokenCommand === undefined ? {} : { tokenCommand }),
  };
}

export const SPLIT_HELP =
  'split manifest (JSON with train and val): no brief is written of a val task; pinned splits hold without it';

export const integerFrom =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least || value > most) {
      const range =
        most === Number.MAX_SAFE_INTEGER
          ? `of at least ${String(least)}`
          : `from ${String(least)} to ${String(most)}`;
      throw new InvalidArgumentError(`a whole number ${range} is needed.`);
    }
    return value;
  };

/** Adds flags for the environment. */
export const addPlaceFlags = (command: Command): Command =>
  addEnvironmentFlags(command)
    .option('--world <name>', 'a built-in world, or one of your own')
    .option('--env <url>', 'an OpenEnv server (else AWM_BASE_URL, where no world is named)')
    .option(
      '--scenario <names>',
      'scenario of the server (or split of its tasks), several with commas between, or all',
    )
    .option(
      '--task <which>',
      'a number, a range like 0-9, or all (not needed with several scenarios, or where a server has none)',
    );

/** Adds flags for answers in a person's place, and for waiting for people. */
export const addAnswerFlags = (command: Command): Command =>
  command
    .option('--answers <file>', 'JSON lines that answer in a person’s place (recorded as scripted)')
    .option('--deadline <s>', 'seconds a question may wait', seconds)
    .addOption(
      new Option('--fallback <what>', 'what happens then (wait; with --answers: proceed)').choices([
        'wait',
        'draft',
        'proceed',
      ]),
    )
    .option('--turns <n>', 'turn limit', integerFrom(1))
    .option('--asks <n>', 'how often the agent may ask', integerFrom(0))
    .option('--port <n>', 'port of the desk when a person is to answer', portNumber, GATEWAY_PORT);

export const addRunFlags = (command: Command): Command =>
  addAnswerFlags(addModelFlags(addPlaceFlags(command)))
    .option(
      '--tasks <file>',
      'JSON of [scenario, task] pairs, or a split with train and val lists of them; in place of --scenario and --task, with --env URL or, for built-in worlds, --world all',
    )
    .addOption(new Option('--list <name>', 'which list of a split in --tasks').choices(['train', 'val']))
    .option('--run <name>', 'names the run; episodes that ended in it (done or limit) are not run again')
    .option('--episodes <n>', 'repeats per task, up to 64', integerFrom(1, REPEATS_MAX), 1)
    .option('--seed <n>', 'seed of the first repeat', integerFrom(0), 0)
    .option('--concurrency <k>', 'episodes that run at once', integerFrom(1, 64), 1)
    .addOption(
      new Option(
        '--agent <policy>',
        'who acts: a script (rehearsal), the agent’s model (chat; taken where a flag names that model), or a person ' +
          'who makes every move in the console',
      ).choices(['rehearsal', 'chat', 'human']),
    )
    .addOption(new Option('--condition <who>', 'who may advise').choices(Condition.options).default('none'))
    .option(
      '--baseline-log <file>',
      'an earlier run of the same tasks, of which --condition brief is written',
    )
    .option('--split <file>', SPLIT_HELP)
    .option('--reset <json>', 'further reset arguments, as a JSON object');
