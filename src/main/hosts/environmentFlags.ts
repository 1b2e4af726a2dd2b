// The flag that says with which headers the environment of `--env` is reached; the rest is set under Settings.
import type { Command } from 'commander';
import { Failure } from '../../shared/failure.ts';
import { headersOf, type ServerConnection } from '../../shared/serverConnection.ts';

export type EnvironmentOptions = { envHeader?: string[] };

export const addEnvironmentFlags = (command: Command): Command =>
  command.option(
    '--env-header <header>',
    'a header for the environment of --env, like "X-Team: blue"; may be given more than once (other users of this machine can see it: Settings → Environments keeps it apart)',
    (header: string, all: string[] | undefined) => [...(all ?? []), header],
  );

/** What the flag says. Throws `bad_input` for a header that is none. */
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
