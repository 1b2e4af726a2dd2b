// The gateway of a desktop window: at its usual port where that is free, at another where it is not.
import { Failure } from '../../shared/failure.ts';
import type { App } from '../app/types.ts';
import { GATEWAY_PORT } from '../hosts/ports.ts';
import { serveConsole, tapPortBeside, type Serving } from '../hosts/serve.ts';

/**
 * Opens it, at the port that was asked for or at the usual one, else at any. Throws `port_taken` for a port that was asked
 * for. Any other gateway that cannot open is said and left closed: the window works without it.
 */
export async function openDesktopGateway(
  app: App,
  port: number | null,
  say: (text: string) => void,
): Promise<Serving | null> {
  app.seats.expected.begin();
  try {
    await app.gateway.open(tapPortBeside(port ?? GATEWAY_PORT));
    return await atFreePort(app, port);
  } catch (thrown) {
    if (port !== null && isTaken(thrown)) throw thrown;
    say(`The gateway is closed: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return null;
  }
}

const isTaken = (thrown: unknown): boolean => thrown instanceof Failure && thrown.code === 'port_taken';

async function atFreePort(app: App, port: number | null): Promise<Serving> {
  const host = '127.0.0.1';
  try {
    return await serveConsole(app, { host, port: port ?? GATEWAY_PORT });
  } catch (thrown) {
    if (port !== null || !isTaken(thrown)) throw thrown;
    return serveConsole(app, { host, port: 0 });
  }
}
