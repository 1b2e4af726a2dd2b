// Node's HTTP as `Request` and `Response`: a body that is read as it comes and no further than its limit, an answer
// that is written as it is made, and a signal that tells a door its client is gone.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { Failure } from '../../shared/failure.ts';

const HTTP_BODY_MAX = 32 * 1024 * 1024;

/** The request of a client. Reading its body throws `limit_exceeded` beyond 32 MiB. */
export function requestOf(incoming: IncomingMessage, protocol: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const method = incoming.method ?? 'GET';
  const url = new URL(`${protocol}://${incoming.headers.host ?? 'localhost'}${incoming.url ?? '/'}`);
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers, signal });
  // `duplex` is Node's own: without it a body that comes as a stream is refused.
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers,
    signal,
    body: requestBody(incoming),
    duplex: 'half',
  };
  return new Request(url, init);
}

const tooLarge = (): Failure =>
  new Failure('limit_exceeded', `the request is over ${String(HTTP_BODY_MAX / 1024 / 1024)} MiB`);

function requestBody(incoming: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> {
  // What is announced as too large is not read at all.
  const announced = Number(incoming.headers['content-length'] ?? 0);
  const chunks = incoming[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let size = 0;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        if (announced > HTTP_BODY_MAX) return controller.error(tooLarge());
        const { done, value } = await chunks.next();
        if (done === true) return controller.close();
        size += value.length;
        if (size > HTTP_BODY_MAX) controller.error(tooLarge());
        else controller.enqueue(new Uint8Array(value));
      },
    },
    { highWaterMark: 0 },
  );
}

/** Aborts when the client is gone before its answer was complete. */
export function signalOf(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort(new Failure('cancelled', 'the client is gone'));
  });
  return controller.signal;
}

/** Writes an answer as it is made; a slow reader slows it down, a client that left ends it. */
export async function writeResponse(
  response: Response,
  outgoing: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const isUnread = !outgoing.req.complete;
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    // Whatever of the request was not read is not read any more.
    ...(isUnread ? { connection: 'close' } : {}),
  });
  if (response.body === null || outgoing.req.method === 'HEAD') {
    await response.body?.cancel();
    outgoing.end();
  } else {
    outgoing.flushHeaders();
    await copy(response.body, outgoing, signal);
  }
}

async function copy(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const reader = body.getReader();
  const stop = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) break;
      if (!outgoing.write(value)) await once(outgoing, 'drain', { signal });
    }
    outgoing.end();
  } catch (thrown) {
    // Half an answer must not look like a whole one.
    outgoing.destroy();
    if (!signal.aborted) throw thrown;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
