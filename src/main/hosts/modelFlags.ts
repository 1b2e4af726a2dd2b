// The flags that say which models act: the same for the agent and the expert. A key never stands in a flag, only the name of
// the variable that holds it; what else there is to say of a model stands in a profile or a variable.
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { AgentSpec, Condition } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import type { ModelRole } from '../../shared/modelConfig.ts';
import { openTape, type TapeModel } from '../llm/modelTape.ts';
import type { ModelFlags, ModelFlagsByRole } from '../settings/settings.ts';
import { fromCaller } from './paths.ts';

const ROLES: readonly ModelRole[] = ['agent', 'expert'];
const NAMES = ['Profile', 'Model', 'BaseUrl', 'KeyEnv', 'TokenCommand'] as const;
type Name = (typeof NAMES)[number];
/** What commander makes of the flags: `agentModel`, `expertBaseUrl`, … */
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

/** What the variable says. */
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
  const [profile, model, baseUrl, variable, tokenCommand] = NAMES.map((name) => options[`${role}${name}`]);
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(model === undefined ? {} : { model }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(variable === undefined ? {} : keyIn(role, variable, environment)),
    ...(tokenCommand === undefined ? {} : { tokenCommand }),
  };
}

function keyIn(
  role: ModelRole,
  variable: string,
  environment: NodeJS.ProcessEnv,
): Pick<ModelFlags, 'apiKey' | 'keyFrom'> {
  const apiKey = environment[variable]?.trim() ?? '';
  if (apiKey !== '') return { apiKey, keyFrom: variable };
  throw new Failure('bad_input', `--${role}-key-env names ${variable}, which is not set`, {
    next: 'Give the name of a variable, not the key itself.',
  });
}
