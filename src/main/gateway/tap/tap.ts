// The tap as main sees it: its process, what is recorded of its clients, what people do to them.
import { SYSTEM, type Actor } from '../../../shared/events/actor.ts';
import { kindOf } from '../../../shared/environmentKinds.ts';
import type { GatewaySettings, KeyRow } from '../../../shared/contract/gateway.ts';
import type { EnvironmentSpec } from '../../../shared/events/lifecycle.ts';
import { Failure } from '../../../shared/failure.ts';
import type { ServerConnection } from '../../../shared/serverConnection.ts';
import type { ServerDescription } from '../../openenv/serverDescription.ts';
import type { Desk } from '../../desk/desk.ts';
import type { EventLog } from '../../log/eventLog.ts';
import {
  type CaughtUp,
  createCaughtUp,
  createRecorder,
  endOrphans,
  type Recorder,
  takeLeftovers,
  tapMark,
} from './recorder.ts';
import { lowerPriority } from './priority.ts';
import { environmentOr, knownServers, type KnownServers, tapConfig } from './tapConfig.ts';
import { RecordKind, type Stranger, type TapRecord, type ToTap } from './linkProtocol.ts';
import { createStepIn, type TapStepIn } from './stepIn.ts';
import { openTapLink, type SpawnTap, type TapLink } from './tapLink.ts';
import { createTranslator, type Translator } from './translate.ts';

type TapToken = {
  id: string;
  sha256: string;
  name: string;
  environment: string;
  /** Connections at once; new ones and steps in a minute. Null for no limit. */
  atOnce?: number | null;
  perMinute?: number | null;
  /** The limits of the keys that made it. */
  bounds?: readonly { sha256: string; atOnce: number | null; perMinute: number | null }[];
  /** How long its held calls wait, and what becomes of them then. */
  hold?: Pick<KeyRow, 'hold_limit_ms' | 'hold_fallback'>;
};

export type TapParts = {
  log: EventLog;
  desk: Desk;
  dataFolder: string;
  /** The wanted port; a free one is taken when it is not. */
  port: number;
  settings: () => GatewaySettings;
  tokens: () => readonly TapToken[];
  /** Keys that open other doors, so that whoever brings one is told so. */
  strangers?: () => readonly Stranger[];
  /** Throws `not_found` for an environment that is gone. */
  environment: (id: string) => EnvironmentSpec;
  /** What the server of an environment says of itself; never fails. */
  describe?: (environment: EnvironmentSpec) => Promise<ServerDescription>;
  workingAddress?: (shown: string) => string;
  connectionOf?: (shown: string) => ServerConnection;
  clock: () => number;
  schedule: (delayMs: number, run: () => void) => () => void;
  spawn: SpawnTap;
  /** Called when the first client plays: from then on this process goes after theirs. */
  lowerPriority?: () => void;
  /** Clients play that did not, or those that did no longer do. */
  changed?: () => void;
  /** A connection was refused for the limits of the key of this name. */
  limited?: (key: string) => void;
  report: (thrown: unknown) => void;
};

export type Tap = {
  /** Where clients reach it, without the `/t/<token>`. It stays up when main is gone. */
  url: string;
  /** Episodes that clients play now. */
  tapped(): number;
  /** Those of them in a world that is built in: it ends with this process, whoever serves the client. */
  inWorlds(): number;
  /** Frames that wait to be written, and those that were lost since the tap's process began. */
  backlog(): number;
  lost(): number;
  /** Whether the log takes no frames at the moment. */
  isStuck(): boolean;
  /** Keys, environments or settings are not what they were. */
  tokensChanged(): void;
  /** Resolves once the tap's process knows all that was told it until now: a new key opens, a rule holds. */
  settled(): Promise<void>;
  /** Resolves once all that clients were answered by now is in the log: true, or false where that takes too long. */
  recorded(): Promise<boolean>;
  /** Whether the episode is a client's of this tap, and plays now. */
  has(episode: string): boolean;
  /** Ends a client's episode for its client. Throws `bad_input` where people may not act. */
  stop(episode: string, actor: Actor, reason: string | null): void;
  /** Refuses new clients of these environments until it is closed; null for all. */
  refuseNew(environments: string[] | null): void;
  /** With `keepServing` the tap goes on by itself, and the next main finds it. */
  close(how: { keepServing: boolean }): Promise<void>;
};

/** Main's state of its tap. The link is null while the tap's process is gone. */
type TapState = {
  parts: TapParts;
  newTranslator: () => Translator;
  translator: Translator;
  servers: KnownServers;
  stepIn: TapStepIn;
  link: TapLink | null;
  /** Where it listened last: one that takes its place is to be found there too. */
  port: number;
  live: Set<string>;
  asking: Set<number>;
  status: { backlog: number; lost: number };
  isStuck: boolean;
  isClosing: boolean;
  caughtUp: CaughtUp;
  /** Called when the link ends while it is being closed. */
  goodbye: () => void;
};

const GOODBYE_MS = 5_000;

/** Attaches to the data folder's tap, or starts it. */
export async function createTap(parts: TapParts): Promise<Tap> {
  const { log } = parts;
  const tell = (message: ToTap): void => state.link?.send(message);
  const servers = knownServers(parts);
  const newTranslator = (): Translator =>
    createTranslator({
      record: (episode) => parts.log.record(episode),
      environment: (id) => environmentOr(parts, id),
      described: servers.described,
    });
  const state: TapState = {
    parts,
    newTranslator,
    translator: newTranslator(),
    servers,
    stepIn: createStepIn({
      ...parts,
      tell,
      actionsOf: servers.actionsOf,
      recorded: () => recorded(),
    }),
    link: null,
    port: parts.port,
    live: new Set(),
    asking: new Set(),
    status: { backlog: 0, lost: 0 },
    isStuck: false,
    isClosing: false,
    caughtUp: createCaughtUp(parts),
    goodbye: () => undefined,
  };
  const recorded = (): Promise<boolean> =>
    state.isClosing ? Promise.resolve(false) : state.caughtUp.recorded();
  const unlisten = log.subscribe((recorded, record) => {
    if (state.live.has(recorded.stream)) state.stepIn.heard(recorded, record);
  });
  const url = await connectTap(state);
  return {
    url,
    tapped: () => state.live.size,
    inWorlds: () => [...state.live].filter((episode) => isInWorld(log, episode)).length,
    backlog: () => state.status.backlog,
    lost: () => state.status.lost,
    isStuck: () => state.isStuck,
    tokensChanged: () => tell(tapConfig(parts)),
    settled: async () => void (await state.caughtUp.ping()),
    recorded,
    has: (episode) => state.live.has(episode),
    stop: (episode, actor, reason) => {
      const words = recordStop(log, episode, actor, reason);
      tell({ type: 'stop', episode, reason: words });
    },
    refuseNew: (environments) => tell({ type: 'closing', environments }),
    close: async (how) => {
      await closeTap(state, how.keepServing);
      unlisten();
      state.stepIn.close();
    },
  };
}

function isInWorld(log: EventLog, episode: string): boolean {
  const { started } = log.record(episode);
  return started !== null && kindOf(started.environment).isPartOfProduct;
}

/** Takes over the tap's process, or a new one, and whatever it has kept. Resolves with its address. */
async function connectTap(state: TapState): Promise<string> {
  const { parts, live, stepIn, translator } = state;
  const { log } = parts;
  const prepare = (records: readonly TapRecord[]) => state.servers.prepare(records);
  const link = await openTapLink(parts.dataFolder, state.port, parts.spawn);
  const { run, port, asks, live: playing, seq: newest } = link.hello;
  state.link = link;
  state.port = port;
  const isCounted = await takeLeftovers({ ...parts, prepare }, run, (other) =>
    recorderOf(state, other, () => undefined),
  );
  live.clear();
  state.asking = new Set();
  for (const episode of playing) episodeBegun(state, episode);
  parts.changed?.();
  link.send(tapConfig(parts));
  let isCaughtUp = false;
  const caughtUp = (seq: number): void => {
    if (isCaughtUp || seq < newest) return;
    isCaughtUp = true;
    // Not before: what it kept while main was away may hold their ends.
    endOrphans(log, live, isCounted);
  };
  const recorder = recorderOf(state, run, (seq) => {
    link.send({ type: 'ack', seq });
    caughtUp(seq);
  });
  const taken = log.mark(tapMark(run));
  caughtUp(taken);
  for (const episode of playing) if (log.record(episode).n > 0) stepIn.refresh(episode);
  for (const hold of asks) if (hold.ask <= taken) translator.expect(hold);
  committed(state, []);
  link.listen({
    batch: (bytes) => recorder.take(bytes),
    message: (message) => {
      if (message.type === 'status') state.status = message;
      if (message.type === 'limited') parts.limited?.(message.key);
      if (message.type === 'pong') state.caughtUp.ponged(message.id, message.seq ?? null);
    },
    closed: () => lostLink(state, recorder),
  });
  if (state.link === link) state.caughtUp.attached({ link, recorder });
  return `http://127.0.0.1:${String(port)}`;
}

function lostLink(state: TapState, recorder: Recorder): void {
  recorder.close();
  state.caughtUp.detached();
  state.link = null;
  if (state.isClosing) return state.goodbye();
  // Its process died. What it left is taken in, and another one takes its place. What was read of it and not written
  // comes again.
  state.translator = state.newTranslator();
  connectTap(state).catch(state.parts.report);
}

const recorderOf = (state: TapState, run: string, after: (seq: number) => void): Recorder =>
  createRecorder({
    ...state.parts,
    translator: state.translator,
    prepare: (records) => state.servers.prepare(records),
    run,
    committed: (seq, records) => {
      committed(state, records);
      after(seq);
      state.caughtUp.committed();
    },
    stuck: (isStuck) => {
      if (isStuck === state.isStuck) return;
      state.isStuck = isStuck;
      if (isStuck) state.link?.pause();
      else state.link?.resume();
    },
  });

/** Acts on records that are in the log now. */
function committed(state: TapState, records: readonly TapRecord[]): void {
  const { live, stepIn, translator } = state;
  for (const { episode, kind } of records) {
    if (kind === RecordKind.began) episodeBegun(state, episode);
    if (kind !== RecordKind.ended) continue;
    live.delete(episode);
    stepIn.ended(episode);
  }
  for (const { episode, kind } of records) {
    if (kind === RecordKind.reply || kind === RecordKind.rpcReply) stepIn.returned(episode);
  }
  if (records.some(({ kind }) => kind === RecordKind.began || kind === RecordKind.ended)) {
    state.parts.changed?.();
  }
  const open = translator.asks();
  const before = state.asking;
  state.asking = new Set(open.map(({ ask }) => ask));
  for (const { episode, ask, call } of open) if (!before.has(ask)) stepIn.asked(episode, ask, call);
}

function episodeBegun({ live, parts }: TapState, episode: string): void {
  if (live.size === 0) (parts.lowerPriority ?? lowerPriority)();
  live.add(episode);
}

/** Throws unless people may act through the tap the episode came by. */
function recordStop(log: EventLog, episode: string, actor: Actor, reason: string | null): string {
  const { tapped, turns } = log.record(episode);
  if (tapped?.may_act !== true) {
    throw new Failure('bad_input', 'this tap gives advice and notes only; start with --tap-act', {
      next: 'Or switch acting on under Setup; it holds for episodes that begin then.',
    });
  }
  const turn = turns.at(-1)?.turn ?? 0;
  log.appendAll(episode, [
    { actor, event: { kind: 'stop.requested', reason } },
    { actor: SYSTEM, event: { kind: 'turn.touched', turn, touch: 'stopped' } },
  ]);
  return reason ?? 'a person stopped it';
}

async function closeTap(state: TapState, keepServing: boolean): Promise<void> {
  const { link, parts } = state;
  state.isClosing = true;
  if (link === null) return;
  const closed = new Promise<void>((resolve) => {
    state.goodbye = resolve;
  });
  const late = new Promise<void>((resolve) => {
    const cancel = parts.schedule(GOODBYE_MS, resolve);
    void closed.then(cancel);
  });
  if (keepServing) link.close();
  else link.send({ type: 'quit' });
  await Promise.race([closed, late]);
}
