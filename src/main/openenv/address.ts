// Owns: from an address a person typed to the addresses OpenEnv serves under it.
import { Failure } from '../../shared/failure.ts';

export type Address = { base: string; socket: string; http: (path: string) => string };

/**
 * Reads `http(s)://…`, `ws(s)://…` or a bare `host:port`, with or without the trailing `/ws`.
 * Throws `bad_input` naming what is wrong.
 */
export function readAddress(text: string): Address {
  const typed = text.trim();
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`;
  const url = parse(withScheme, typed);
  const secure = url.protocol === 'https:' || url.protocol === 'wss:';
  if (!['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol)) throw badAddress(typed);
  const path = url.pathname.replace(/\/+$/, '').replace(/\/ws$/, '');
  const base = `${secure ? 'https' : 'http'}://${url.host}${path}`;
  return {
    base,
    socket: `${secure ? 'wss' : 'ws'}://${url.host}${path}/ws`,
    http: (suffix) => `${base}${suffix}`,
  };
}

function parse(withScheme: string, typed: string): URL {
  try {
    const url = new URL(withScheme);
    if (url.host === '') throw badAddress(typed);
    return url;
  } catch {
    throw badAddress(typed);
  }
}

const badAddress = (typed: string): Failure =>
  new Failure('bad_input', `"${typed}" is not the address of an OpenEnv server`, {
    next: 'Write it like http://127.0.0.1:8899.',
  });
