// Feeds for subscribers. A feed pulls from the log at its own pace: news only marks it as behind, so nothing queues up
// for a slow view and catching up is the same road as being live.
import type { Caller } from '../../shared/contract/contract.ts';
import type { DeskPush, Push, Topic } from '../../shared/contract/envelope.ts';
import type { GatewayStatus } from '../../shared/contract/gateway.ts';
import type { ImportJob } from '../../shared/contract/import.ts';
import { ANNOTATE_PREFIX } from '../../shared/events/annotations.ts';
import { KINDS, type Kind } from '../../shared/events/vocabulary.ts';
import type { SeatRow } from '../../shared/episode/rowShapes.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { Disclosure } from './router.ts';

export type Send = (push: Push) => void;
/** True if the transport can take more now; a feed waits while it cannot. */
export type CanSend = () => boolean;
export type FeedSchedule = (delayMs: number, run: () => void) => () => void;
type Feeds = {
  /** Without a caller, everything is told. */
  subscribe(topic: Topic, send: Send, canSend?: CanSend, caller?: Caller): () => void;
  close(): void;
};

/** News of one interval travels together: fast enough to feel instant, slow enough for 60 frames a second. */
const BATCH_MS = 25;
/** The cost of each line sent, for main and the page: the next push comes that much later. */
const LINE_MS = 1.5;
/** The longest that news of a crowd waits to be told together. */
const BATCH_MS_MAX = 300;
const FEED_PAGE = 500;
/** The first lines of a view come alone; the rest follows while they are read. */
const FIRST_PAGE = 80;
const DESK_PAGE = 200;
/** Rows told at a time: reading and writing more would hold up whatever else main has to do. */
const ROWS_PAGE = 50;
/** A view reads its pages anew rather than hear of more. */
const FEED_ROWS_MAX = 2_000;

/** `lines`: how many a view has to read anew; left out where only what is new is told. */
type Pull = () => { push: Push | null; isBehind: boolean; lines?: number };

/** News beside the log: the clients at the doors of the gateway. */
type GatewayNews = { status: () => GatewayStatus; onChanged: (listener: () => void) => () => void };

/** Imports under way, which are not in the log until they are whole. */
type ImportNews = { list: () => ImportJob[]; onChanged: (listener: () => void) => () => void };

type FeedsDependencies = {
  log: EventLog;
  schedule: FeedSchedule;
  seats: () => SeatRow[];
  gateway: GatewayNews;
  imports: ImportNews;
  disclosure: Pick<Disclosure, 'checkTopic' | 'pushed'>;
  /** What a feed could not read: it says nothing more of that, and the others go on. */
  report: (thrown: unknown) => void;
};

export function createFeeds({
  log,
  schedule,
  seats,
  gateway,
  imports,
  disclosure,
  report,
}: FeedsDependencies): Feeds {
  const closers = new Set<() => void>();
  const desk = createDeskReading(log, seats);
  return {
    subscribe: (topic, send, canSend = () => true, caller) => {
      if (caller !== undefined) disclosure.checkTopic(topic, caller);
      const feed = feedOf(topic, { log, desk, gateway, imports });
      let cancel: (() => void) | null = null;
      let pauseMs = BATCH_MS;
      const run = (): void => {
        cancel = null;
        if (!canSend()) return arm(BATCH_MS);
        try {
          const { push, isBehind, lines = 0 } = feed.pull();
          pauseMs = Math.min(BATCH_MS_MAX, BATCH_MS + lines * LINE_MS);
          if (push !== null) send(caller === undefined ? push : disclosure.pushed(push, caller));
          if (isBehind) arm(lines === 0 ? 0 : pauseMs);
        } catch (thrown) {
          report(thrown);
        }
      };
      const arm = (delayMs: number): void => {
        cancel ??= schedule(delayMs, run);
      };
      const unlisten = log.subscribe((recorded) => {
        if (feed.hears(recorded.stream, recorded.event.kind)) arm(pauseMs);
      });
      const unwatch = feed.watches?.(() => arm(BATCH_MS));
      arm(0);
      const close = (): void => {
        unlisten();
        unwatch?.();
        cancel?.();
        closers.delete(close);
      };
      closers.add(close);
      return close;
    },
    close: () => {
      for (const close of closers) close();
      desk.close();
    },
  };
}

type Feed = {
  hears: (stream: string, kind: Kind) => boolean;
  /** News that is no event of the log; returns its undo. */
  watches?: (changed: () => void) => () => void;
  pull: Pull;
};

function feedOf(
  topic: Topic,
  {
    log,
    desk,
    gateway,
    imports,
  }: Pick<FeedsDependencies, 'log' | 'gateway' | 'imports'> & { desk: DeskReading },
): Feed {
  switch (topic.topic) {
    case 'episode':
      return episodeFeed(log, topic.episode, topic.after);
    case 'episodes':
      return rowsFeed(log);
    case 'desk':
      return deskFeed(desk);
    case 'projects':
      return projectsFeed(log);
    case 'imports':
      return importFeed(imports);
    case 'gateway':
      return {
        hears: () => false,
        watches: gateway.onChanged,
        pull: () => ({ push: { topic: 'gateway', status: gateway.status() }, isBehind: false }),
      };
  }
}

/** Names alone: who may read what of a project is for its commands to say. */
function projectsFeed(log: EventLog): Feed {
  const changed = new Set<string>();
  return {
    hears: (stream, kind) => {
      // Words about an erased episode went out of any of them.
      const told = kind === 'episode.erased' ? log.streams(ANNOTATE_PREFIX) : [stream];
      const projects = told.filter((one) => one.startsWith(ANNOTATE_PREFIX));
      for (const one of projects) changed.add(one.slice(ANNOTATE_PREFIX.length));
      return projects.length > 0;
    },
    pull: () => {
      if (changed.size === 0) return { push: null, isBehind: false };
      const projects = [...changed];
      changed.clear();
      return { push: { topic: 'projects', projects }, isBehind: false };
    },
  };
}

const importFeed = ({ list, onChanged }: ImportNews): Feed => ({
  hears: () => false,
  watches: onChanged,
  pull: () => ({ push: { topic: 'imports', jobs: list() }, isBehind: false }),
});

function episodeFeed(log: EventLog, episode: string, after: number): Feed {
  let sentN = after;
  return {
    hears: (stream) => stream === episode,
    pull: () => {
      const size = sentN === 0 ? FIRST_PAGE : FEED_PAGE;
      const events = log.read(episode, sentN, size);
      sentN = events.at(-1)?.n ?? sentN;
      const isBehind = events.length === size;
      return { push: { topic: 'episode', episode, events, is_caught_up: !isBehind }, isBehind };
    },
  };
}

function rowsFeed(log: EventLog): Feed {
  const changed = new Set<string>();
  return {
    hears: (stream) => {
      changed.add(stream);
      return true;
    },
    pull: () => {
      if (changed.size > FEED_ROWS_MAX) {
        changed.clear();
        return { push: { topic: 'refetch' }, isBehind: false };
      }
      const ids = [...changed].slice(0, ROWS_PAGE);
      const rows = ids.flatMap((id) => log.projections.episode(id) ?? []);
      for (const id of ids) changed.delete(id);
      return { push: { topic: 'episodes', rows }, isBehind: changed.size > 0, lines: ids.length };
    },
  };
}

function deskFeed({ read }: DeskReading): Feed {
  let isFirst = true;
  return {
    hears: (_stream, kind) => KINDS[kind].isDeskNews,
    pull: () => {
      const push = read(isFirst);
      isFirst = false;
      return { push, isBehind: false, lines: push.items.length + push.holds.length };
    },
  };
}

type DeskReading = { read: (isAnew: boolean) => DeskPush; close: () => void };

/** The desk as all seats are told of it: read once for each news of it, however many seats there are. */
function createDeskReading(log: EventLog, seats: () => SeatRow[]): DeskReading {
  let last: { push: DeskPush; seats: string; episodes: ReadonlySet<string> } | null = null;
  const unlisten = log.subscribe(({ stream, event }) => {
    if (KINDS[event.kind].isDeskNews || last?.episodes.has(stream) === true) last = null;
  });
  return {
    read: (isAnew) => {
      const there = seats();
      const asText = JSON.stringify(there);
      if (!isAnew && last?.seats === asText) return last.push;
      const desk = log.projections.desk(DESK_PAGE);
      const holds = log.projections.holds(DESK_PAGE);
      const push: DeskPush = { topic: 'desk', ...desk, holds, seats: there };
      const episodes = new Set([...desk.items, ...holds].map(({ episode }) => episode));
      last = { push, seats: asText, episodes };
      return push;
    },
    close: unlisten,
  };
}
