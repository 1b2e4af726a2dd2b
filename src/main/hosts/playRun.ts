// Waits for what a product plays for a command: each episode is followed from its first event to its last, and folded as views fold it.
import type { RunProgress } from '../../shared/contract/runs.ts';
import { foldBatch } from '../../shared/episode/fold.ts';
import { emptyRecord, type EpisodeRecord } from '../../shared/episode/record.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { Failure, type FailureShape } from '../../shared/failure.ts';
import type { CommandOutput } from './output.ts';
import type { Product } from './product.ts';
import { startingOf, startingText, type Starting } from '../../shared/episode/starting.ts';

type Hooks = {
  begun?: (episode: string) => void;
  /** Each in the order in which they ended. One that never began has a record without events. */
  ended: (record: EpisodeRecord, progress: RunProgress) => void;
  /** What is said when a person stops it. */
  stopping: string;
};

/** Resolves when nothing of the run plays any more, with whether a person stopped it and why an episode could not begin. */
export async function playRun(
  product: Product,
  run: string,
  { begun, ended, stopping }: Hooks,
  output: CommandOutput,
): Promise<{ isStopped: boolean; failure: FailureShape | null }> {
  const following = new Map<string, FollowedEpisode>();
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    output.say(stopping);
    void product.call('command.stop', {}).catch(() => undefined);
  };
  const records = (): EpisodeRecord[] => [...following.values()].map(({ record }) => record());
  const untell = [onStop(stop, output.gone), tellStarts(records, output)];
  const heard = (event: Recorded): void => tellRetry(event, output);
  try {
    for (let after = 0; ;) {
      const { news, is_over: isOver, failure } = await product.call('run.wait', { run, after });
      after += news.length;
      for (const { episode, progress } of news) {
        if (progress === null) {
          following.set(episode, followEpisode(product, episode, heard));
          begun?.(episode);
          continue;
        }
        const record = (await following.get(episode)?.finish()) ?? emptyRecord(episode);
        following.delete(episode);
        ended(record, progress);
      }
      if (isOver) return { isStopped, failure };
    }
  } finally {
    for (const undo of untell) undo();
    for (const { leave } of following.values()) leave();
  }
}

type FollowedEpisode = {
  record: () => EpisodeRecord;
  /** With everything that is in the log of it by now. */
  finish: () => Promise<EpisodeRecord>;
  leave: () => void;
};

function followEpisode(product: Product, episode: string, heard: (event: Recorded) => void): FollowedEpisode {
  let record = emptyRecord(episode);
  const take = (events: readonly Recorded[]): void => {
    const news = events.filter(({ n }) => n > record.n);
    if (news.length === 0) return;
    record = foldBatch(record, news);
    for (const event of news) heard(event);
  };
  const leave = product.subscribe({ topic: 'episode', episode, after: 0 }, (push) => {
    if (push.topic === 'episode') take(push.events);
  });
  return {
    record: () => record,
    finish: async () => {
      leave();
      await readEvents(product, episode, () => record.n, take);
      return record;
    },
    leave,
  };
}

/** The record of an episode; one without events where there is none. */
export async function readRecord(product: Pick<Product, 'call'>, episode: string): Promise<EpisodeRecord> {
  let record = emptyRecord(episode);
  await readEvents(
    product,
    episode,
    () => record.n,
    (events) => {
      record = foldBatch(record, events);
    },
  );
  return record;
}

const EVENTS_PAGE = 2_000;

async function readEvents(
  product: Pick<Product, 'call'>,
  episode: string,
  known: () => number,
  take: (events: readonly Recorded[]) => void,
): Promise<void> {
  try {
    for (;;) {
      const page = { episode, after: known(), limit: EVENTS_PAGE };
      const { events, last_n: last } = await product.call('episode.read', page);
      take(events);
      if (events.length === 0 || known() >= last) return;
    }
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== 'not_found') throw thrown;
  }
}

const SLOW_MS = 5_000;
const TICK_MS = 1_000;
const LINE_MS = 30_000;

type StartEdges = {
  clock: () => number;
  /** Calls `run` again and again; returns its undo. */
  repeat: (everyMs: number, run: () => void) => () => void;
};

const TIMERS: StartEdges = {
  clock: Date.now,
  repeat: (everyMs, run) => {
    const timer = setInterval(run, everyMs);
    return () => clearInterval(timer);
  },
};

/** Watches the episodes that a command plays; returns its undo. */
export function tellStarts(
  playing: () => readonly EpisodeRecord[],
  output: CommandOutput,
  { clock, repeat }: StartEdges = TIMERS,
): () => void {
  let toldAt = 0;
  const tell = (): void => {
    const text = slowText(
      playing().flatMap((record) => startingOf(record) ?? []),
      clock(),
    );
    if (output.status !== null) return output.status(text);
    if (text === null || clock() - toldAt < LINE_MS) return;
    toldAt = clock();
    output.say(`  ${text}`);
  };
  const stop = repeat(TICK_MS, tell);
  return () => {
    stop();
    output.status?.(null);
  };
}

/** The one that has waited longest, and how many do; null while none has waited long. */
function slowText(starts: readonly Starting[], now: number): string | null {
  const slow = starts.filter(({ since, awaits }) => awaits !== 'connection' && now - since >= SLOW_MS);
  const oldest = slow.toSorted((one, other) => one.since - other.since)[0];
  if (oldest === undefined) return null;
  const { label, detail } = startingText(oldest, now);
  return `${label}: ${detail}${slow.length === 1 ? '' : ` (${String(slow.length)} episodes)`}`;
}

/** Says it of an event that tells of it; nothing of any other. */
export function tellRetry(
  { stream: episode, event }: Recorded,
  output: Pick<CommandOutput, 'line' | 'say'>,
): void {
  if (event.kind === 'start.retried') {
    const { tries, retries, wait_ms, failure } = event;
    const { code, message, next } = failure;
    output.line({ type: 'retry', episode, tries, retries, wait_ms, code, message, next });
    output.say(`  ${message}; retry ${String(tries)} of ${String(retries)} in ${secondsText(wait_ms)} s`);
  }
  if (event.kind === 'model.failed' && event.retry_in_ms !== null) {
    const { turn, code, message, retry_in_ms: wait_ms } = event;
    output.line({ type: 'retry', episode, turn, wait_ms, code, message, next: null });
    output.say(`  ${message}; asked again in ${secondsText(wait_ms)} s`);
  }
}

const secondsText = (ms: number): string => String(Math.round(ms / 100) / 10);

/**
 * The signal is aborted when the process is asked to end, and when nobody reads what the command prints any more; nothing
 * else ends it meanwhile.
 */
export async function untilStopped<T>(
  { gone }: { gone: AbortSignal },
  work: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const stopping = new AbortController();
  const leave = onStop(() => stopping.abort(), gone);
  try {
    return await work(stopping.signal);
  } finally {
    leave();
  }
}

/** Calls `stop` then; returns the undo. */
export function onStop(stop: () => void, gone: AbortSignal): () => void {
  const whenAsked = (): void => stop();
  process.once('SIGINT', whenAsked);
  process.once('SIGTERM', whenAsked);
  gone.addEventListener('abort', whenAsked, { once: true });
  if (gone.aborted) stop();
  return () => {
    process.off('SIGINT', whenAsked);
    process.off('SIGTERM', whenAsked);
    gone.removeEventListener('abort', whenAsked);
  };
}
