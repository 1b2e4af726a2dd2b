// Owns: the two slices of the screen's state: `record`, which only main's news writes, and `ui`, which the person writes.
import { z } from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Outputs } from '../../shared/contract/contract.ts';
import type { DeskItem, EpisodeRow } from '../../shared/contract/rows.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import type { FailureShape } from '../../shared/failure.ts';
import type { ConnectionStatus } from '../client/transport.ts';
import type { Kept } from './kept.ts';

export type EpisodeEntry = {
  record: EpisodeRecord;
  events: readonly Recorded[];
  /** True once everything committed before we asked has arrived. */
  isLoaded: boolean;
  failure: FailureShape | null;
};

export type RecordSlice = {
  episodes: Readonly<Record<string, EpisodeEntry>>;
  /** The newest row of every episode that runs or has changed since the console opened. */
  rows: ReadonlyMap<string, EpisodeRow>;
  areRowsLoaded: boolean;
  /** Counts up when rows may have been missed: pages read before are out of date. */
  rowsRevision: number;
  desk: { items: readonly DeskItem[]; total: number; isLoaded: boolean };
  app: Outputs['app.describe'] | null;
  /** The newest place in the whole log that any news mentioned, and when it was heard. */
  heard: readonly { at: number; seq: number }[];
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

export type UiSlice = {
  theme: Theme;
  panes: Readonly<Record<string, Pane>>;
  /** Words not yet sent, per consultation. */
  words: Readonly<Record<string, string>>;
  /** What is selected in each list, by the list's name. */
  selected: Readonly<Record<string, string>>;
  toasts: readonly Toast[];
  overlay: Overlay | null;
  connection: ConnectionStatus;
};

export type State = { record: RecordSlice; ui: UiSlice };
export type Store = StoreApi<State>;

export const emptyRecordSlice: RecordSlice = {
  episodes: {},
  rows: new Map(),
  areRowsLoaded: false,
  rowsRevision: 0,
  desk: { items: [], total: 0, isLoaded: false },
  app: null,
  heard: [],
};

/** The store of one console, with what the person had chosen before. */
export const createConsoleStore = (kept: Kept, words: Readonly<Record<string, string>>): Store =>
  createStore<State>(() => ({
    record: emptyRecordSlice,
    ui: {
      theme: kept.read('theme', Theme, 'system'),
      panes: kept.read('panes', z.record(z.string(), Pane), {}),
      words,
      selected: kept.read('selected', z.record(z.string(), z.string()), {}),
      toasts: [],
      overlay: null,
      connection: { state: 'connecting' },
    },
  }));

/** Changes the person's slice. */
export const changeUi = (store: Store, change: (ui: UiSlice) => Partial<UiSlice>): void =>
  store.setState((state) => ({ ui: { ...state.ui, ...change(state.ui) } }));

/** Changes the slice that main's news writes. */
export const changeRecord = (store: Store, change: (record: RecordSlice) => RecordSlice): void =>
  store.setState((state) => {
    const record = change(state.record);
    return record === state.record ? state : { record };
  });
