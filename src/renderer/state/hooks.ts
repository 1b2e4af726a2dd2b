// Hooks by which a view reads the session: one per thing it may need.
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import { useStore } from 'zustand';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { isBlobRef, textHead, type Text } from '../../shared/events/text.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import type { FailureShape } from '../../shared/failure.ts';
import { waitingCount } from '../../shared/waiting.ts';
import { useClock } from '../ui/clock.ts';
import { setPane, setSelected } from './choices.ts';
import type { Session } from './session.ts';
import type { Bindings, KeyLayer } from './keyboard.ts';
import { isPutAway } from './putAway.ts';
import { type DeskSlice, type EpisodeEntry, type Pane, type ConsoleState, emptyEntry } from './store.ts';
import { showToast, type NewToast } from './toasts.ts';
import { setUnsentText } from './drafts.ts';

export const SessionContext = createContext<Session | null>(null);

/** The session of this console: `call`, `seat`, and what the other hooks are made of. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession outside a SessionContext');
  return session;
}

/** The result of `select` on the state; select something that keeps its identity, or use useShallow. */
export const useConsole = <T>(select: (state: ConsoleState) => T): T => useStore(useSession().store, select);

function useEntry(id: string): EpisodeEntry {
  const { episodes } = useSession();
  useEffect(() => episodes.acquire(id), [episodes, id]);
  const entry = useConsole(({ record }) => record.episodes[id]);
  return useMemo(() => entry ?? emptyEntry(id), [entry, id]);
}

/** The record of an episode, watched while the component is on screen. */
export function useEpisodeRecord(id: string): {
  record: EpisodeRecord;
  isLoaded: boolean;
  failure: FailureShape | null;
} {
  const { record, isLoaded, failure } = useEntry(id);
  return { record, isLoaded, failure };
}

/** The events of an episode as they were recorded; replay is the fold of a prefix of them. */
export const useEpisodeEvents = (id: string): readonly Recorded[] => useEntry(id).events;

/** The queue waiting on a person, oldest first; `total` may be more than the items main sends. */
export const useDesk = (): DeskSlice => useConsole(({ record }) => record.desk);

/** Count of waiting cards: questions, held calls and stopped episodes. */
export const useWaitingCount = (): number => useConsole(({ record: { desk } }) => waitingCount(desk));

/** The unsent text for a consultation; null when there is none. It survives a reload. */
export function useUnsentText(consultation: string): [string | null, (text: string | null) => void] {
  const { store } = useSession();
  const text = useConsole(({ ui }) => ui.unsentTexts[consultation] ?? null);
  const set = useCallback(
    (next: string | null) => setUnsentText(store, consultation, next),
    [store, consultation],
  );
  return [text, set];
}

/** UTC ms, moving each second. */
export const useNow = (): number => useClock();

/** Shows a toast. */
export function useToast(): (toast: NewToast) => void {
  const { store } = useSession();
  return useCallback((toast) => showToast(store, toast), [store]);
}

/** A pane's size and whether it is folded away, kept over a reload. */
export function usePane(name: string, size: number): [Pane, (pane: Pane) => void] {
  const { store } = useSession();
  const kept = useConsole(({ ui }) => ui.panes[name]);
  const pane = useMemo(() => kept ?? { size, isCollapsed: false }, [kept, size]);
  const set = useCallback((next: Pane) => setPane(store, name, next), [store, name]);
  return [pane, set];
}

/** The selection in a list, kept over a reload. */
export function useSelected(list: string): [string | null, (id: string | null) => void] {
  const { store } = useSession();
  const id = useConsole(({ ui }) => ui.selected[list] ?? null);
  const set = useCallback((next: string | null) => setSelected(store, list, next), [store, list]);
  return [id, set];
}

/** Binds keys of the key table while the component is on screen. */
export function useKeys(bindings: Bindings, kind: KeyLayer = 'page'): void {
  const { keyboard } = useSession();
  const newest = useRef(bindings);
  useLayoutEffect(() => {
    newest.current = bindings;
  });
  // What is on screen with its key acts on it at once.
  useLayoutEffect(() => keyboard.bind(kind, () => newest.current), [keyboard, kind]);
}

/** A text of any length: how it begins until `load` is called, then the whole. */
export function useText(text: Text): {
  text: string;
  isWhole: boolean;
  isLoading: boolean;
  failure: FailureShape | null;
  load: () => void;
} {
  const { texts } = useSession();
  const sha256 = isBlobRef(text) ? text.$blob : null;
  const read = useCallback(() => (sha256 === null ? null : texts.get(sha256)), [texts, sha256]);
  const long = useSyncExternalStore(texts.subscribe, read);
  const load = useCallback(() => {
    if (sha256 !== null) texts.load(sha256);
  }, [texts, sha256]);
  // A text that was put away is on screen again: it is read as it would have been there.
  const isWanted = isPutAway(text) && long?.text === null && !long.isLoading && long.failure === null;
  useEffect(() => {
    if (isWanted) load();
  }, [isWanted, load]);
  return {
    text: long?.text ?? textHead(text),
    isWhole: sha256 === null || (long?.text ?? null) !== null,
    isLoading: long?.isLoading ?? false,
    failure: long?.failure ?? null,
    load,
  };
}
