// From an address a person typed to the addresses OpenEnv serves under it.
import { Failure } from '../../shared/failure.ts';
import { credentialsOf, isShownOnly, shownAddress } from '../../shared/redact/address.ts';
import { echoesOf } from '../../shared/redact/redact.ts';
import { USUAL_CONNECTION, type ServerConnection, type Transport } from '../../shared/serverConnection.ts';
import { readAuthorities } from './authorities.ts';

export type Address = {
  /** What messages say: no user, password or query. */
  base: string;
  socket: string;
  /** What is connected to: the same with the query. `ca`: the authorities that are trusted; null for the usual ones. */
  connect: {
    socket: string;
    http: (path: string) => string;
    headers: Readonly<Record<string, string>>;
    ca: readonly string[] | null;
  };
  /** The road that is taken, and how long a reset may take there; null for the usual limit. */
  transport: Transport;
  resetMs: number | null;
  /** Tells two addresses apart that differ in anything that is connected with. */
  key: string;
  /** What of the credentials must not be seen where a server repeats it. */
  secrets: readonly string[];
};

/**
 * Reads `http(s)://…`, `ws(s)://…` or a bare `host:port`, with or without the trailing `/ws`.
 * Throws `bad_input` naming what is wrong.
 */
export function readAddress(text: string, connection: ServerConnection = USUAL_CONNECTION): Address {
  const typed = text.trim();
  if (isShownOnly(typed)) throw lostCredentials(typed);
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`;
  const url = parseAddress(withScheme, typed);
  const secure = url.protocol === 'https:' || url.protocol === 'wss:';
  if (!['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol)) throw badAddress(typed);
  const path = url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/ws$/, '');
  const base = `${secure ? 'https' : 'http'}://${url.host}${path}`;
  const { search, basic, secrets } = credentialsOf(url);
  const { ca_file, reset_seconds, transport } = connection;
  const socket = `${secure ? 'wss' : 'ws'}://${url.host}${path}/ws`;
  return {
    base,
    socket,
    connect: {
      socket: `${socket}${search}`,
      http: (suffix) => `${base}${suffix}${search}`,
      headers: sentHeaders(basic, connection.headers, base),
      ca: ca_file === null ? null : readAuthorities(ca_file),
    },
    transport,
    resetMs: reset_seconds === null ? null : reset_seconds * 1000,
    key: JSON.stringify([socket, search, basic, connection]),
    secrets: echoesOf([...secrets, ...Object.values(connection.headers)]),
  };
}

/** Throws `bad_input` where the address and a header both name credentials. */
function sentHeaders(
  basic: string | null,
  headers: ServerConnection['headers'],
  base: string,
): Readonly<Record<string, string>> {
  const named = Object.keys(headers).find((name) => name.toLowerCase() === 'authorization');
  if (basic === null) return headers;
  if (named === undefined) return { ...headers, authorization: basic };
  throw new Failure('bad_input', `the address of ${base} has credentials, and a header ${named} is set too`, {
    next: 'Take the header away, or the user and password out of the address.',
  });
}

function parseAddress(withScheme: string, typed: string): URL {
  try {
    const url = new URL(withScheme);
    if (url.host === '') throw badAddress(typed);
    return url;
  } catch {
    throw badAddress(typed);
  }
}

const badAddress = (typed: string): Failure =>
  new Failure('bad_input', `"${shownAddress(typed)}" is not the address of an OpenEnv server`, {
    next: 'Write it like http://127.0.0.1:8899.',
  });

const lostCredentials = (shown: string): Failure =>
  new Failure('env_unreachable', `the credentials of ${shown} are not on this computer any more`, {
    next: 'Add the environment again under Setup, with its user, password or key in the address.',
  });
