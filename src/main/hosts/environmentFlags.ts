// The flags that say how the environment of `--env` is reached. They go before what is set for it, until the command ends.
import { InvalidArgumentError, Option, type Command } from 'commander';
import { Failure } from '../../shared/failure.ts';
import { headersOf, RESET_SECONDS, Transport, type ServerConnection } from '../../shared/serverConnection.ts';
import { readAuthorities } from '../openenv/authorities.ts';
import { fromCaller } from './paths.ts';

export type EnvironmentOptions = {
  envHeader?: string[];
  envCa?: string;
  envResetLimit?: number;
  envTransport?: Transport;
  envGoOn?: boolean;
};

const resetSeconds = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 86_400)
    throw new InvalidArgumentError('a whole number of seconds from 1 to 86400 is needed.');
  return value;
};

export const addEnvironmentFlags = (command: Command): Command =>
  command
    .option(
      '--env-header <header>',
      'a header for the environment of --env, like "X-Team: blue"; may be given more than once (other users of this machine can see it: Settings → Environments keeps it apart)',
      (header: string, all: string[] | undefined) => [...(all ?? []), header],
    )
    .option('--env-ca <file>', 'certificate (PEM) of the authority that signs the environment’s')
    .option(
      '--env-reset-limit <s>',
      `seconds a reset may take (${String(RESET_SECONDS)}, or as set for it)`,
      resetSeconds,
    )
    .addOption(
      new Option(
        '--env-transport <how>',
        'how it is driven: by its socket, by tool calls over POST /mcp, or (auto) by the latter where it has no socket',
      ).choices(Transport.options),
    )
    .option(
      '--env-go-on',
      'it has no effects outside an episode: an episode that was running when Interject was killed goes on by itself, its calls made again',
    );

/** The flags that were given, by name. */
export const givenEnvironmentFlags = (options: EnvironmentOptions): string[] => [
  ...(options.envHeader === undefined ? [] : ['--env-header']),
  ...(options.envCa === undefined ? [] : ['--env-ca']),
  ...(options.envResetLimit === undefined ? [] : ['--env-reset-limit']),
  ...(options.envTransport === undefined ? [] : ['--env-transport']),
  ...(options.envGoOn === undefined ? [] : ['--env-go-on']),
];

/** What the flags say. Throws `bad_input` for a header that is none and a file that holds no certificate. */
export function environmentFlags(options: EnvironmentOptions): Partial<ServerConnection> {
  const { envHeader, envCa, envResetLimit, envTransport, envGoOn } = options;
  const ca_file = envCa === undefined ? null : fromCaller(envCa);
  if (ca_file !== null) readAuthorities(ca_file);
  return {
    ...(envHeader === undefined ? {} : { headers: headersOf(envHeader.map(readHeader)) }),
    ...(ca_file === null ? {} : { ca_file }),
    ...(envResetLimit === undefined ? {} : { reset_seconds: envResetLimit }),
    ...(envTransport === undefined ? {} : { transport: envTransport }),
    ...(envGoOn === undefined ? {} : { goes_on: envGoOn }),
  };
}

/** The text is never repeated: it may be a secret without its name. */
function readHeader(text: string, index: number): { name: string; value: string } {
  const at = text.indexOf(':');
  if (at > 0) return { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
  throw new Failure('bad_input', `--env-header number ${String(index + 1)} has no colon after its name`, {
    next: 'Write it like --env-header "X-Team: blue".',
  });
}

/** What is set for an environment, as `doctor` tells it: names of headers, never their values; null for nothing. */
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
