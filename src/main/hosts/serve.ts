// The console without a window: opens its port, says where it is, and ends cleanly on a signal.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../shared/failure.ts';
import { shownAddress } from '../../shared/redact/address.ts';
import type { ServerConnection } from '../../shared/serverConnection.ts';
import { typedAddress } from '../settings/environments.ts';
import type { AwmFlags } from '../settings/awmSettings.ts';
import type { GatewayPatch } from '../settings/gatewaySettings.ts';
import { createApp } from '../app/app.ts';
import type { App } from '../app/types.ts';
import { cameWithWords, restartWords, workText } from '../commands/notices.ts';
import type { AfterCrash } from '../episode/restart.ts';
import { untilClosing } from './closing.ts';
import { readSplit } from './runTasks.ts';
import { openCommandDoor, type CommandDoor } from './commandDoor.ts';
import { createConsoleDoor } from './consoleDoor.ts';
import { nodeEdges } from './edges.ts';
import { environmentFlags, type EnvironmentOptions, tapeOf } from './commandFlags.ts';
import { openListener, type Listening, type ListenerDoor } from './listener.ts';
import { openBrowser } from './openBrowser.ts';
import type { CommandOutput } from './output.ts';
import { dataFolderPath, fromCaller, productFolder, worldFolderPath } from './paths.ts';
import { VERSION } from './version.ts';
import type { GatewayHouse } from '../gateway/gatewayContext.ts';
import { targetIn, isLoopbackName } from '../gateway/origin.ts';

export type ServeOptions = EnvironmentOptions & {
  host: string;
  port: number;
  data: string | undefined;
  isOpening: boolean;
  places: number;
  env?: string[];
  tapAct?: boolean;
  mcp?: boolean;
  tlsCert?: string;
  tlsKey?: string;
  keepServing?: boolean;
  /** False where episodes of a program that was killed end as interrupted. */
  goOn?: boolean;
  /** What becomes of what came with a data folder that was made elsewhere; unsaid, the desk asks. */
  keepSettings?: boolean;
  awmData?: string;
  /** A split manifest: a task that it holds out is not briefed, not exported, and its advice not offered again. */
  split?: string;
};

type Tls = { cert: string; key: string };

/** Frames a console may send: an answer, a file's chunk. */
const CONSOLE_FRAME_MAX = 16 * 1024 * 1024;

export type OpenOptions = Pick<ServeOptions, 'data' | 'places' | 'split' | 'keepSettings'> & {
  gateway?: GatewayPatch;
  awm?: AwmFlags;
  afterCrash?: AfterCrash;
};

/**
 * Builds the product for hosts without a window. Episodes of a program that was killed are left to one that stays: a
 * command ends when its own work does, and would end them too.
 */
export async function openApp(
  { data, places, gateway = {}, awm = {}, split, keepSettings, afterCrash = 'leave' }: OpenOptions,
  output: CommandOutput,
): Promise<App> {
  const app = await createApp(
    {
      version: VERSION,
      host: 'browser',
      dataFolder: dataFolderPath(data),
      resources: join(productFolder(), 'resources'),
      environment: process.env,
      worldDir: worldFolderPath(),
      places,
      afterCrash,
      gateway,
      split: readSplit(split),
      ...tapeOf(process.env),
      awm,
    },
    nodeEdges((text) => output.say(text)),
  );
  if (keepSettings !== undefined && app.cameWith.list().length > 0)
    await app.route('folder.settle', { keep: keepSettings }, { seat: 'cli' });
  for (const words of cameWithWords(app.cameWith.list())) output.say(words);
  return app;
}

/** Episodes of a killed program that are left to one that stays; null for none. */
export function leftText({ goingOn, queued }: Pick<App, 'goingOn' | 'queued'>): string | null {
  const left = goingOn.length;
  if (left === 0) return null;
  return left === 1
    ? `1 episode was ${workText(queued)} when Interject last ended; it goes on once the console is opened (interject serve), or with the command that began it.`
    : `${String(left)} episodes were ${workText(queued)} when Interject last ended; they go on once the console is opened (interject serve), or with the command that began them.`;
}

/** The token, and the URL with it, are those of now. */
export type Serving = { app: App; url: string; address: string; token: string; listening: Listening };

/**
 * Serves the console of an app, and its gateway where that is open. The URL carries the token in its fragment, which no
 * server ever sees.
 */
export async function serveConsole(
  app: App,
  { host, port, tls = null }: Pick<ServeOptions, 'host' | 'port'> & { tls?: Tls | null },
): Promise<Serving> {
  const console = createConsoleDoor({ app, files: join(productFolder(), 'out', 'renderer') });
  const door = createFrontDoor(console, app.gateway);
  const listening = await openListener(door, {
    host,
    port,
    maxPayload: CONSOLE_FRAME_MAX,
    origin: 'same',
    tls,
  });
  app.gateway.announce(listening.url);
  return {
    app,
    listening,
    address: listening.url,
    get token() {
      return app.settings.ownerToken();
    },
    get url() {
      return `${listening.url}/#token=${app.settings.ownerToken()}`;
    },
  };
}

/** `interject serve`: runs until SIGINT or SIGTERM. Resolves with the exit code. */
export async function serveUntilStopped(options: ServeOptions, output: CommandOutput): Promise<number> {
  const folder = dataFolderPath(options.data);
  const say = (text: string): void => output.say(text);
  const tls = readTls(options);
  const reached = environmentFlags(options);
  const app = await openApp(
    {
      ...options,
      // They count until a person says otherwise in the settings.
      gateway: { may_act: options.tapAct, mcp: options.mcp },
      awm: awmFlags(options),
      afterCrash: options.goOn === false ? 'interrupt' : 'go_on',
    },
    output,
  );
  app.seats.expected.begin();
  let serving: Serving;
  let environments: string[];
  let door: CommandDoor;
  try {
    environments = (options.env ?? []).map((url) => addEnvironment(app, url, reached));
    await app.gateway.open(tapPortBeside(options.port));
    serving = await serveConsole(app, { ...options, tls });
    door = await openCommandDoor({ app, folder, console: serving, say });
  } catch (thrown) {
    await app.close();
    throw thrown;
  }
  // Before it is told to be ready: who reads that may end it at once, in order.
  const closed = untilClosing(app.gateway, {
    keepServing: options.keepServing === true,
    say,
    signals: process,
  });
  tellReady(serving, options, environments, output);
  app.continueEpisodes();
  const opened = options.isOpening ? openBrowser(serving.url, folder) : null;
  const closing = await closed;
  output.say('Closing: stopping episodes and completing the log.');
  opened?.close();
  await door.close();
  await serving.listening.close();
  await app.close(closing);
  return 0;
}

function tellReady(
  { app, url, address, token }: Serving,
  { host, tlsCert }: ServeOptions,
  environments: readonly string[],
  output: CommandOutput,
): void {
  const reach = gatewayLine(app, address, host, environments);
  output.line({ type: 'ready', url, token, ...reach });
  const warning = beyondWords(host, tlsCert !== undefined);
  if (warning !== null) output.say(warning);
  for (const words of restartWords(app)) output.say(words);
  output.say(`Interject is at ${url}`);
  output.say(`Trainers and agents connect to:`);
  for (const tap of reach.gateway.taps) output.say(`  environment  ${tap.url}  (${tap.name})`);
  output.say(`  expert       ${reach.gateway.expert}  key ${reach.key}`);
  output.say(`  agent model  ${reach.gateway.agent}  with the same key`);
  if (reach.gateway.mcp_is_on) output.say(`  MCP          ${reach.gateway.mcp}  with the same key`);
  output.say(
    'Name each rollout behind the key, the same at every address: KEY~rollout-7. Without a name its',
  );
  output.say('questions are answered and linked to no episode, and it makes no rows.');
  if (isLoopbackName(host)) output.say(sshWords(address, reach.gateway.tap));
}

/** The next port, so that clients find the tap where it was; any where the console's own is any. */
export const tapPortBeside = (port: number): number => (port === 0 ? 0 : port + 1);

/** Flags on the Agent World Model; a relative folder is the caller's. */
export const awmFlags = ({ awmData }: { awmData?: string }): AwmFlags =>
  awmData === undefined ? {} : { dataFolder: fromCaller(awmData) };

/** An address that is in the list already keeps its name. Throws `bad_input` for what is no address. */
function addEnvironment(app: App, url: string, reached: Partial<ServerConnection>): string {
  if (!/^(https?|wss?):\/\//.test(url) || !URL.canParse(url)) {
    throw new Failure('bad_input', `--env ${shownAddress(url)} is not the address of an OpenEnv server`, {
      next: 'For example: --env http://127.0.0.1:8899',
    });
  }
  app.settings.useConnection(shownAddress(typedAddress(url)), reached);
  return app.environments.addressed(url).id;
}

/** Throws `bad_input` for a certificate without its key, or a file that cannot be read. */
function readTls({ tlsCert, tlsKey }: Pick<ServeOptions, 'tlsCert' | 'tlsKey'>): Tls | null {
  if (tlsCert === undefined && tlsKey === undefined) return null;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new Failure('bad_input', 'TLS needs both --tls-cert and --tls-key');
  }
  return { cert: readPem(tlsCert), key: readPem(tlsKey) };
}

function readPem(path: string): string {
  try {
    return readFileSync(fromCaller(path), 'utf8');
  } catch (cause) {
    throw new Failure('bad_input', `cannot read ${fromCaller(path)}`, { cause, next: 'Check the path.' });
  }
}

export const untilSignal = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });

const TAP = /^\/t\/[^/]+\//;

/** The console with the gateway beside it. */
export function createFrontDoor(
  console: ListenerDoor,
  gateway: Pick<GatewayHouse, 'opens' | 'handle' | 'refusal' | 'tapPort'>,
): ListenerDoor {
  const tapPort = (path: string): number | null =>
    TAP.test(path) && !gateway.opens(path) ? gateway.tapPort() : null;
  return {
    ...console,
    handle: (request) => {
      const { pathname } = new URL(request.url);
      return gateway.opens(pathname) ? gateway.handle(request) : console.handle(request);
    },
    refusal: gateway.refusal,
    pipe: tapPort,
    refuse: (request) => {
      const path = targetIn(request.url)?.pathname ?? '';
      return tapPort(path) === null ? (console.refuse?.(request) ?? null) : null;
    },
  };
}

/** The addresses of the gateway with the keys they need, as the ready line tells them. */
function gatewayLine(app: App, url: string, host: string, environments: readonly string[]) {
  const keys = app.keys.defaults();
  const direct = app.gateway.status().address?.tap ?? null;
  // The tap's own port is this machine's; from elsewhere the way leads through the main one.
  const base = direct === null || !isLoopbackName(host) ? `${url}/t` : direct;
  const all = app.environments.all().flatMap(({ id, name }) => {
    const key = keys.find(({ environment }) => environment === id)?.secret;
    return key === undefined ? [] : [{ environment: id, name, url: `${base}/${key}`, key }];
  });
  const first = all.find(({ environment }) => environment === environments[0]) ?? all[0];
  return {
    gateway: {
      expert: `${url}/v1`,
      tap: first?.url ?? null,
      mcp: `${url}/mcp`,
      mcp_is_on: app.settings.gateway().mcp,
      agent: `${url}/agent/v1`,
      taps: all,
    },
    key: first?.key ?? '',
  };
}

/** A warning of listening beyond this machine; null on loopback. */
function beyondWords(host: string, isTls: boolean): string | null {
  if (isLoopbackName(host)) return null;
  const who = `Listening on ${host}: anyone who can reach this machine and has the URL or a key can use the console and the gateway.`;
  return isTls
    ? who
    : `${who}\nWithout TLS everything, keys included, crosses the network readable by others: give --tls-cert and --tls-key, or stay on 127.0.0.1 and use ssh -L.`;
}

/** The way to reach a console on this machine from another, by ssh. */
function sshWords(url: string, tap: string | null): string {
  const ports = new Set([url, ...(tap === null ? [] : [tap])].map((address) => new URL(address).port));
  const through = [...ports].map((port) => `-L ${port}:127.0.0.1:${port}`).join(' ');
  return `From another computer: ssh ${through} THIS-HOST, then the same addresses work there.`;
}
