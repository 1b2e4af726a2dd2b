// A WebSocket client that shows every byte of an answer.
import WebSocket, { type ClientOptions } from 'ws';

/** Rejects when the handshake fails. `received` are messages that nobody has asked for yet. */
export async function openClient(url: string, options: ClientOptions = {}) {
  const socket = new WebSocket(url, options);
  const received: string[] = [];
  const waiting: ((raw: string) => void)[] = [];
  socket.on('message', (data: Buffer) => {
    const raw = data.toString('utf8');
    const waiter = waiting.shift();
    if (waiter === undefined) received.push(raw);
    else waiter(raw);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString('utf8') }));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  const next = (): Promise<string> => {
    const first = received.shift();
    return first === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(first);
  };
  const raw = (text: string | Buffer): Promise<string> => {
    socket.send(text);
    return next();
  };
  return { socket, received, closed, next, raw };
}
