// Connection settings of a server beyond its address: headers, authority, limit of a reset, OpenEnv transport, and
// whether its episodes go on by themselves. Set for an environment, or by flags.
import { z } from 'zod';
import { Failure } from './failure.ts';

/** `auto` takes the socket, and `POST /mcp` where the server has no socket. */
export const Transport = z.enum(['auto', 'socket', 'mcp']);
export type Transport = z.infer<typeof Transport>;

/** Settings that may be shown and are kept in the settings file. */
export const ConnectionSettings = z.strictObject({
  /** A PEM file of authorities that are trusted for this server, beside the usual ones. */
  ca_file: z.string().trim().min(1).max(4_000).nullable(),
  /** Seconds a reset may take; null for the usual limit. */
  reset_seconds: z.number().int().min(1).max(86_400).nullable(),
  transport: Transport,
  /**
   * Its owner says that it has no effects outside an episode: calls of an episode that broke off may be made again
   * without a person's word.
   */
  goes_on: z.boolean().default(false),
});
export type ConnectionSettings = z.infer<typeof ConnectionSettings>;
export const USUAL_SETTINGS: ConnectionSettings = {
  ca_file: null,
  reset_seconds: null,
  transport: 'auto',
  goes_on: false,
};

/** `headers` are sent with every request; their values are secrets. */
export type ServerConnection = ConnectionSettings & { headers: Readonly<Record<string, string>> };
export const USUAL_CONNECTION: ServerConnection = { ...USUAL_SETTINGS, headers: {} };

/** Upstream allows a server 180 s to build a world; this leaves room for a slow one. */
export const RESET_SECONDS = 330;
export const HEADERS_MAX = 32;
export const HEADER_CHARS_MAX = 8_000;

/** The connection's own headers; another value would break it. */
const OF_CONNECTION =
  /^(?:host|connection|upgrade|keep-alive|te|trailer|transfer-encoding|content-length|content-type|expect|sec-websocket-.*|proxy-.*)$/i;

/** Throws `bad_input` for what no header can be. The message never tells the value. */
export function checkHeader(name: string, value: string): void {
  const refuse = (what: string, next: string): never => {
    throw new Failure('bad_input', what, { next });
  };
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name))
    refuse(
      name === '' ? 'a header has no name' : `“${name}” is no name of a header`,
      'Write letters, digits and dashes, like X-Team.',
    );
  if (OF_CONNECTION.test(name)) refuse(`the connection says the header ${name} itself`, 'Leave it out.');
  if (value.trim() === '') refuse(`the header ${name} has no value`, `Write it like “${name}: value”.`);
  if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value))
    refuse(
      `the value of the header ${name} holds a character that no header can carry`,
      'Look for line breaks, quotation marks and dashes of another alphabet; encode what has to be sent.',
    );
  if (value.length > HEADER_CHARS_MAX)
    refuse(
      `the value of the header ${name} is longer than ${String(HEADER_CHARS_MAX)} characters`,
      'Shorten it.',
    );
}

/** Headers in a list as a record. Throws `bad_input` for bad ones and for a name that comes twice. */
export function headersOf(list: readonly { name: string; value: string }[]): Record<string, string> {
  const names = new Set<string>();
  for (const { name, value } of list) {
    checkHeader(name, value);
    if (names.has(name.toLowerCase()))
      throw new Failure('bad_input', `the header ${name} is given twice`, { next: 'Leave one of them out.' });
    names.add(name.toLowerCase());
  }
  return Object.fromEntries(list.map(({ name, value }) => [name, value.trim()]));
}
