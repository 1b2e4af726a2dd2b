// The two slices of the screen's state: `record`, which only main's news writes, and `ui`, which the person writes.
import * as z from 'zod/mini';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Outputs } from '../../shared/contract/contract.ts';
import type { EpisodeFilter } from '../../shared/contract/library.ts';
import type { DeskItem, EpisodeRow, HoldItem, SeatRow } from '../../shared/episode/rowShapes.ts';
import { type EpisodeRecord, emptyRecord } from '../../shared/episode/record.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import type { FailureShape } from '../../shared/failure.ts';
import type { ConnectionStatus } from '../client/transport.ts';
import type { TabStorage } from './kept.ts';

export type EpisodeEntry = {
  record: EpisodeRecord;
  events: readonly Recorded[];
  /** Characters of heavy texts held in place, and whether some were put away. */
  inPlace: number;
  isPartly: boolean;
  /** True once everything committed before we asked has arrived. */
  isLoaded: boolean;
  failure: FailureShape | null;
};

export type DeskSlice = {
  /** Questions, oldest first; `total` counts those beyond the ones main sends too. */
  items: readonly DeskItem[];
  total: number;
  /** Held calls and episodes that stopped. */
  holds: readonly HoldItem[];
  seats: readonly SeatRow[];
  isLoaded: boolean;
};

export type RecordSlice = {
  episodes: Readonly<Record<string, EpisodeEntry>>;
  /** The newest row of every episode that runs or has changed since the console opened. */
  rows: ReadonlyMap<string, EpisodeRow>;
  areRowsLoaded: boolean;
  /** Counts up when rows may have been missed: pages read before are out of date. */
  rowsRevision: number;
  desk: DeskSlice;
  app: Outputs['app.describe'] | null;
  /** The newest place in the whole log that any news mentioned. */
  newestSeq: number;
};

export const Theme = z.enum(['system', 'light', 'dark', 'contrast']);
export type Theme = z.infer<typeof Theme>;

export const Pane = z.strictObject({ size: z.number(), isCollapsed: z.boolean() });
export type Pane = z.infer<typeof Pane>;

export type Toast = {
  id: number;
  tone: 'plain' | 'ok' | 'error' | 'waiting';
  title: string;
  text: string | null;
  action: { label: string; run: () => void } | null;
};

export const Overlay = z.enum(['palette', 'keys', 'start']);
export type Overlay = z.infer<typeof Overlay>;

/** A person's preferences at the desk. */
export const DeskPrefs = z.strictObject({
  order: z.enum(['triage', 'age']),
  /** How long a send can be taken back; 0 sends at once. */
  take_back_ms: z.int().check(z.minimum(0), z.maximum(30_000)),
  notifies: z.boolean(),
  sounds: z.boolean(),
  /** Whether keys that are pressed alone do anything. */
  plain_keys: z._default(z.boolean(), true),
});
export type DeskPrefs = z.infer<typeof DeskPrefs>;
const DEFAULT_PREFS: DeskPrefs = {
  order: 'triage',
  take_back_ms: 3000,
  notifies: false,
  sounds: false,
  plain_keys: true,
};

export type SendingDecision = {
  key: string;
  /** The consultations, the held call or the stop it decides. */
  keys: readonly string[];
  title: string;
  /** What it is about, in a few words. */
  label: string;
  /** UTC ms at which it is sent. */
  at: number;
  /** True once it is on its way: too late to take back. */
  isGone: boolean;
  takeBack: () => void;
  sendNow: () => void;
};

/** A question, held call or stop this console decided, and what was done with it in words. */
export type AnsweredQuestion = {
  /** The consultation, or the key of the held call or the stop. */
  consultation: string;
  episode: string;
  /** The id of the held call; absent from a question and a stop. */
  call?: string;
  /** When the episode stopped; absent from a question and a held call. */
  since?: number;
  /** The words of its task. */
  label: string;
  done: string;
};

/** Choice handed by the list of episodes to the data view: these episodes, or all that a filter takes. */
export type ExportChoice = { episodes: readonly string[] } | { filter: EpisodeFilter };

type UiSlice = {
  theme: Theme;
  panes: Readonly<Record<string, Pane>>;
  /** Texts not yet sent, per consultation. */
  unsentTexts: Readonly<Record<string, string>>;
  /** What is selected in each list, by the list's name. */
  selected: Readonly<Record<string, string>>;
  toasts: readonly Toast[];
  overlay: Overlay | null;
  connection: ConnectionStatus;
  prefs: DeskPrefs;
  /** Texts the person named, to be put into advice by `;name`. */
  snippets: Readonly<Record<string, string>>;
  /** When the person last put away what was lost as Interject closed (UTC ms). */
  lostSeenAt: number;
  /** Decisions that can still be taken back: nothing of them is committed. */
  sending: readonly SendingDecision[];
  /** What was started last from the desk, which stays on screen: its first episode, and what the task asks for. */
  started: { episode: string; task: string; count: number } | null;
  /** When the person last left an answered card for the next one (UTC ms). */
  nextAskedAt: number;
  /** Questions waited when the page was opened, and none of them has been shown yet. */
  isFirstCardNext: boolean;
  /** The last questions answered here, newest first. */
  answered: readonly AnsweredQuestion[];
  /** The guided first question is gone through once more. */
  isGuideRepeated: boolean;
  /** The guided first question is on the screen. */
  isGuided: boolean;
  /** What this person chose last, and what main had said of the seats until then. */
  presence: { chosen: SeatRow['presence']; before: readonly SeatRow[] } | null;
  /** Set by whoever leads to the data view, which takes it into its rules and sets it back to null. */
  exportChoice: ExportChoice | null;
  /** Set by whoever leads to annotation, which puts them into a new queue and sets it back to null. */
  queueChoice: { episodes: readonly string[] } | null;
};

export type ConsoleState = { record: RecordSlice; ui: UiSlice };
export type ConsoleStore = StoreApi<ConsoleState>;

const emptyRecordSlice: RecordSlice = {
  episodes: {},
  rows: new Map(),
  areRowsLoaded: false,
  rowsRevision: 0,
  desk: { items: [], total: 0, holds: [], seats: [], isLoaded: false },
  app: null,
  newestSeq: 0,
};

/** The store of one console, with what the person had chosen before. */
export const createConsoleStore = (
  kept: TabStorage,
  unsentTexts: Readonly<Record<string, string>>,
): ConsoleStore =>
  createStore<ConsoleState>(() => ({
    record: emptyRecordSlice,
    ui: {
      theme: kept.read('theme', Theme, 'system'),
      panes: kept.read('panes', z.record(z.string(), Pane), {}),
      unsentTexts,
      selected: kept.read('selected', z.record(z.string(), z.string()), {}),
      toasts: [],
      overlay: null,
      connection: { state: 'connecting' },
      prefs: kept.read('prefs', DeskPrefs, DEFAULT_PREFS),
      snippets: kept.read('snippets', z.record(z.string(), z.string()), {}),
      lostSeenAt: kept.read('lost-seen', z.number(), 0),
      sending: [],
      started: null,
      answered: [],
      isGuideRepeated: false,
      isGuided: false,
      presence: null,
      nextAskedAt: 0,
      isFirstCardNext: false,
      exportChoice: null,
      queueChoice: null,
    },
  }));

/** Changes the person's slice. */
export const changeUi = (store: ConsoleStore, change: (ui: UiSlice) => Partial<UiSlice>): void =>
  store.setState((state) => ({ ui: { ...state.ui, ...change(state.ui) } }));

/** Changes the slice that main's news writes. */
export const changeRecord = (store: ConsoleStore, change: (record: RecordSlice) => RecordSlice): void =>
  store.setState((state) => {
    const record = change(state.record);
    return record === state.record ? state : { record };
  });

/** An episode of which nothing has come yet. */
export const emptyEntry = (id: string): EpisodeEntry => ({
  record: emptyRecord(id),
  events: [],
  inPlace: 0,
  isPartly: false,
  isLoaded: false,
  failure: null,
});
