// A line of a given delay and rate to a local port, as a far network would carry it: a connection costs a round trip
// before its first byte, its window opens as TCP's does (RFC 6928, 5681), and all connections share one rate.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type Line = { roundTripMs: number; bitsPerSecond: number };
export type SlowLine = { port: number; close: () => void };

const SEGMENT = 1_460;
/** Segments that may be on their way before the first was acknowledged. */
const FIRST_WINDOW = 10;

export async function openSlowLine(to: number, line: Line): Promise<SlowLine> {
  const down = createPipe(line);
  const up = createPipe(line);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    // The handshake: what the client says first leaves a round trip later.
    const opensAt = performance.now() + line.roundTripMs;
    carry(near, far, up, line, opensAt);
    carry(far, near, down, line, opensAt);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

type Pipe = { leave: (bytes: number) => number };

/** One direction that all connections share: when the last of these bytes has left. */
function createPipe({ bitsPerSecond }: Line): Pipe {
  let freeAt = 0;
  return {
    leave: (bytes) => {
      freeAt = Math.max(freeAt, performance.now()) + (bytes * 8_000) / bitsPerSecond;
      return freeAt;
    },
  };
}

/** Carries what `from` says to `to`, a segment at a time. */
function carry(from: Socket, to: Socket, pipe: Pipe, { roundTripMs }: Line, opensAt: number): void {
  const waiting: Buffer[] = [];
  let window = FIRST_WINDOW;
  // Timers of one moment may come in any order; what was sent first arrives first.
  const onTheWay: Buffer[] = [];
  let unacknowledged = 0;
  let isEnded = false;
  const send = (): void => {
    while (unacknowledged < window) {
      const segment = waiting.shift();
      if (segment === undefined) break;
      unacknowledged += 1;
      onTheWay.push(segment);
      const arrives = pipe.leave(segment.length) + roundTripMs / 2 - performance.now();
      setTimeout(() => to.write(onTheWay.shift() ?? ''), arrives);
      setTimeout(
        () => {
          unacknowledged -= 1;
          window += 1;
          send();
        },
        arrives + roundTripMs / 2,
      );
    }
    from[waiting.length > 1_000 ? 'pause' : 'resume']();
    if (isEnded && waiting.length === 0 && unacknowledged === 0) to.end();
  };
  from.on('data', (data: Buffer) => {
    for (let at = 0; at < data.length; at += SEGMENT) waiting.push(data.subarray(at, at + SEGMENT));
    if (performance.now() >= opensAt) send();
    else setTimeout(send, opensAt - performance.now());
  });
  from.on('close', () => {
    isEnded = true;
    send();
  });
}
