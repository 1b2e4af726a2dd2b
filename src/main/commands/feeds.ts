// What subscribers hear. A feed pulls from the log at its own pace: news only marks it as behind, so nothing queues
// up for a slow view and catching up is the same road as being live.
import type { Caller } from '../../shared/contract/contract.ts';
import type { Push, Topic } from '../../shared/contract/envelope.ts';
import type { GatewayStatus } from '../../shared/contract/gateway.ts';
import type { ImportJob } from '../../shared/contract/import.ts';
import { ANNOTATE_PREFIX } from '../../shared/events/annotations.ts';
import { KINDS, type Kind } from '../../shared/events/vocabulary.ts';
import type { SeatRow } from '../../shared/contract/rows.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { Disclosure } from './disclosure.ts';

export type Send = (push: Push) => void;
/** Whether the transport can take more now; a feed waits while it cannot. */
export type CanSend = () => boolean;
export type FeedSchedule = (delayMs: number, run: () => void) => () => void;
type Feeds = {
  /** Without a caller, everything is told. */
  subscribe(topic: Topic, send: Send, canSend?: CanSend, caller?: Caller): () => void;
  close(): void;
};

/** News of one interval travels together: fast enough to feel instant, slow enough for 60 frames a second. */
const BATCH_MS = 25;
const FEED_PAGE = 500;
/** What a view needs for its first lines comes alone: the rest follows while they are read. */
const FIRST_PAGE = 80;
const DESK_PAGE = 200;
const FEED_ROWS_MAX = 500;

type Pull = () => { push: Push | null; isBehind: boolean };

/** What changes beside the log: who stands at the doors of the gateway. */
type GatewayNews = { status: () => GatewayStatus; onChanged: (listener: () => void) => () => void };

/** What is being imported, which is not in the log until it is whole. */
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
  return {
    subscribe: (topic, send, canSend = () => true, caller) => {
      if (caller !== undefined) disclosure.checkTopic(topic, caller);
      const feed = feedOf(topic, { log, seats, gateway, imports });
      let cancel: (() => void) | null = null;
      const run = (): void => {
        cancel = null;
        if (!canSend()) return arm(BATCH_MS);
        try {
          const { push, isBehind } = feed.pull();
          if (push !== null) send(caller === undefined ? push : disclosure.pushed(push, caller));
          if (isBehind) arm(0);
        } catch (thrown) {
          report(thrown);
        }
      };
      const arm = (delayMs: number): void => {
        cancel ??= schedule(delayMs, run);
      };
      const unlisten = log.subscribe((recorded) => {
        if (feed.hears(recorded.stream, recorded.event.kind)) arm(BATCH_MS);
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
  { log, seats, gateway, imports }: Omit<FeedsDependencies, 'schedule' | 'report' | 'disclosure'>,
): Feed {
  switch (topic.topic) {
    case 'episode':
      return episodeFeed(log, topic.episode, topic.after);
    case 'episodes':
      return rowsFeed(log);
    case 'desk':
      return deskFeed(log, seats);
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
      const rows = [...changed].flatMap((id) => log.projections.episode(id) ?? []);
      changed.clear();
      return { push: { topic: 'episodes', rows }, isBehind: false };
    },
  };
}

function deskFeed(log: EventLog, seats: () => SeatRow[]): Feed {
  return {
    hears: (_stream, kind) => KINDS[kind].isDeskNews,
    pull: () => ({
      push: {
        topic: 'desk',
        ...log.projections.desk(DESK_PAGE),
        holds: log.projections.holds(DESK_PAGE),
        seats: seats(),
      },
      isBehind: false,
    }),
  };
}
