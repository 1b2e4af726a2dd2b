// One console's session: its store, its line to main, and the news every view needs.
import type { QueryClient } from '@tanstack/react-query';
import { failureShape } from '../../shared/failure.ts';
import type { Status } from '../../shared/episode/record.ts';
import type { Transport } from '../client/transport.ts';
import { createEpisodeKeeper, type EpisodeKeeper } from './episodeKeeper.ts';
import { createKeyboard, type Keyboard } from './keyboard.ts';
import { createKept, type TabStorage, type Storage } from './kept.ts';
import { keepChoices } from './choices.ts';
import { createQueries } from './queries.ts';
import { hear, receiveDesk, receiveRows } from './receive.ts';
import { chordsOf } from './keys.ts';
import { changeRecord, changeUi, createConsoleStore, type ConsoleStore } from './store.ts';
import { tabKept } from './tab.ts';
import { createTexts, type Texts } from './texts.ts';
import { showToast } from './toasts.ts';
import { forgetOldDrafts, keepDrafts, readDrafts } from './drafts.ts';

export type Session = {
  call: Transport['call'];
  /** Watches what the session itself does not; returns its undo. */
  watch: Transport['subscribe'];
  seat: string;
  /** Goes on with the owner's new token in place of the old one. */
  enter?: (token: string) => Promise<void>;
  store: ConsoleStore;
  episodes: EpisodeKeeper;
  texts: Texts;
  keyboard: Keyboard;
  /** What main answered, as long as something shows it. */
  queries: QueryClient;
  /** What a view keeps for itself over a reload. */
  kept: TabStorage;
  /** The same, for this tab alone: what a person has written and not sent. */
  own: TabStorage;
  retry: () => void;
  /** Reads again what main says about itself, after settings changed. */
  refreshApp: () => void;
  close: () => void;
};

type SessionEdges = Pick<Session, 'seat' | 'enter'> & {
  transport: Transport;
  storage: Storage;
  /** Tells this tab from others of the same browser. */
  tab: string;
  now?: () => number;
};

const RUNNING: readonly Status[] = ['starting', 'running', 'waiting'];
const ROWS_LIMIT = 500;

export function createSession({ transport, storage, tab, now = Date.now, ...who }: SessionEdges): Session {
  const kept = createKept(storage);
  const own = tabKept(kept, tab);
  forgetOldDrafts(own, now());
  const store = createConsoleStore(kept, readDrafts(own));
  const texts = createTexts(transport.call);
  const episodes = createEpisodeKeeper(store, { transport, onErased: texts.forget });
  const keyboard = createKeyboard(now, (id) => chordsOf(id, store.getState().ui.prefs.plain_keys));

  const refreshApp = (): void => void readApp(store, transport);
  const onOpen = (): void => {
    refreshApp();
    void readRunning(store, transport);
  };
  const ends = [
    keepDrafts(store, own, now),
    keepChoices(store, kept),
    transport.subscribe({ topic: 'desk' }, (push) => {
      if (push.topic !== 'desk') return;
      const { topic: _topic, ...desk } = push;
      const isFirst = !store.getState().record.desk.isLoaded;
      if (isFirst && desk.items.length > 0) changeUi(store, () => ({ isFirstCardNext: true }));
      changeRecord(store, (slice) => receiveDesk(slice, desk));
    }),
    transport.subscribe({ topic: 'episodes' }, (push) => {
      if (push.topic === 'refetch') void readRunning(store, transport);
      if (push.topic !== 'episodes') return;
      const newest = Math.max(0, ...push.rows.map((row) => row.seq));
      changeRecord(store, (slice) => hear(receiveRows(slice, push.rows), newest, now()));
    }),
    // An expert's seat is led to its reviews from the moment a queue is for it.
    transport.subscribe({ topic: 'projects' }, () => {
      const { app } = store.getState().record;
      if (app?.role === 'expert' && app.may_review !== true) refreshApp();
    }),
    transport.onStatus((connection) => {
      changeUi(store, () => ({ connection }));
      if (connection.state === 'open') onOpen();
    }),
  ];
  changeUi(store, () => ({ connection: transport.status() }));
  if (transport.status().state === 'open') onOpen();

  return {
    call: transport.call,
    watch: transport.subscribe,
    ...who,
    store,
    episodes,
    texts,
    keyboard,
    queries: createQueries(),
    kept,
    own,
    retry: transport.retry,
    refreshApp,
    close() {
      for (const end of ends) end();
      episodes.close();
      transport.close();
    },
  };
}

async function readApp(store: ConsoleStore, { call }: Pick<Transport, 'call'>): Promise<void> {
  try {
    const app = await call('app.describe', {});
    changeRecord(store, (slice) => ({ ...slice, app }));
  } catch (thrown) {
    reportUnlessClosed(store, thrown, 'Could not connect to the server');
  }
}

/** Reads what runs now; rows that ended while we were away are read again by whoever shows them. */
async function readRunning(store: ConsoleStore, { call }: Pick<Transport, 'call'>): Promise<void> {
  try {
    const pages = await Promise.all(
      RUNNING.map((status) =>
        call('episodes.page', { query: '', status, condition: null, offset: 0, limit: ROWS_LIMIT }),
      ),
    );
    const rows = pages.flatMap((page) => page.rows);
    const running = new Set(rows.map((row) => row.id));
    changeRecord(store, (slice) => {
      const still = [...slice.rows].filter(([id, row]) => row.status === 'ended' || running.has(id));
      const next = receiveRows({ ...slice, rows: new Map(still) }, rows);
      return { ...next, areRowsLoaded: true, rowsRevision: slice.rowsRevision + 1 };
    });
  } catch (thrown) {
    reportUnlessClosed(store, thrown, 'Could not read the running episodes');
  }
}

/** A lost line already shows in the status line. */
function reportUnlessClosed(store: ConsoleStore, thrown: unknown, title: string): void {
  const failure = failureShape(thrown);
  if (failure.code === 'closed') return;
  showToast(store, { tone: 'error', title, text: failure.message });
}
