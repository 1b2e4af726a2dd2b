// Takes an address with credentials apart: what may be shown and kept in settings and the log, and what is sent.
import { isSecretParameter } from './names.ts';
import { isRandom, REDACTED, redactMessage } from './redact.ts';

/** An address as it may be shown: user, password and the query's secrets covered, everything else as it was typed. */
export function shownAddress(address: string): string {
  const text = address.trim();
  const url = parseAddress(text);
  if (url === null) return redactMessage(text);
  let shown = text;
  const typedUser = /^([a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)@/i.exec(text)?.[2] ?? /^([^/?#@]+)@/.exec(text)?.[1];
  if (typedUser !== undefined && typedUser !== REDACTED)
    shown = shown.replace(`${typedUser}@`, () => `${REDACTED}@`);
  return shown.replaceAll(
    /([?&#])([^?=&#]+)=([^&#]*)/g,
    (whole: string, lead: string, name: string, value: string) =>
      isSecretQuery(name, value) ? `${lead}${name}=${REDACTED}` : whole,
  );
}

/** In an address somebody gave us, a value that looks made by chance is a key whatever its name is. */
const isSecretQuery = (name: string, value: string): boolean =>
  value !== '' &&
  value !== REDACTED &&
  (isSecretParameter(decodeUserinfo(name)).isSecret || isRandom(decodeUserinfo(value)));

/** True if the address holds credentials that must be kept apart from it. */
export const hasCredentials = (address: string): boolean => shownAddress(address) !== address.trim();

/** True for a shown address whose credentials are kept elsewhere. */
export const isShownOnly = (address: string): boolean => address.includes(REDACTED);

export type Credentials = {
  /** The query, with its `?`; empty where there is none. */
  search: string;
  /** For `Authorization`; null where the address names no user. A user called `bearer` has a token for its password. */
  basic: string | null;
  /** What must not be seen: password, user, values of secret parameters. */
  secrets: string[];
};

/** Parts of a URL sent beside its host and path. */
export function credentialsOf(url: URL): Credentials {
  const user = decodeUserinfo(url.username);
  const password = decodeUserinfo(url.password);
  const values = [...url.searchParams].filter(([name, value]) => isSecretQuery(name, value));
  const pair = `${user}:${password}`;
  const isToken = user.toLowerCase() === 'bearer' && password !== '';
  const basic =
    url.username === '' && url.password === ''
      ? null
      : isToken
        ? `Bearer ${password}`
        : `Basic ${base64(pair)}`;
  const named =
    basic === null ? [] : [pair, password, url.password, ...(isToken ? [] : [user, base64(pair)])];
  const secrets = [...named, ...values.map(([, value]) => value)].filter((secret) => secret !== '');
  return { search: url.search, basic, secrets: [...new Set(secrets)] };
}

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

function parseAddress(text: string): URL | null {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  return URL.canParse(withScheme) ? new URL(withScheme) : null;
}

function decodeUserinfo(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
