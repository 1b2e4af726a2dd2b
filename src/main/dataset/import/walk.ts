// Finds the values of a JSON document of any size in its bytes while holding only one of them. Callers decide for
// each path whether to look inside, to take the value or to skip it.
import { LIMITS } from './limits.ts';
import type { Path } from './importNotes.ts';

/** `into`: its members are asked about one by one; of a scalar it means `take`. */
export type Wish = 'into' | 'take' | 'skip';
type TakenValue = { path: Path; bytes: Buffer };
export type JsonProblem = {
  code: 'truncated' | 'broken_json' | 'too_long' | 'too_deep';
  message: string;
  path: Path;
};

export type Walk = {
  /** The values that became complete with this chunk, in order. */
  push(chunk: Buffer): TakenValue[];
  /** What was wrong, and the characters after the last value that is whole; null when the document is complete. */
  end(): (JsonProblem & { left: number }) | null;
};

type WalkFrame = {
  isArray: boolean;
  index: number;
  key: string;
  expects: 'value' | 'key' | 'colon' | 'comma';
};
type WalkOptions = {
  wish: (path: Path) => Wish;
  /** A value that is too long or too deep; it is passed over. */
  onDropped: (problem: JsonProblem) => void;
  /** A value that nobody wished for, and its bytes. */
  onSkipped?: (path: Path, bytes: number) => void;
  /** Several documents one after the other; every path begins with which one. */
  isSequence?: boolean;
  valueMax?: number;
};

/** A walker over one document, or over several with `isSequence`. */
export const createWalk = (options: WalkOptions): Walk => new JsonWalk(options);

class JsonWalk implements Walk {
  readonly #wish: WalkOptions['wish'];
  readonly #onDropped: WalkOptions['onDropped'];
  readonly #onSkipped: WalkOptions['onSkipped'];
  readonly #isSequence: boolean;
  readonly #frames: WalkFrame[] = [{ isArray: true, index: -1, key: '', expects: 'value' }];
  readonly #held: HeldBytes;
  #skim: SkipState | null = null;
  #isKey = false;
  #path: Path = [];
  #problem: JsonProblem | null = null;
  #left = 0;

  constructor({ wish, onDropped, onSkipped, isSequence = false, valueMax = LIMITS.valueBytes }: WalkOptions) {
    this.#wish = wish;
    this.#onDropped = onDropped;
    this.#onSkipped = onSkipped;
    this.#isSequence = isSequence;
    this.#held = new HeldBytes(valueMax);
  }

  push(chunk: Buffer): TakenValue[] {
    const taken: TakenValue[] = [];
    let at = 0;
    let whole = 0;
    while (at < chunk.length && this.#problem === null) {
      if (this.#skim === null) {
        const byte = chunk[at] ?? 0;
        if (isSpace(byte) || !this.#structure(byte) || this.#enter(byte)) {
          at += 1;
          continue;
        }
        this.#skim = startSkip(byte);
      }
      const end = continueSkip(this.#skim, chunk, at);
      if (!this.#held.add(chunk.subarray(at, end === -1 ? chunk.length : end))) {
        this.#onDropped({ code: 'too_long', message: this.#held.words(), path: this.#path });
      }
      if (end === -1) break;
      this.#finish(this.#skim, taken);
      at = whole = end;
    }
    this.#left = (whole === 0 ? this.#left : 0) + chunk.toString('utf8', whole).length;
    return taken;
  }

  end(): (JsonProblem & { left: number }) | null {
    const left = this.#left;
    if (this.#problem !== null) return { ...this.#problem, left };
    if (this.#frames.length > 1 || this.#skim !== null)
      return { code: 'truncated', message: 'it ends in the middle', path: this.#here(), left };
    if (this.#top().index >= 0) return null;
    return { code: 'truncated', message: 'there is nothing in it', path: [], left };
  }

  #top(): WalkFrame {
    return this.#frames[this.#frames.length - 1] as WalkFrame;
  }

  #here(): Path {
    const steps = this.#frames.map((frame) => (frame.isArray ? frame.index : frame.key));
    return this.#isSequence ? steps : steps.slice(1);
  }

  #fail(message: string): void {
    this.#problem ??= { code: 'broken_json', message, path: this.#here() };
  }

  #leave(): void {
    this.#frames.pop();
    this.#top().expects = 'comma';
  }

  #finish({ deepest }: SkipState, taken: TakenValue[]): void {
    this.#skim = null;
    const frame = this.#top();
    const bytes = this.#held.take();
    frame.expects = this.#isKey ? 'colon' : 'comma';
    if (this.#isKey) frame.key = parseKey(bytes ?? Buffer.alloc(0));
    else if (bytes !== null && deepest > LIMITS.depth) {
      const message = `nested deeper than ${String(LIMITS.depth)} brackets`;
      this.#onDropped({ code: 'too_deep', message, path: this.#path });
    } else if (bytes !== null) taken.push({ path: this.#path, bytes });
    else if (!this.#held.isWanted) this.#onSkipped?.(this.#path, this.#held.size);
    this.#isKey = false;
  }

  /** One byte between values. Returns whether a name or a value begins with it. */
  #structure(byte: number): boolean {
    const frame = this.#top();
    const isRoot = this.#frames.length === 1;
    if (frame.isArray && (frame.expects === 'value' || isRoot)) {
      if (byte === CLOSE_LIST && !isRoot) this.#leave();
      else if (isRoot && frame.index >= 0 && !this.#isSequence)
        this.#fail('more after the end of the document');
      else {
        frame.index += 1;
        return true;
      }
      return false;
    }
    return frame.expects === 'value' || this.#punctuation(byte, frame);
  }

  #punctuation(byte: number, frame: WalkFrame): boolean {
    const closes = byte === (frame.isArray ? CLOSE_LIST : CLOSE_FIELDS);
    if (frame.expects === 'colon') {
      if (byte === COLON) frame.expects = 'value';
      else this.#fail('a colon was expected');
    } else if (closes) this.#leave();
    else if (frame.expects === 'key') {
      this.#isKey = byte === QUOTE;
      if (!this.#isKey) this.#fail('a name was expected');
      return this.#isKey;
    } else if (byte === COMMA) frame.expects = frame.isArray ? 'value' : 'key';
    else this.#fail('a comma or an end was expected');
    return false;
  }

  /** A name or a value begins. True when it is gone into, or cannot be one. */
  #enter(byte: number): boolean {
    this.#path = this.#here();
    const wish = this.#isKey ? 'take' : this.#wish(this.#path);
    const isArray = byte === OPEN_LIST;
    if (!this.#isKey && wish === 'into' && (isArray || byte === OPEN_FIELDS)) {
      if (this.#frames.length > LIMITS.depth) this.#fail('nested too deep');
      this.#frames.push({ isArray, index: -1, key: '', expects: isArray ? 'value' : 'key' });
      return true;
    }
    if (byte === CLOSE_FIELDS || byte === CLOSE_LIST || byte === COMMA || byte === COLON) {
      this.#fail('a value was expected');
      return true;
    }
    this.#held.begin(wish !== 'skip');
    return false;
  }
}

/** The bytes of the value that is being taken; nothing of one that is passed over or too long. */
class HeldBytes {
  readonly #max: number;
  #parts: Buffer[] | null = null;
  /** Bytes of the value so far, whether they are held or not. */
  size = 0;
  isWanted = false;

  constructor(max: number) {
    this.#max = max;
  }

  begin(isTaken: boolean): void {
    this.#parts = isTaken ? [] : null;
    this.isWanted = isTaken;
    this.size = 0;
  }

  /** False once, when the value has become too long; it is let go then. */
  add(bytes: Buffer): boolean {
    this.size += bytes.length;
    if (this.#parts === null || bytes.length === 0) return true;
    if (this.size > this.#max) {
      this.#parts = null;
      return false;
    }
    this.#parts.push(bytes);
    return true;
  }

  take(): Buffer | null {
    const parts = this.#parts;
    this.#parts = null;
    if (parts === null) return null;
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  }

  words(): string {
    return `a value of more than ${String(Math.round(this.#max / 1024 / 1024))} MiB`;
  }
}

function parseKey(bytes: Buffer): string {
  try {
    return JSON.parse(bytes.toString('utf8')) as string;
  } catch {
    return bytes.toString('latin1');
  }
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_FIELDS, CLOSE_FIELDS] = [0x5b, 0x5d, 0x7b, 0x7d];
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isDelimiter = (byte: number): boolean =>
  isSpace(byte) || byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_FIELDS;

/** Before the first byte of a value. */
const startSkip = (byte: number): SkipState => ({
  depth: 0,
  isInString: false,
  isScalar: byte !== QUOTE && byte !== OPEN_LIST && byte !== OPEN_FIELDS,
  backslashes: 0,
  deepest: 0,
});

/** Passes over one value, across chunks; brackets and strings are all it knows. */
type SkipState = {
  depth: number;
  isInString: boolean;
  isScalar: boolean;
  backslashes: number;
  deepest: number;
};

/** The place after the value, or -1 when it goes on beyond this chunk. */
function continueSkip(skim: SkipState, chunk: Buffer, from: number): number {
  let at = from;
  const end = chunk.length;
  while (at < end) {
    if (skim.isInString) {
      at = skimString(skim, chunk, at);
      if (at === -1) return -1;
      if (skim.depth === 0) return at;
      continue;
    }
    const byte = chunk[at] ?? 0;
    if (skim.isScalar) {
      if (isDelimiter(byte)) return at;
    } else if (byte === QUOTE) {
      skim.isInString = true;
      skim.backslashes = 0;
    } else if (byte === OPEN_FIELDS || byte === OPEN_LIST) {
      skim.depth += 1;
      if (skim.depth > skim.deepest) skim.deepest = skim.depth;
    } else if (byte === CLOSE_FIELDS || byte === CLOSE_LIST) {
      skim.depth -= 1;
      if (skim.depth === 0) return at + 1;
    }
    at += 1;
  }
  return -1;
}

/** The place after the closing quote, or -1; how many backslashes a chunk ends with goes over into the next. */
function skimString(skim: SkipState, chunk: Buffer, from: number): number {
  let start = from;
  for (;;) {
    const quote = chunk.indexOf(QUOTE, start);
    const end = quote === -1 ? chunk.length : quote;
    let run = end;
    while (run > start && chunk[run - 1] === BACKSLASH) run -= 1;
    const backslashes = end - run + (run === start ? skim.backslashes : 0);
    if (quote === -1) {
      skim.backslashes = backslashes;
      return -1;
    }
    skim.backslashes = 0;
    if (backslashes % 2 === 0) {
      skim.isInString = false;
      return quote + 1;
    }
    start = quote + 1;
  }
}

/** True if the brackets of a text, right or wrong, go deeper than `limit`. */
export function isDeeperThan(bytes: Buffer, limit: number): boolean {
  // Few texts have as many brackets as it takes.
  const left = limit - countUpTo(bytes, OPEN_FIELDS, limit);
  return left - countUpTo(bytes, OPEN_LIST, left) < 0 && depthOf(bytes) > limit;
}

/** Counts a byte; of more than `most` only that it is more. */
function countUpTo(bytes: Buffer, byte: number, most: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at !== -1 && count <= most; at = bytes.indexOf(byte, at + 1)) count += 1;
  return count;
}

function depthOf(bytes: Buffer): number {
  const skim: SkipState = { depth: 1, isInString: false, isScalar: false, backslashes: 0, deepest: 1 };
  for (let at = 0; at !== -1 && at < bytes.length;) at = continueSkip(skim, bytes, at);
  return skim.deepest - 1;
}
