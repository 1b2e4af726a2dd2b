// The product as a command of the command line asks it, over the contract: the one that has the data folder open, else one in the command's own process.
import WebSocket, { type ClientOptions } from 'ws';
import { existsSync } from 'node:fs';
import { type Inputs, type Method, type Outputs, routes } from '../../shared/contract/contract.ts';
import type { ModelsInForce } from '../../shared/contract/settings.ts';
import type { CommandSettings } from '../../shared/contract/commandLine.ts';
import type { Push, Topic, ToMain } from '../../shared/contract/envelope.ts';
import { SOCKET_VERSION } from '../../shared/contract/greeting.ts';
import { Failure, failureShape, failureFrom } from '../../shared/failure.ts';
import type { ModelRole } from '../../shared/modelConfig.ts';
import type { App } from '../app/types.ts';
import type { AnswerLine } from '../desk/scriptedAnswers.ts';
import type { Token } from '../llm/handedTokens.ts';
import { printToken } from '../llm/tokenCommand.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { readSplit } from './runTasks.ts';
import {
  environmentFlags,
  type EnvironmentOptions,
  MODEL_TAPE,
  modelFlags,
  pickModelOptions,
  type ModelOptions,
} from './commandFlags.ts';
import { newId } from './ids.ts';
import type { CommandOutput } from './output.ts';
import { dataFolderPath } from './paths.ts';
import { readSettings } from './readSettings.ts';
import { leftText, openApp, serveConsole, type OpenOptions } from './serve.ts';
import { request } from 'node:http';
import { connect } from 'node:net';
import { z } from 'zod';
import { createFrameReader } from '../../shared/contract/frames.ts';
import { tryExactJson } from '../../shared/json.ts';
import { ownerOf, ownerWords } from '../log/dataFolder.ts';
import { isAnswered, KNOCK_ANSWER, layKnock, type Knock } from '../log/knock.ts';
import { doorPath, isOwnDoor } from './commandDoor.ts';
import { VERSION } from './version.ts';

export type Product = {
  /** Who has the folder open, in words; null where this command does. */
  owner: string | null;
  /** What a program that was killed left, in words; null where nothing is, or it is for the one that is open. */
  left: string | null;
  /** Where the console of whoever has it is served, with its token; null where it is a window, or nobody's. */
  console: { url: string; token: string } | null;
  call<M extends Method>(method: M, input: Inputs[M]): Promise<Outputs[M]>;
  subscribe(topic: Topic, onPush: (push: Push) => void): () => void;
  /** Where people answer. */
  openDesk(port: number): Promise<OpenDesk>;
  close(): Promise<void>;
};

export type OpenDesk = {
  /** As `ready` says it; nulls where it is a window. */
  ready: { url: string | null; token: string | null };
  /** Where a person finds it, in words. */
  place: string;
  /** Of the page of an episode. */
  linkTo: (episode: string) => string;
  close(): Promise<void>;
};

/** Options for the product that plays, as it begins. */
type ProductOptions = EnvironmentOptions & Pick<OpenOptions, 'data'> & { env?: string };
type How = {
  output: CommandOutput;
  /** The folder is made where there is none: for what begins a log. */
  isMaking?: boolean;
};

/**
 * Throws what opening a data folder throws, `not_found` for one that is not there, as its name may be mistyped, and
 * `data_in_use` where the Interject that has it open cannot do what the flags say.
 */
export async function openProductFor(
  options: ProductOptions,
  { output, isMaking = false }: How,
): Promise<Product> {
  const folder = dataFolderPath(options.data);
  if (!isMaking && !existsSync(folder))
    throw new Failure('not_found', `there is no data folder ${folder}`, { next: 'Name it with --data.' });
  const open = await openDoorLine(folder);
  if (open !== null) return openProduct(open, folder, options);
  try {
    return await openOwn(options, output);
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== 'data_in_use') throw thrown;
    // Somebody may have opened it this moment.
    const late = await openDoorLine(folder);
    if (late === null) throw thrown;
    return openProduct(late, folder, options);
  }
}

/** As many as any command plays at once: it says itself how many. */
const OWN_PLACES = 1_000;
const OWN_CALLER = { seat: 'command', isCommand: true };

async function openOwn({ data, env, ...reached }: ProductOptions, output: CommandOutput): Promise<Product> {
  const connection = environmentFlags(reached);
  const app = await openApp({ data, places: OWN_PLACES }, output);
  try {
    if (env !== undefined) app.settings.useConnection(app.environments.find(env).url, connection);
    return ownProduct(app);
  } catch (thrown) {
    await app.close();
    throw thrown;
  }
}

function ownProduct(app: App): Product {
  return {
    owner: null,
    left: leftText(app),
    console: null,
    call: <M extends Method>(method: M, input: Inputs[M]) =>
      app.route(method, input, OWN_CALLER) as Promise<Outputs[M]>,
    subscribe: (topic, onPush) => app.subscribe(topic, onPush, undefined, OWN_CALLER),
    openDesk: async (port) => {
      const { url, address, token, listening } = await serveConsole(app, { host: '127.0.0.1', port });
      return {
        ready: { url, token },
        place: `at ${url}`,
        linkTo: (episode) => `${address}/#/episode/${episode}`,
        close: () => listening.close(),
      };
    },
    close: () => app.close(),
  };
}

/** Closes the line where it throws. */
function openProduct(line: DoorLine, folder: string, options: ProductOptions): Product {
  const { owner, console } = line;
  const flags = Object.entries({
    '--env-header': options.envHeader,
    [MODEL_TAPE]: process.env[MODEL_TAPE],
  }).flatMap(([flag, value]) => (value === undefined ? [] : [flag]));
  if (flags.length > 0) {
    line.close();
    const [verb, they] = flags.length === 1 ? ['sets', 'it'] : ['set', 'them'];
    throw inUse(
      owner,
      folder,
      `${flags.join(', ')} ${verb} up a whole Interject, and that one began without ${they}`,
      `Leave ${they} out and use its Settings, close it first, or name another folder with --data.`,
    );
  }
  const address = console === null ? '' : new URL(console.url).origin;
  return {
    owner,
    left: null,
    console,
    call: (method, input) => line.call(method, input),
    subscribe: (topic, onPush) => line.subscribe(topic, onPush),
    openDesk: async () => ({
      ready: { url: console?.url ?? null, token: console?.token ?? null },
      place: console === null ? `of the Interject that is open: ${owner}` : `at ${console.url}`,
      linkTo: (episode) => `${address}/#/episode/${episode}`,
      close: () => Promise.resolve(),
    }),
    close: async () => line.close(),
  };
}

const inUse = (owner: string, folder: string, why: string, next: string): Failure =>
  new Failure('data_in_use', `${owner} has the data folder ${folder} open: ${why}`, { next });

/** Options of a command that plays episodes. */
type PlayOptions = ModelOptions & {
  data: string | undefined;
  /** A file with the tasks that are held out. */
  split?: string;
};
type Playing = { roles: readonly ModelRole[]; answers: readonly AnswerLine[] | null };

/**
 * Says what holds for all that the command begins, and hands over the tokens of its own token commands. Gives the models
 * in force. Throws `data_in_use` where whoever has the folder asks another model than this terminal's variables name.
 */
export async function beginCommand(
  product: Product,
  options: PlayOptions,
  { roles, answers }: Playing,
  output: CommandOutput,
): Promise<ModelsInForce> {
  const { data } = options;
  const folder = dataFolderPath(data);
  const chosen = pickModelOptions(options);
  const settings = await readSettings({ ...chosen, data: folder });
  const flags = modelFlags(chosen);
  const named = new Set<ModelRole>([...roles, ...(Object.keys(flags) as ModelRole[])]);
  const tokens = await handTokens(product, settings, [...named], output);
  const models = Object.fromEntries(
    [...named].flatMap((role) => {
      const tokenFrom = tokens[role];
      // What prints them is run here.
      const { tokenCommand: _here, ...rest } = flags[role] ?? {};
      const said = { ...rest, ...(tokenFrom === undefined ? {} : { tokenFrom }) };
      return Object.keys(said).length === 0 ? [] : [[role, said]];
    }),
  ) as NonNullable<CommandSettings['models']>;
  const split = readSplit(options.split);
  const theirs = await product.call('command.begin', {
    settings: { models, ...(split === null ? {} : { split }) },
    answers: answers === null ? null : [...answers],
  });
  if (product.left !== null) output.say(product.left);
  const ours = settings.describe();
  for (const role of roles) {
    const told = ['provider', 'base_url', 'model', 'api_version'] as const;
    if (product.owner === null || told.every((name) => ours[role][name] === theirs[role][name])) continue;
    throw inUse(
      product.owner,
      folder,
      `its model for the ${role} is another than this terminal’s variables and the settings say`,
      `Name it with --${role}-model and --${role}-base-url or set it under Setup, which both read, or close that Interject first.`,
    );
  }
  return theirs;
}

/**
 * Runs the token commands of these roles here and hands over what they print, for as long as the command is there. Gives
 * the name of each role's; throws `model_unauthorized` where a command prints none.
 */
async function handTokens(
  product: Product,
  settings: Pick<SettingsStore, 'model'>,
  roles: readonly ModelRole[],
  output: CommandOutput,
): Promise<Partial<Record<ModelRole, string>>> {
  const names = new Map<string, string>();
  const byRole: Partial<Record<ModelRole, string>> = {};
  for (const role of roles) {
    const command = settings.model(role)?.tokenCommand;
    if (command === undefined) continue;
    const name = names.get(command) ?? newId();
    if (!names.has(command)) {
      const first = await printToken(command, { clock: Date.now });
      // A line that ends is noticed by what waits on it.
      keepHanding(product, { name, command, first }, output).catch(() => undefined);
    }
    names.set(command, name);
    byRole[role] = name;
  }
  return byRole;
}

async function keepHanding(
  product: Product,
  { name, command, first }: { name: string; command: string; first: Token },
  output: CommandOutput,
): Promise<void> {
  let token: Token | null = first;
  while (token !== null) {
    const { value, expiresAt }: Token = token;
    await product.call('command.token', { name, token: { value, expires_at: expiresAt } });
    token = await printToken(command, { clock: Date.now }).catch((thrown: unknown) => {
      output.say(failureShape(thrown).message);
      return null;
    });
  }
  await product.call('command.token', { name, token: null });
}

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
