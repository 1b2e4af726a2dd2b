// A console door on a real port, scripted message by message: what a transport meets when the server is up, slow or gone.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { ToMain, type ToView } from '../../../src/shared/contract/envelope.ts';

export type Said = ToMain & { connection: number };

export type ConsoleServer = {
  origin: string;
  port: number;
  /** Every message so far, with the connection it came over. */
  said: Said[];
  /** Resolves with the first message that matches, past or to come. */
  hear: (matches: (message: Said) => boolean) => Promise<Said>;
  send: (message: ToView | string) => void;
  /** Cuts the newest connection without a word. */
  cut: () => void;
  /** Closes the newest connection as a server that is full does. */
  turnAway: (why: string) => void;
  close: () => Promise<void>;
};

export async function startConsole({ token = 'good', port = 0 } = {}): Promise<ConsoleServer> {
  const said: Said[] = [];
  const waiting: { matches: (message: Said) => boolean; resolve: (message: Said) => void }[] = [];
  let connections = 0;
  let newest: WebSocket | null = null;
  const http = createServer((request, response) => {
    response.writeHead(request.headers.authorization === `Bearer ${token}` ? 204 : 401).end();
  });
  const sockets = new WebSocketServer({ noServer: true });
  http.on('upgrade', (request, stream, head) => {
    const isEntry = request.url?.startsWith(`/console/${token}?`) === true;
    if (!isEntry && request.headers['sec-websocket-protocol'] !== `interject.${token}`) {
      stream.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      newest = socket;
      connections += 1;
      const connection = connections;
      socket.on('message', (data: Buffer) => {
        const message = { ...ToMain.parse(JSON.parse(data.toString())), connection };
        said.push(message);
        for (const waiter of waiting) if (waiter.matches(message)) waiter.resolve(message);
      });
    });
  });
  await listening(http, port);
  const address = http.address() as AddressInfo;
  return {
    origin: `ws://127.0.0.1:${String(address.port)}`,
    port: address.port,
    said,
    hear: (matches) =>
      new Promise((resolve) => {
        const known = said.find(matches);
        if (known === undefined) waiting.push({ matches, resolve });
        else resolve(known);
      }),
    send: (message) => newest?.send(typeof message === 'string' ? message : JSON.stringify(message)),
    cut: () => newest?.terminate(),
    turnAway: (why) => newest?.close(1013, why),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate();
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

const listening = (http: Server, port: number): Promise<void> =>
  new Promise((resolve) => http.listen(port, '127.0.0.1', resolve));
