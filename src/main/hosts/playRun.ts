// Waits for what a product plays for a command: each episode is followed from its first event to its last, and folded as views fold it.
import type { RunProgress } from '../../shared/contract/runs.ts';
import { foldBatch } from '../../shared/episode/fold.ts';
import { emptyRecord, type EpisodeRecord } from '../../shared/episode/record.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { Failure, type FailureShape } from '../../shared/failure.ts';
import type { CommandOutput } from './output.ts';
import type { Product } from './product.ts';
import { tellRetry } from './tellRetries.ts';
import { tellStarts } from './tellStarts.ts';
import { onStop } from './untilStopped.ts';

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
