// Sends HTTPS requests through the proxy that the environment variables name. Plain requests stay direct: they are those
// to this machine. WebSockets have a way of their own (`src/main/openenv/proxy.ts`).
import http from 'node:http';
import { proxyVariable } from '../openenv/proxy.ts';

type SetUpProxies = (variables: { https_proxy: string; no_proxy: string }) => () => void;

/** Does nothing without HTTPS_PROXY, and with a Node that cannot (before 24.14). Returns its undo. */
export function setUpProxies(variables: Readonly<Record<string, string | undefined>>): () => void {
  const proxy = proxyVariable(variables, 'HTTPS_PROXY');
  const setGlobal = (http as { setGlobalProxyFromEnv?: SetUpProxies }).setGlobalProxyFromEnv;
  if (proxy === '' || setGlobal === undefined) return () => undefined;
  return setGlobal({ https_proxy: proxy, no_proxy: proxyVariable(variables, 'NO_PROXY') });
}
