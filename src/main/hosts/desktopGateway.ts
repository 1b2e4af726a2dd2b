// The gateway of a desktop window: at its usual port where that is free, at another where it is not.
import { Failure } from '../../shared/failure.ts';
import type { App } from '../app/types.ts';
import { GATEWAY_PORT } from './ports.ts';
import { serveConsole, tapPortBeside, type Serving } from './serve.ts';

/** Opens it. A gateway that cannot open is said and left closed: the window works without it. */
export async function openDesktopGateway(app: App, say: (text: string) => void): Promise<Serving | null> {
  try {
    await app.gateway.open(tapPortBeside(GATEWAY_PORT));
    return await atFreePort(app);
  } catch (thrown) {
    say(`The gateway is closed: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return null;
  }
}

async function atFreePort(app: App): Promise<Serving> {
  const host = '127.0.0.1';
  try {
    return await serveConsole(app, { host, port: GATEWAY_PORT });
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== 'port_taken') throw thrown;
    return serveConsole(app, { host, port: 0 });
  }
}
