// Owns: the tap as main sees it: its process, what is recorded of its clients, what people do to them.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SYSTEM, type Actor } from '../../../shared/events/actor.ts';
import type { GatewaySettings } from '../../../shared/contract/gateway.ts';
import type { EnvironmentSpec } from '../../../shared/events/lifecycle.ts';
import { Failure } from '../../../shared/failure.ts';
import type { Desk } from '../../desk/desk.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { type FromTap, RecordKind, type TapRecord, type ToTap } from './link.ts';
import { createRecorder, markOf, type Recorder } from './recorder.ts';
import { createStepIn } from './stepIn.ts';
import { openTapLink, type SpawnTap, type TapLink } from './tapLink.ts';
import { createTranslator } from './translate.ts';

export type TapToken = { sha256: string; name: string; environment: string };

export type TapParts = {
  log: EventLog;
  desk: Desk;
  dataFolder: string;
  /** The wanted port; a free one is taken when it is not. */
  port: number;
  settings: () => GatewaySettings;
  tokens: () => readonly TapToken[];
  /** Throws `not_found` for an environment that is gone. */
  environment: (id: string) => EnvironmentSpec;
  clock: () => number;
  schedule: (delayMs: number, run: () => void) => () => void;
  spawn: SpawnTap;
  report: (thrown: unknown) => void;
};

export type Tap = {
  /** Where clients reach it, without the `/t/<token>`. It stays up when main is gone. */
  url: string;
  /** Episodes that clients play now. */
  tapped(): number;
  /** Frames that wait to be written, and those that were lost since the tap's process began. */
  backlog(): number;
  lost(): number;
  /** Whether the log takes no frames at the moment. */
  isStuck(): boolean;
  /** Keys, environments or settings are not what they were. */
  tokensChanged(): void;
  /** Whether the episode is a client's of this tap, and plays now. */
  has(episode: string): boolean;
  /** Ends a client's episode for its client. Throws `bad_input` where people may not act. */
  stop(episode: string, actor: Actor, reason: string | null): void;
  /** With `keepServing` the tap goes on by itself, and the next main finds it. */
  close(how: { keepServing: boolean }): Promise<void>;
};

/** Attaches to the data folder's tap, or starts it. */
export async function createTap(parts: TapParts): Promise<Tap> {
  const { log, dataFolder, report } = parts;
  const live = new Set<string>();
  let link: TapLink | null = null;
  let status = { backlog: 0, lost: 0 };
  let isStuck = false;
  let isClosing = false;
  let goodbye: () => void = () => undefined;

  const translator = createTranslator({
    record: (episode) => log.record(episode),
    environment: (id) => environmentOr(parts, id),
  });
  const tell = (message: ToTap): void => link?.send(message);
  const stepIn = createStepIn({
    ...parts,
    tell,
    holdFallback: () => parts.settings().hold_fallback,
  });
  const unlisten = log.subscribe((recorded, record) => {
    if (live.has(recorded.stream)) stepIn.heard(recorded, record);
  });
  const committed = (records: readonly TapRecord[]): void => {
    for (const { episode, kind } of records) {
      if (kind === RecordKind.began) live.add(episode);
      if (kind !== RecordKind.ended) continue;
      live.delete(episode);
      stepIn.ended(episode);
    }
    for (const { episode, kind } of records) {
      if (kind === RecordKind.reply || kind === RecordKind.rpcReply) stepIn.returned(episode);
    }
    const open = translator.asks();
    const before = asking;
    asking = new Set(open.map(({ ask }) => ask));
    for (const { episode, ask, call } of open) if (!before.has(ask)) stepIn.asked(episode, ask, call);
  };
  let asking = new Set<number>();
  const recorderOf = (run: string, after: (seq: number) => void): Recorder =>
    createRecorder({
      ...parts,
      translator,
      run,
      committed: (seq, records) => {
        committed(records);
        after(seq);
      },
      stuck: (now) => {
        if (now === isStuck) return;
        isStuck = now;
        if (now) link?.pause();
        else link?.resume();
      },
    });
  const configure = (): void => tell(configOf(parts));

  const connect = async (): Promise<string> => {
    const opened = await openTapLink(dataFolder, parts.port, parts.spawn);
    link = opened;
    const { run, live: playing, asks } = opened.hello;
    takeLeftovers(parts, run, recorderOf);
    live.clear();
    asking = new Set();
    for (const episode of playing) live.add(episode);
    configure();
    const taken = log.mark(markOf(run));
    let isCaughtUp = false;
    const caughtUp = (seq: number): void => {
      if (isCaughtUp || seq < opened.hello.seq) return;
      isCaughtUp = true;
      // Not before: what it kept while main was away may hold their ends.
      endOrphans(log, live);
    };
    const recorder = recorderOf(run, (seq) => {
      opened.send({ type: 'ack', seq });
      caughtUp(seq);
    });
    opened.listen({
      batch: recorder.take,
      message: (message) => hear(message),
      closed: () => {
        recorder.close();
        link = null;
        if (isClosing) return goodbye();
        // Its process died. What it left is taken in, and another one takes its place on the same port.
        connect().catch(report);
      },
    });
    caughtUp(taken);
    for (const episode of playing) if (log.record(episode).n > 0) stepIn.refresh(episode);
    for (const { episode, ask } of asks) if (ask <= taken) translator.expect(episode, ask);
    committed([]);
    return `http://127.0.0.1:${String(opened.hello.port)}`;
  };
  const hear = (message: FromTap): void => {
    if (message.type === 'status') status = message;
  };
  const url = await connect();

  return {
    url,
    tapped: () => live.size,
    backlog: () => status.backlog,
    lost: () => status.lost,
    isStuck: () => isStuck,
    tokensChanged: configure,
    has: (episode) => live.has(episode),
    stop: (episode, actor, reason) => {
      checkMayAct(log, episode);
      const words = reason ?? 'a person stopped it';
      const turn = log.record(episode).turns.at(-1)?.turn ?? 0;
      log.appendAll(episode, [
        { actor, event: { kind: 'stop.requested', reason } },
        { actor: SYSTEM, event: { kind: 'turn.touched', turn, touch: 'stopped' } },
      ]);
      tell({ type: 'stop', episode, reason: words });
    },
    close: async ({ keepServing }) => {
      isClosing = true;
      const closed = new Promise<void>((resolve) => {
        goodbye = resolve;
      });
      const isOpen = link !== null;
      if (keepServing) link?.close();
      else tell({ type: 'quit' });
      if (isOpen)
        await Promise.race([closed, new Promise((resolve) => parts.schedule(5_000, () => resolve(null)))]);
      unlisten();
      stepIn.close();
    },
  };
}

function configOf({ settings, tokens, environment }: TapParts): ToTap {
  const { may_act, on_touch, hold_limit_ms, hold_fallback, reserved_tools, note_in_result } = settings();
  const rules = { may_act, on_touch, hold_limit_ms, hold_fallback, reserved_tools, note_in_result };
  const keys = tokens().flatMap(({ sha256, name, environment: id }) => {
    try {
      return [{ sha256, name, environment: id, url: environment(id).url }];
    } catch {
      // A key to an environment that was removed opens nothing.
      return [];
    }
  });
  return { type: 'config', keys, rules };
}

/** An episode may begin while its environment is being removed; it is recorded all the same. */
function environmentOr({ environment }: TapParts, id: string): EnvironmentSpec {
  try {
    return environment(id);
  } catch {
    return { id, name: id, url: '', builtin: false };
  }
}

/** Throws unless people may act through the tap this episode came by. */
export function checkMayAct(log: EventLog, episode: string): void {
  if (log.record(episode).tapped?.may_act === true) return;
  throw new Failure('bad_input', 'this tap gives advice and notes only', {
    next: 'Start with --tap-act, or switch it on under Settings; it holds for episodes that begin then.',
  });
}

/** Files of taps that died while nobody listened: their records are taken in, their episodes end below. */
function takeLeftovers(
  { dataFolder, report }: TapParts,
  run: string,
  recorderOf: (run: string, after: (seq: number) => void) => Recorder,
): void {
  for (const name of readdirSync(dataFolder)) {
    const [, other] = /^tap-(\w+)\.spool$/.exec(name) ?? [];
    if (other === undefined || other === run) continue;
    const path = join(dataFolder, name);
    try {
      const recorder = recorderOf(other, () => undefined);
      recorder.take(readFileSync(path));
      if (recorder.flush()) rmSync(path, { force: true });
      recorder.close();
    } catch (thrown) {
      report(thrown);
    }
  }
}

/** Episodes of clients that no tap plays any more. */
function endOrphans(log: EventLog, live: ReadonlySet<string>): void {
  for (const episode of log.projections.open()) {
    const { started } = log.record(episode);
    if (started?.source !== 'tap' || live.has(episode)) continue;
    log.append(episode, SYSTEM, {
      kind: 'episode.ended',
      outcome: 'interrupted',
      reason: 'the tap ended before the episode did',
      failure: null,
      final_answer: null,
      reward_type: null,
      reward: null,
    });
  }
}
