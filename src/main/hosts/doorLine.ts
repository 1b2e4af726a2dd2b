// A command's line to the Interject that has its data folder open: typed requests, and topics it hears of.
import { request } from 'node:http';
import { connect } from 'node:net';
import WebSocket, { type ClientOptions } from 'ws';
import { z } from 'zod';
import { routes, type Inputs, type Method, type Outputs } from '../../shared/contract/contract.ts';
import type { Push, ToMain, Topic } from '../../shared/contract/envelope.ts';
import { SOCKET_VERSION } from '../../shared/contract/greeting.ts';
import { createFrameReader } from '../../shared/contract/frames.ts';
import { Failure, failureFrom } from '../../shared/failure.ts';
import { tryExactJson } from '../../shared/json.ts';
import { ownerOf, ownerWords } from '../log/dataFolder.ts';
import { isAnswered, KNOCK_ANSWER, layKnock, type Knock } from '../log/knock.ts';
import { doorPath, isOwnDoor } from './doorPlace.ts';
import { VERSION } from './version.ts';

export type DoorLine = {
  /** Who has the folder, in words. */
  owner: string;
  /** Where its console is served, with its token; null where it is a window. */
  console: { url: string; token: string } | null;
  call<M extends Method>(method: M, input: Inputs[M]): Promise<Outputs[M]>;
  subscribe(topic: Topic, onPush: (push: Push) => void): () => void;
  close(): void;
};

const DoorWords = z.object({
  version: z.string(),
  console: z.object({ url: z.string(), token: z.string() }).nullable(),
});
export type DoorWords = z.infer<typeof DoorWords>;

/** A process that just began has its folder a moment before its door. */
const KNOCK_MS = 5_000;

/**
 * Null where nobody opened a door, or nobody answers there who reads this folder: they are told nothing. Throws
 * `data_in_use` for another version.
 */
export async function openDoorLine(folder: string): Promise<DoorLine | null> {
  const place = placeOf(folder);
  if (place === null) return null;
  try {
    return await openAt(folder, place);
  } finally {
    place.knock.remove();
  }
}

type Place = { path: string; knock: ReturnType<typeof layKnock> };

/** Null where there is no door of this user, or nothing can be laid before it: the folder is gone, full or read-only. */
function placeOf(folder: string): Place | null {
  try {
    const path = doorPath(folder);
    return isOwnDoor(path) ? { path, knock: layKnock(folder) } : null;
  } catch {
    return null;
  }
}

async function openAt(folder: string, place: Place): Promise<DoorLine | null> {
  const about = await askAbout(place);
  if (about === null) return null;
  const owner = ownerWords(ownerOf(folder));
  if (about.version !== VERSION)
    throw new Failure(
      'data_in_use',
      `${owner} has the data folder ${folder} open and is version ${about.version}; this command is ${VERSION}`,
      { next: 'Use the command of that version, or close that Interject first.' },
    );
  const socket = await openSocket(place);
  return socket === null ? null : lineOver(socket, { owner, folder, console: about.console });
}

const credential = ({ secret }: Knock) => ({ authorization: `Bearer ${secret}` });

const askAbout = ({ path, knock }: Place): Promise<DoorWords | null> =>
  new Promise((resolve) => {
    const asked = request(
      { socketPath: path, path: '/', headers: { host: 'localhost', ...credential(knock) } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => (text += part));
        answer.on('end', () => {
          const isTheirs = answer.statusCode === 200 && isAnswered(knock, answer.headers[KNOCK_ANSWER]);
          resolve(isTheirs ? (DoorWords.safeParse(tryExactJson(text)).data ?? null) : null);
        });
      },
    );
    asked.setTimeout(KNOCK_MS, () => asked.destroy(new Error('no answer')));
    asked.on('error', () => resolve(null));
    asked.end();
  });

function openSocket({ path, knock }: Place): Promise<WebSocket | null> {
  // Node's own kind of socket: a URL cannot name a pipe of Windows.
  const options: ClientOptions = {
    createConnection: () => connect(path),
    perMessageDeflate: false,
    headers: credential(knock),
  };
  const socket = new WebSocket('ws://localhost/', options);
  return new Promise((resolve) => {
    socket.once('upgrade', ({ headers }) => {
      if (!isAnswered(knock, headers[KNOCK_ANSWER])) socket.terminate();
    });
    socket.once('open', () => resolve(socket));
    socket.once('error', () => resolve(null));
    socket.once('close', () => resolve(null));
  });
}

type Waiting = { method: Method; resolve: (value: unknown) => void; reject: (failure: Failure) => void };

function lineOver(
  socket: WebSocket,
  { owner, folder, console }: { owner: string; folder: string; console: DoorLine['console'] },
): DoorLine {
  const waiting = new Map<number, Waiting>();
  const topics = new Map<number, (push: Push) => void>();
  let lastId = 0;
  let ended: Failure | null = null;
  const send = (message: ToMain): void => socket.send(JSON.stringify(message));
  const end = (): void => {
    ended ??= closedUnder(owner, folder);
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  const read = createFrameReader();
  const receive = (data: Buffer): void => {
    const message = read(tryExactJson(data.toString('utf8')));
    if (message === null) return;
    if (message.type === 'push') return topics.get(message.id)?.(message.push);
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === 'failure') return asked?.reject(failureFrom(message.failure));
    const parsed = asked === undefined ? null : routes[asked.method].output.safeParse(message.value);
    if (parsed?.success === true) return asked?.resolve(parsed.data);
    asked?.reject(new Failure('internal', `the answer to ${asked.method} is not in the agreed form`));
  };
  socket.on('message', receive);
  socket.on('error', end);
  socket.on('close', end);
  send({ type: 'hello', id: 0, version: SOCKET_VERSION });
  return {
    owner,
    console,
    call: <M extends Method>(method: M, input: Inputs[M]) =>
      new Promise<Outputs[M]>((resolve, reject) => {
        if (ended !== null) return reject(ended);
        lastId += 1;
        waiting.set(lastId, { method, resolve: (value) => resolve(value as Outputs[M]), reject });
        send({ type: 'request', id: lastId, method, input });
      }),
    subscribe: (topic, onPush) => {
      lastId += 1;
      const id = lastId;
      topics.set(id, onPush);
      if (ended === null) send({ type: 'subscribe', id, topic });
      return () => {
        topics.delete(id);
        if (ended === null) send({ type: 'unsubscribe', id });
      };
    },
    close: () => {
      ended ??= new Failure('cancelled', 'the command is over');
      waiting.clear();
      socket.close();
    },
  };
}

const closedUnder = (owner: string, folder: string): Failure =>
  new Failure('closed', `${owner}, which had the data folder ${folder} open, ended while this command ran`, {
    next: 'What was written until then is in the log. Run the command again: what goes on by its name goes on from there.',
  });
