// Where a served console and its gateway are reached, in lines for machines and words for people.
import type { App } from '../app/types.ts';
import { isLoopbackName } from '../gateway/origin.ts';

/** The addresses of the gateway with the keys they need, as the ready line tells them. */
export function gatewayLine(app: App, url: string, host: string, environments: readonly string[]) {
  const keys = app.keys.defaults();
  const direct = app.gateway.status().address?.tap ?? null;
  // The tap's own port is this machine's; from elsewhere the way leads through the main one.
  const base = direct === null || !isLoopbackHost(host) ? `${url}/t` : direct;
  const all = app.environments.all().flatMap(({ id, name }) => {
    const key = keys.find(({ environment }) => environment === id)?.secret;
    return key === undefined ? [] : [{ environment: id, name, url: `${base}/${key}`, key }];
  });
  const first = all.find(({ environment }) => environment === environments[0]) ?? all[0];
  return {
    gateway: {
      expert: `${url}/v1`,
      tap: first?.url ?? null,
      mcp: `${url}/mcp`,
      mcp_is_on: app.settings.gateway().mcp,
      agent: `${url}/agent/v1`,
      taps: all,
    },
    key: first?.key ?? '',
  };
}

export const isLoopbackHost = (host: string): boolean => isLoopbackName(host);

/** What listening beyond this machine means; null on loopback. */
export function beyondWords(host: string, isTls: boolean): string | null {
  if (isLoopbackHost(host)) return null;
  const who = `Listening on ${host}: anyone who can reach this machine and has the URL or a key can use the console and the gateway.`;
  return isTls
    ? who
    : `${who}\nWithout TLS everything, keys included, crosses the network readable by others: give --tls-cert and --tls-key, or stay on 127.0.0.1 and use ssh -L.`;
}

/** How to reach a console on this machine from another one, over ssh. */
export function sshWords(url: string, tap: string | null): string {
  const ports = new Set([url, ...(tap === null ? [] : [tap])].map((address) => new URL(address).port));
  const through = [...ports].map((port) => `-L ${port}:127.0.0.1:${port}`).join(' ');
  return `From another computer: ssh ${through} THIS-HOST, then the same addresses work there.`;
}
