// The page of a running app over Chromium's own door, as any tool can speak to it: expressions in, values out.
import { setTimeout as delay } from 'node:timers/promises';
import WebSocket from 'ws';

type Reply = { id?: number; result?: { result?: { value?: unknown }; data?: string } };
type Target = { type: string; url: string; webSocketDebuggerUrl: string };

export type AppPage = {
  /** The value of an expression in the page; a promise is awaited. */
  evaluate(expression: string): Promise<unknown>;
  picture(): Promise<Buffer>;
  close(): void;
};

const WINDOW_MS = 60_000;

/** Resolves once the app shows its console. `door` is the address that Chromium printed. */
export async function openPage(door: string): Promise<AppPage> {
  const list = new URL('/json/list', door.replace('ws:', 'http:'));
  const until = performance.now() + WINDOW_MS;
  while (performance.now() < until) {
    const targets = (await (await fetch(list)).json()) as Target[];
    const own = targets.find(({ type, url }) => type === 'page' && url.startsWith('app://console/'));
    if (own !== undefined) return connect(own.webSocketDebuggerUrl);
    await delay(50);
  }
  throw new Error('the app shows no window');
}

async function connect(address: string): Promise<AppPage> {
  const socket = new WebSocket(address);
  await new Promise((open, fail) => socket.once('open', open).once('error', fail));
  const waiting = new Map<number, (reply: Reply) => void>();
  socket.on('message', (data: Buffer) => {
    const reply = JSON.parse(String(data)) as Reply;
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
  });
  let last = 0;
  const send = (method: string, params: object): Promise<Reply> =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  return {
    evaluate: async (expression) =>
      (await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })).result?.result
        ?.value,
    picture: async () =>
      Buffer.from((await send('Page.captureScreenshot', { format: 'png' })).result?.data ?? '', 'base64'),
    close: () => socket.close(),
  };
}
