// From an address a person typed to the addresses OpenEnv serves under it.
import { Failure } from '../../shared/failure.ts';
import { credentialsOf, isShownOnly, shownAddress } from '../../shared/redact/address.ts';
import { echoesOf } from '../../shared/redact/redact.ts';

export type Address = {
  /** What messages say: no user, password or query. */
  base: string;
  socket: string;
  /** What is connected to: the same with the query. */
  connect: { socket: string; http: (path: string) => string; headers: Record<string, string> };
  /** What of the credentials must not be seen where a server repeats it. */
  secrets: readonly string[];
};

/**
 * Reads `http(s)://…`, `ws(s)://…` or a bare `host:port`, with or without the trailing `/ws`.
 * Throws `bad_input` naming what is wrong.
 */
export function readAddress(text: string): Address {
  const typed = text.trim();
  if (isShownOnly(typed)) throw lostCredentials(typed);
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`;
  const url = parseAddress(withScheme, typed);
  const secure = url.protocol === 'https:' || url.protocol === 'wss:';
  if (!['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol)) throw badAddress(typed);
  const path = url.pathname.replace(/\/+$/, '').replace(/\/ws$/, '');
  const base = `${secure ? 'https' : 'http'}://${url.host}${path}`;
  const { search, basic, secrets } = credentialsOf(url);
  const socket = `${secure ? 'wss' : 'ws'}://${url.host}${path}/ws`;
  return {
    base,
    socket,
    connect: {
      socket: `${socket}${search}`,
      http: (suffix) => `${base}${suffix}${search}`,
      headers: basic === null ? {} : { authorization: basic },
    },
    secrets: echoesOf(secrets),
  };
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
    next: 'Add the environment again under Settings, with its user, password or key in the address.',
  });
