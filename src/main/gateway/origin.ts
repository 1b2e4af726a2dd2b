// Names of this machine, and pages that may call the gateway.
/**
 * A client's time for its request, in ms: its headers, and all of it; looked at every few seconds. One that sends a
 * byte now and then would keep a connection for ever.
 */
export const SLOW_CLIENTS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 2000,
};

/** The name in a `Host` header, without its port and brackets; null for what is no host. */
export const hostNameIn = (header: string | undefined): string | null => {
  const [, address, name] =
    /^(?:\[([0-9a-f:.]+)\]|([^\s:/?#@[\]\\]+))(?::\d{1,5})?$/i.exec(header ?? '') ?? [];
  const found = address ?? name;
  return found !== undefined && URL.canParse(`http://${header ?? ''}`) ? found : null;
};

/** The target of a request, as a URL of a host that says nothing; null for anything but a path. */
export const targetIn = (target: string | undefined): URL | null =>
  target?.startsWith('/') === true ? new URL(`http://localhost${target}`) : null;

/** A name that only ever leads to the machine it is used on. */
export const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name === '::1' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);

/**
 * True if a request may come in for what its browser says of its page: none (no browser), a page of any loopback port,
 * or a page of the very address that was asked.
 */
export function isOurOrigin(origin: string | null, asked: URL): boolean {
  if (origin === null) return true;
  if (!URL.canParse(origin)) return false;
  const { hostname, host } = new URL(origin);
  return isLoopbackName(hostname) || host === asked.host;
}

/** The refusal of a name that is none. The key is no part of it. */
export const BAD_ROLLOUT =
  'a rollout’s name stands behind the key and a ~, and has 1 to 64 letters, digits, dots, hyphens and underscores';

/** Some clients write `~` as `%7E`. The name is not looked at: see `isRolloutName`. */
export function readGivenKey(given: string): { secret: string; rollout: string | null } {
  const at = given.search(/~|%7e/i);
  if (at === -1) return { secret: given, rollout: null };
  return { secret: given.slice(0, at), rollout: given.slice(at + (given[at] === '~' ? 1 : 3)) };
}

export const isRolloutName = (name: string): boolean => /^[A-Za-z0-9._-]{1,64}$/.test(name);
