// The port of the console and its gateway, and whether a port of this machine is free.
import { createServer } from 'node:net';

export const GATEWAY_PORT = 4747;

/** Opens the port for a moment and lets it go. */
export const isPortFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
