// The addresses as this reader can use them: a page that came through a tunnel prints the tunnel's own.
import type { GatewayStatus } from '../../../shared/contract/gateway.ts';

export type Addresses = { base: string; expert: string; mcp: string; agent: string; tap: string | null };
type KnownAddress = NonNullable<GatewayStatus['address']>;

/**
 * `page` is where the reader's own page came from; null for a desktop window. The main port leads to every door, so a
 * page that came another way than main says needs that port only.
 */
export function addressesFor(known: KnownAddress, page: string | null): Addresses {
  const isDirect = page === null || sameHost(page, known.url);
  const base = isDirect ? known.url : page;
  return {
    base,
    expert: `${base}/v1`,
    mcp: `${base}/mcp`,
    agent: `${base}/agent/v1`,
    tap: known.tap === null ? null : isDirect && isLoopback(known.url) ? known.tap : `${base}/t`,
  };
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const isLoopback = (url: string): boolean => LOOPBACK.test(new URL(url).hostname);

/** Names of this machine are one name: `localhost:4747` and `127.0.0.1:4747` lead to the same port. */
function sameHost(a: string, b: string): boolean {
  const [one, other] = [new URL(a), new URL(b)];
  return one.host === other.host || (one.port === other.port && isLoopback(a) && isLoopback(b));
}
