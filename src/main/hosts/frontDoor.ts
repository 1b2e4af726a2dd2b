// Which of the doors behind one port a client is led to: the console, the gateway's, or the tap's own port.
import type { GatewayHouse } from '../gateway/gatewayContext.ts';
import { targetIn } from '../gateway/origin.ts';
import type { ListenerDoor } from './listener.ts';

const TAP = /^\/t\/[^/]+\//;

/** The console with the gateway beside it. */
export function createFrontDoor(
  console: ListenerDoor,
  gateway: Pick<GatewayHouse, 'opens' | 'handle' | 'refusal' | 'tapPort'>,
): ListenerDoor {
  const tapPort = (path: string): number | null =>
    TAP.test(path) && !gateway.opens(path) ? gateway.tapPort() : null;
  return {
    ...console,
    handle: (request) => {
      const { pathname } = new URL(request.url);
      return gateway.opens(pathname) ? gateway.handle(request) : console.handle(request);
    },
    refusal: gateway.refusal,
    pipe: tapPort,
    refuse: (request) => {
      const path = targetIn(request.url)?.pathname ?? '';
      return tapPort(path) === null ? (console.refuse?.(request) ?? null) : null;
    },
  };
}
