// Skips one JSON value in its bytes, across chunks, knowing only brackets and strings.

export const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
export const [OPEN_LIST, CLOSE_LIST, OPEN_FIELDS, CLOSE_FIELDS] = [0x5b, 0x5d, 0x7b, 0x7d];
export const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isDelimiter = (byte: number): boolean =>
  isSpace(byte) || byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_FIELDS;

/** Before the first byte of a value. */
export const startSkip = (byte: number): SkipState => ({
  depth: 0,
  isInString: false,
  isScalar: byte !== QUOTE && byte !== OPEN_LIST && byte !== OPEN_FIELDS,
  backslashes: 0,
  deepest: 0,
});

/** Passes over one value, across chunks; brackets and strings are all it knows. */
export type SkipState = {
  depth: number;
  isInString: boolean;
  isScalar: boolean;
  backslashes: number;
  deepest: number;
};

/** The place after the value, or -1 when it goes on beyond this chunk. */
export function continueSkip(skim: SkipState, chunk: Buffer, from: number): number {
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

/** Whether the brackets of a text, right or wrong, go deeper than `limit`. */
export function isDeeperThan(bytes: Buffer, limit: number): boolean {
  // Few texts have as many brackets as it takes.
  const left = limit - countUpTo(bytes, OPEN_FIELDS, limit);
  return left - countUpTo(bytes, OPEN_LIST, left) < 0 && depthOf(bytes) > limit;
}

/** How often a byte is in it; of more than `most` only that it is more. */
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
