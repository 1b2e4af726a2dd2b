// Reading again what was put away of an episode: all of it page by page, or the texts one writes something of.
import type { Transport } from '../client/transport.ts';
import { textHead, type Text } from '../../shared/events/text.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { fieldOf, isPutAway, textAddressKey, parseTextAddress } from './putAway.ts';
import { wholeText, type Texts } from './texts.ts';

type CallMain = Transport['call'];

const EVENTS_PER_PAGE = 500;

/** Every event of an episode as the log holds it, a page in memory at a time. */
async function visitEvents(
  call: CallMain,
  episode: string,
  visit: (recorded: Recorded) => void,
  signal?: AbortSignal,
): Promise<void> {
  const isOver = (): boolean => signal?.aborted === true;
  const read = (after: number) => call('episode.read', { episode, after, limit: EVENTS_PER_PAGE });
  let next = read(0);
  while (!isOver()) {
    const { events } = await next;
    if (isOver()) return;
    const last = events.length < EVENTS_PER_PAGE ? undefined : events.at(-1);
    // The other end reads the next page while this one is looked through.
    if (last !== undefined) next = read(last.n);
    for (const recorded of events) visit(recorded);
    if (last === undefined) return;
  }
}

/** So many events are looked through in one reading: what holds nothing is not sent. */
const SPAN = 2000;
const COPIED_TEXT_MAX = 1000;

/** The events of an episode that may hold the words, case ignored; who sits in an expert's seat gets all of them. */
export async function visitHolding(
  call: CallMain,
  episode: string,
  query: string,
  visit: (recorded: Recorded) => void,
  signal?: AbortSignal,
): Promise<void> {
  const isOver = (): boolean => signal?.aborted === true;
  // The beginning of very many words finds no less.
  const holding = query.slice(0, COPIED_TEXT_MAX);
  let [after, last] = [0, 1];
  while (after < last && !isOver()) {
    const page = await call('episode.read', { episode, after, limit: SPAN, holding });
    if (isOver()) return;
    for (const recorded of page.events) visit(recorded);
    [after, last] = [after + SPAN, page.last_n];
  }
}

/** Above so many texts of one episode, reading all of it is faster than asking for each. */
const ONE_BY_ONE_MAX = 40;

/**
 * Writes something of texts of any length, none of them cut: `write` is run once to learn which are wanted, and once with
 * all of them. A text that can no longer be read is given as its beginning, and `whole` says null of it.
 */
export async function writeWhole(
  { call, texts }: { call: CallMain; texts: Texts },
  write: (whole: (text: Text) => string | null) => string,
): Promise<string> {
  const wanted = new Map<string, Text>();
  const draft = write((text) => {
    if (typeof text === 'string') return text;
    wanted.set(text.$blob, text);
    return null;
  });
  if (wanted.size === 0) return draft;
  const known = await readAll(call, texts, [...wanted.values()]);
  return write((text) => (typeof text === 'string' ? text : (known.get(text.$blob) ?? null)));
}

async function readAll(call: CallMain, texts: Texts, wanted: readonly Text[]): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  const away = wanted.filter(isPutAway);
  const [first] = away;
  const episode = first === undefined ? null : (parseTextAddress(first.$blob)?.episode ?? null);
  if (episode !== null && away.length > ONE_BY_ONE_MAX) {
    const addresses = new Map(away.map(({ $blob }) => [textAddressKey($blob), $blob]));
    await visitEvents(call, episode, ({ n, event }) => {
      for (const field of Object.keys(event)) {
        const address = addresses.get(`${String(n)} ${field}`);
        const text = address === undefined ? null : fieldOf(event, field);
        if (address !== undefined && text !== null) known.set(address, text);
      }
    });
  }
  for (const text of wanted) {
    if (typeof text === 'string' || known.has(text.$blob)) continue;
    const whole = await wholeText(texts, text);
    if (whole !== null) known.set(text.$blob, whole);
  }
  return known;
}

/** The part of a text that is at hand at once. */
export const atHand = (texts: Texts, text: Text): string =>
  typeof text === 'string' ? text : (texts.get(text.$blob).text ?? textHead(text));
