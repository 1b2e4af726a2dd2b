// How fast this machine is at the moment: texts of 500 bytes sent and sent back as fast as they come, over `ws` on both
// sides. A limit in milliseconds means something on the machine it was set for; the pace says how far this one is from it.
import WebSocket from 'ws';
import { start, type Program } from './processes.ts';

const CONNECTIONS = 256;
const TEXT = 'x'.repeat(500);
const MEASURE_MS = 800;
/** Echoes in a second on the machine that the limits were set for. */
export const REFERENCE = 72_001;

export type Echo = {
  /** Echoes in a second. */
  pace(): Promise<number>;
  end(): Promise<void>;
};

export async function openEcho(): Promise<Echo> {
  const server: Program<{ url: string }> = await start('echoServer.ts');
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => opened(server.first.url)));
  return {
    pace: () => echoed(sockets),
    end: async () => {
      for (const socket of sockets) socket.terminate();
      await server.end();
    },
  };
}

function opened(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('error', reject);
  });
}

async function echoed(sockets: readonly WebSocket[]): Promise<number> {
  const startedAt = performance.now();
  let done = 0;
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve) => {
          const heard = (): void => {
            done += 1;
            if (performance.now() - startedAt < MEASURE_MS) return socket.send(TEXT);
            socket.off('message', heard);
            resolve();
          };
          socket.on('message', heard);
          socket.send(TEXT);
        }),
    ),
  );
  return (done * 1000) / (performance.now() - startedAt);
}
