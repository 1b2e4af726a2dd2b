// Long texts that are not in the page: read on demand, kept while there is room. One stored beside the log comes in
// stretches, one that was put away with its event.
import type { Transport } from '../client/transport.ts';
import { isBlobRef, type Text } from '../../shared/events/text.ts';
import { parseTextAddress } from './putAway.ts';
import { readPlace } from './readPlace.ts';
import { failureShape, type FailureShape } from '../../shared/failure.ts';

type LoadedText = { text: string | null; isLoading: boolean; failure: FailureShape | null };
export type Texts = {
  get: (sha256: string) => LoadedText;
  load: (sha256: string) => void;
  /** Lets go of all that was read. */
  forget: () => void;
  subscribe: (listener: () => void) => () => void;
};

const STRETCH = 1_000_000;
/** UTF-16 units kept in all; the longest unused text goes first. */
const TEXT_CACHE_CHARS = 32_000_000;
const NOT_LOADED: LoadedText = { text: null, isLoading: false, failure: null };

export function createTexts(call: Transport['call']): Texts {
  const held = new Map<string, LoadedText>();
  const listeners = new Set<() => void>();
  const put = (sha256: string, entry: LoadedText): void => {
    held.delete(sha256);
    held.set(sha256, entry);
    makeRoom(held, sha256);
    for (const tell of listeners) tell();
  };
  const read = async (sha256: string): Promise<void> => {
    try {
      const place = parseTextAddress(sha256);
      const text = place === null ? await readStretches(call, sha256) : await readPlace(call, place);
      put(sha256, { text, isLoading: false, failure: null });
    } catch (thrown) {
      put(sha256, { text: null, isLoading: false, failure: failureShape(thrown) });
    }
  };
  return {
    get: (sha256) => held.get(sha256) ?? NOT_LOADED,
    load(sha256) {
      const entry = held.get(sha256);
      if (entry?.isLoading === true || (entry?.text ?? null) !== null) return;
      put(sha256, { text: null, isLoading: true, failure: null });
      void read(sha256);
    },
    forget() {
      held.clear();
      for (const tell of listeners) tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

async function readStretches(call: Transport['call'], sha256: string): Promise<string> {
  const parts: string[] = [];
  let [offset, total] = [0, 1];
  while (offset < total) {
    const part = await call('text.read', { sha256, offset, length: STRETCH });
    if (part.text === '' && part.total > 0) break;
    parts.push(part.text);
    offset += part.text.length;
    total = part.total;
  }
  return parts.join('');
}

/** The whole of a text, read if it must be; null when it cannot be. */
export async function wholeText(texts: Texts, text: Text): Promise<string | null> {
  if (!isBlobRef(text)) return text;
  texts.load(text.$blob);
  return new Promise((settle) => {
    const look = (): void => {
      const { text: found, isLoading } = texts.get(text.$blob);
      if (isLoading) return;
      end();
      settle(found);
    };
    const end = texts.subscribe(look);
    look();
  });
}

function makeRoom(held: Map<string, LoadedText>, keep: string): void {
  let size = 0;
  for (const entry of held.values()) size += entry.text?.length ?? 0;
  for (const [sha256, entry] of held) {
    if (size <= TEXT_CACHE_CHARS) return;
    if (sha256 === keep || entry.isLoading) continue;
    held.delete(sha256);
    size -= entry.text?.length ?? 0;
  }
}
