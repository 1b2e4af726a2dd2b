// Load on an OpenEnv address: connections that reset and call, as fast as they can or at a given rate.
import { frameOf, openRaw, type RawSocket } from './rawSocket.ts';

const text = (value: object): Buffer => frameOf(JSON.stringify(value));
export const RESET = text({ type: 'reset', data: { scenario: 'loomline_workflows', task_idx: 0 } });
export const CALL = text({
  type: 'step',
  data: { type: 'call_tool', tool_name: 'get_workflow', arguments: { workflow_id: 1 } },
});
/** Requests of one episode, its reset among them. */
const TURNS = 15;
/** More than any machine answers in one load. */
const STEPS_MAX = 1_000_000;

/** `left` are the requests of its episode that are to come, `next` those of its next one. */
type Line = {
  socket: RawSocket;
  left: number;
  next: number;
  isReset: boolean;
  sentAt: number;
  isBusy: boolean;
  owed: number;
};
/** `all` are the calls that were answered, those of warming up among them. */
export type Load = {
  done: number;
  offered: number;
  seconds: number;
  took: Float64Array;

  all: number;
};

export async function open(url: string, count: number): Promise<RawSocket[]> {
  const sockets: RawSocket[] = [];
  for (let i = 0; i < count; i += 1) sockets.push(await openRaw(`${url.replace('http', 'ws')}/ws`));
  return sockets;
}

const send = (line: Line): void => {
  line.isBusy = true;
  line.isReset = line.left === 0;
  if (line.isReset) [line.left, line.next] = [line.next, TURNS];
  line.left -= 1;
  line.sentAt = performance.now();
  line.socket.send(line.isReset ? RESET : CALL);
};

/** `perSecond` for all together; null for as fast as answers come. The first part is warming up and is not counted. */
export async function load(
  url: string,
  { connections, perSecond, seconds }: { connections: number; perSecond: number | null; seconds: number },
): Promise<Load> {
  const warmUpMs = 700;
  const took = new Float64Array(STEPS_MAX);
  let steps = 0;
  const startedAt = performance.now();
  const from = startedAt + warmUpMs;
  const until = from + seconds * 1000;
  let done = 0;
  let all = 0;
  let offered = 0;
  const lines = (await open(url, connections)).map((socket, i): Line => ({
    socket,
    left: 0,
    // Else all of them would reset at the same moment, episode after episode.
    next: 1 + (i % TURNS),
    isReset: false,
    sentAt: 0,
    isBusy: false,
    owed: 0,
  }));
  const began = performance.now() - startedAt;
  for (const line of lines) {
    line.socket.onMessage = () => {
      const now = performance.now();
      const { isReset } = line;
      line.isBusy = false;
      if (!isReset) all += 1;
      if (now >= from + began && now < until + began) {
        done += 1;
        if (!isReset) {
          took[steps] = now - line.sentAt;
          steps += 1;
        }
      }
      if (now >= until + began) return;
      if (perSecond === null) return send(line);
      if (line.owed > 0) {
        line.owed -= 1;
        send(line);
      }
    };
  }
  if (perSecond === null) {
    for (const line of lines) send(line);
    await new Promise((resolve) => setTimeout(resolve, warmUpMs + seconds * 1000));
  } else {
    offered = await pace(lines, perSecond, { from: from + began, until: until + began });
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  for (const { socket } of lines) socket.close();
  return {
    done,
    offered: offered === 0 ? done : offered,
    seconds,
    took: took.slice(0, steps),
    all,
  };
}

/** Hands out what is due to the connections in turn; who is busy owes it. */
async function pace(
  lines: Line[],
  perSecond: number,
  { from, until }: { from: number; until: number },
): Promise<number> {
  let offered = 0;
  let at = 0;
  let last = performance.now();
  let due = 0;
  while (performance.now() < until) {
    const now = performance.now();
    due += ((now - last) / 1000) * perSecond;
    last = now;
    for (; due >= 1; due -= 1) {
      const line = lines[at % lines.length];
      at += 1;
      if (line === undefined) break;
      if (now >= from) offered += 1;
      if (line.isBusy) line.owed += 1;
      else send(line);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return offered;
}
