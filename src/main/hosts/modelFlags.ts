// The flags that say which models act: the same for the agent and the expert. A key never stands in a flag, only the
// name of a variable or a file that holds it.
import { readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import type { AgentSpec, Condition } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import type { ModelRole } from '../../shared/modelConfig.ts';
import { openTape, type TapeModel } from '../llm/modelTape.ts';
import type { ModelFlags, ModelFlagsByRole } from '../settings/settings.ts';
import { fromCaller } from './paths.ts';

const ROLES: readonly ModelRole[] = ['agent', 'expert'];
const NAMES = [
  'Profile',
  'Model',
  'BaseUrl',
  'Provider',
  'ApiVersion',
  'KeyEnv',
  'KeyFile',
  'TokenCommand',
] as const;
type Name = (typeof NAMES)[number];
/** What commander makes of the flags: `agentModel`, `expertBaseUrl`, … */
export type ModelOptions = Partial<Record<`${ModelRole}${Name}` | 'recordModel' | 'replayModel', string>>;

export function addModelFlags(command: Command): Command {
  for (const role of ROLES) {
    command
      .option(`--${role}-profile <name>`, `a model profile of the settings for the ${role}`)
      .option(`--${role}-model <name>`, `the ${role}’s model (Azure: its deployment)`)
      .option(
        `--${role}-base-url <url>`,
        `where the ${role}’s model is; it gets no key but the one given here`,
      )
      .addOption(new Option(`--${role}-provider <name>`, 'what is there').choices(['openai', 'azure']))
      .option(`--${role}-api-version <date>`, 'API version (Azure)')
      .option(`--${role}-key-env <name>`, 'the variable that holds its key (keys are never flags)')
      .option(`--${role}-key-file <file>`, 'the file that holds its key')
      .option(
        `--${role}-token-command <command>`,
        'a command that prints an access token (Entra ID), run without a shell',
      );
  }
  return command;
}

/** How `run` has its model act. */
export const addTurnFlags = (command: Command): Command =>
  command
    .option('--record-model <file>', 'write what models are asked and answer to this file, without keys')
    .option(
      '--replay-model <file>',
      'have a file so written answer in place of the models; the flags stay the same',
    );

/** Throws `bad_input` for both at once. */
export function tapeFlags({ recordModel, replayModel }: ModelOptions): { modelTape?: TapeModel } {
  if (recordModel !== undefined && replayModel !== undefined) {
    throw new Failure('bad_input', '--record-model and --replay-model cannot be given together');
  }
  if (recordModel !== undefined) return { modelTape: openTape({ record: fromCaller(recordModel) }) };
  return replayModel === undefined ? {} : { modelTape: openTape({ replay: fromCaller(replayModel) }) };
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

/** Who acts: chat where a flag names the agent's model, and no other agent is named. */
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
  const given = (name: Name): string | undefined => options[`${role}${name}`];
  const [profile, model, baseUrl, provider, apiVersion, tokenCommand] = (
    ['Profile', 'Model', 'BaseUrl', 'Provider', 'ApiVersion', 'TokenCommand'] as const
  ).map(given);
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(model === undefined ? {} : { model }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(provider === 'openai' || provider === 'azure' ? { provider } : {}),
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(tokenCommand === undefined ? {} : { tokenCommand }),
    ...keyOf(role, given('KeyEnv'), given('KeyFile'), environment),
  };
}

function keyOf(
  role: ModelRole,
  variable: string | undefined,
  file: string | undefined,
  environment: NodeJS.ProcessEnv,
): Pick<ModelFlags, 'apiKey' | 'keyFrom'> {
  if (variable !== undefined && file !== undefined) {
    throw new Failure(
      'bad_input',
      `--${role}-key-env and --${role}-key-file both name a key: give one of them`,
    );
  }
  if (variable !== undefined) {
    const apiKey = environment[variable]?.trim() ?? '';
    if (apiKey !== '') return { apiKey, keyFrom: variable };
    throw new Failure('bad_input', `--${role}-key-env names ${variable}, which is not set`, {
      next: 'Give the name of a variable, not the key itself.',
    });
  }
  if (file === undefined) return {};
  const path = fromCaller(file, environment);
  try {
    const apiKey = readFileSync(path, 'utf8').trim();
    if (apiKey !== '') return { apiKey, keyFrom: `--${role}-key-file` };
  } catch (cause) {
    throw new Failure('bad_input', `--${role}-key-file: ${path} cannot be read`, { cause });
  }
  throw new Failure('bad_input', `--${role}-key-file: ${path} is empty`);
}
