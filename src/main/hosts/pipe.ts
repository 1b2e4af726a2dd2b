// Passing a client on to a port of this machine, bytes as they are: a request and its answer, or an upgraded socket.
import { request as connectHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

const LOOPBACK_HOST = '127.0.0.1';

/** Sends the request there and its answer back. A port that does not answer is a 502 that says so. */
export function pipeRequest(incoming: IncomingMessage, outgoing: ServerResponse, port: number): void {
  const onward = connectHttp({
    host: LOOPBACK_HOST,
    port,
    method: incoming.method,
    path: incoming.url,
    headers: headersFrom(inwardPairs(incoming, port)),
    agent: false,
  });
  onward.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, headersFrom(headerPairs(answer)));
    answer.pipe(outgoing);
    answer.on('error', () => outgoing.destroy());
  });
  onward.on('error', () => {
    if (outgoing.headersSent) return void outgoing.destroy();
    outgoing.writeHead(502, { 'content-type': 'application/json', connection: 'close' });
    outgoing.end(JSON.stringify({ code: 'closed', message: 'the tap does not answer', next: null }));
  });
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}

/** Connects the client's socket with the port and writes its request there once more; from then on bytes only. */
export function pipeUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer, port: number): void {
  const onward = connect({ host: LOOPBACK_HOST, port, noDelay: true });
  const end = (): void => {
    stream.destroy();
    onward.destroy();
  };
  onward.on('connect', () => {
    const lines = inwardPairs(request, port).map(([name, value]) => `${name}: ${value}`);
    const line = `${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/1.1`;
    onward.write(`${[line, ...lines].join('\r\n')}\r\n\r\n`);
    if (head.length > 0) onward.write(head);
    stream.pipe(onward).pipe(stream);
  });
  for (const one of [stream, onward]) {
    one.on('error', end);
    one.on('close', end);
  }
}

/** Names and values as they came, in order: a client sees what the tap wrote, and the tap what the client wrote. */
function headerPairs({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2)
    pairs.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return pairs;
}

/**
 * The tap answers to this machine's own names and pages only. Under which name and from which page a client knocked was
 * checked by the port it came in at, which knows its own address: neither goes on.
 */
const inwardPairs = (message: IncomingMessage, port: number): [string, string][] =>
  headerPairs(message)
    .filter(([name]) => name.toLowerCase() !== 'origin')
    .map(([name, value]) => [
      name,
      name.toLowerCase() === 'host' ? `${LOOPBACK_HOST}:${String(port)}` : value,
    ]);

function headersFrom(pairs: readonly [string, string][]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of pairs) {
    const known = headers[name];
    headers[name] = known === undefined ? value : [known, value].flat();
  }
  return headers;
}
