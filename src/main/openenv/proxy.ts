// Reaching secure sockets through an HTTP proxy that the environment variables name (HTTPS_PROXY, NO_PROXY): Node does so
// for requests, and not for WebSockets.
import { request, type ClientRequestArgs } from 'node:http';
import { isIP } from 'node:net';
import { Duplex } from 'node:stream';
import { connect } from 'node:tls';

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables' setting of proxies: in small letters first, as most programs read them; empty for nothing. */
export const proxyVariable = (variables: Variables, name: 'HTTPS_PROXY' | 'NO_PROXY'): string =>
  variables[name.toLowerCase()] ?? variables[name] ?? '';

/** The proxy for a secure address; null where there is none or the host is excepted. */
export function proxyFor(address: URL, variables: Variables): URL | null {
  const proxy = proxyVariable(variables, 'HTTPS_PROXY');
  if (address.protocol !== 'wss:' || proxy === '' || !URL.canParse(proxy)) return null;
  const url = new URL(proxy);
  const isExcepted = proxyVariable(variables, 'NO_PROXY')
    .split(',')
    .some((one) => isExceptedBy(address, one.trim().toLowerCase()));
  return isExcepted || url.protocol !== 'http:' ? null : url;
}

/** `*`, a host, a domain with what is below it, either with a port. */
function isExceptedBy({ hostname, port }: URL, rule: string): boolean {
  if (rule === '*') return true;
  const [, host = '', only] = /^(.*?)(?::(\d+))?$/.exec(rule) ?? [];
  const domain = host.replace(/^\*?\./, '');
  if (domain === '' || (only !== undefined && only !== (port === '' ? '443' : port))) return false;
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

/** Makes the connection of a WebSocket through the proxy: a tunnel to the host, and TLS with the host inside it. */
export const tunnelThrough =
  (proxy: URL, ca: readonly string[] | null = null) =>
  (options: ClientRequestArgs, done: (error: Error | null, socket: Duplex) => void): undefined => {
    const fail = (why: string, cause?: Error): void =>
      done(new Error(`the proxy ${proxy.host} ${why}`, { cause }), new Duplex());
    const { host, port, timeout } = options;
    const at = `${String(host)}:${String(port ?? 443)}`;
    const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    const asked = request({
      host: proxy.hostname,
      port: proxy.port === '' ? 80 : proxy.port,
      method: 'CONNECT',
      path: at,
      agent: false,
      headers: {
        host: at,
        ...(proxy.username === ''
          ? {}
          : { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }),
      },
      ...(timeout === undefined ? {} : { timeout }),
    });
    asked.once('connect', ({ statusCode }, socket) => {
      if (statusCode !== 200) {
        socket.destroy();
        fail(`answered ${String(statusCode)}`);
        return;
      }
      done(
        null,
        connect({
          socket,
          ...(isIP(String(host)) === 0 ? { servername: String(host) } : {}),
          ...(ca === null ? {} : { ca: [...ca] }),
        }),
      );
    });
    asked.once('timeout', () => asked.destroy(new Error('no answer in time')));
    asked.once('error', (cause) => fail(`cannot be used: ${cause.message}`, cause));
    asked.end();
    return undefined;
  };
