// Owns: finding the values of a JSON document of any size in its bytes, without holding more than one of them.
// Its users say for each place whether to look inside, to take the value or to pass over it unread.
import { LIMITS } from './limits.ts';

export type Place = string | number;
export type Path = readonly Place[];
/** `into`: its members are asked about one by one; of a scalar it means `take`. */
export type Wish = 'into' | 'take' | 'skip';
export type Taken = { path: Path; bytes: Buffer };
export type Problem = {
  code: 'truncated' | 'broken_json' | 'too_long' | 'too_deep';
  message: string;
  path: Path;
};

export type Walk = {
  /** The values that became complete with this chunk, in order. */
  push(chunk: Buffer): Taken[];
  /** What was wrong, null when the document is complete. */
  end(): Problem | null;
};

type Frame = { isArray: boolean; index: number; key: string; expects: 'value' | 'key' | 'colon' | 'comma' };
type Options = {
  wish: (path: Path) => Wish;
  /** A value that is too long or too deep; it is passed over. */
  onDropped: (problem: Problem) => void;
  /** Several documents one after the other; every path begins with which one. */
  isSequence?: boolean;
  valueMax?: number;
};

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_FIELDS, CLOSE_FIELDS] = [0x5b, 0x5d, 0x7b, 0x7d];
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isDelimiter = (byte: number): boolean =>
  isSpace(byte) || byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_FIELDS;

/** Passes over one value, across chunks; brackets and strings are all it knows. */
type Skim = { depth: number; isInString: boolean; isScalar: boolean; backslashes: number; deepest: number };

/** The place after the value, or -1 when it goes on beyond this chunk. */
function skimOn(skim: Skim, chunk: Buffer, from: number): number {
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
function skimString(skim: Skim, chunk: Buffer, from: number): number {
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

/** How deep the brackets of a text go, right or wrong. */
export function depthOf(bytes: Buffer): number {
  const skim: Skim = { depth: 1, isInString: false, isScalar: false, backslashes: 0, deepest: 1 };
  for (let at = 0; at !== -1 && at < bytes.length;) at = skimOn(skim, bytes, at);
  return skim.deepest - 1;
}

/** A walker over one document, or over several with `isSequence`. */
export function createWalk({
  wish,
  onDropped,
  isSequence = false,
  valueMax = LIMITS.valueBytes,
}: Options): Walk {
  const frames: Frame[] = [{ isArray: true, index: -1, key: '', expects: 'value' }];
  let skim: Skim | null = null;
  let isTaking = false;
  let isKey = false;
  let parts: Buffer[] = [];
  let held = 0;
  let path: Path = [];
  let problem: Problem | null = null;

  const top = (): Frame => frames[frames.length - 1] as Frame;
  const here = (): Path => {
    const steps = frames.map((frame) => (frame.isArray ? frame.index : frame.key));
    return isSequence ? steps : steps.slice(1);
  };
  const fail = (message: string): void => {
    problem ??= { code: 'broken_json', message, path: here() };
  };
  const begin = (byte: number, takes: boolean): void => {
    skim = {
      depth: 0,
      isInString: false,
      isScalar: byte !== QUOTE && byte !== OPEN_LIST && byte !== OPEN_FIELDS,
      backslashes: 0,
      deepest: 0,
    };
    isTaking = takes;
    parts = [];
    held = 0;
  };
  const hold = (bytes: Buffer): void => {
    held += bytes.length;
    if (!isTaking || bytes.length === 0) return;
    if (held > valueMax) {
      parts = [];
      isTaking = false;
      const message = `a value of more than ${String(Math.round(valueMax / 1024 / 1024))} MiB`;
      onDropped({ code: 'too_long', message, path });
      return;
    }
    parts.push(bytes);
  };
  const finish = (taken: Taken[]): void => {
    const done = skim as Skim;
    skim = null;
    const frame = top();
    if (isKey) {
      isKey = false;
      frame.key = keyOf(Buffer.concat(parts));
      frame.expects = 'colon';
      return;
    }
    frame.expects = 'comma';
    if (!isTaking) return;
    if (done.deepest > LIMITS.depth) {
      const message = `nested deeper than ${String(LIMITS.depth)} brackets`;
      onDropped({ code: 'too_deep', message, path });
      return;
    }
    taken.push({ path, bytes: parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts) });
    parts = [];
  };
  const leave = (): void => {
    frames.pop();
    top().expects = 'comma';
  };
  /** One byte between values. Returns whether the value it begins starts at this byte. */
  const structure = (byte: number): boolean => {
    const frame = top();
    const isRoot = frames.length === 1;
    if (frame.isArray && (frame.expects === 'value' || (isRoot && frame.expects === 'comma'))) {
      if (byte === CLOSE_LIST && !isRoot) return (leave(), false);
      if (isRoot && frame.index >= 0 && !isSequence)
        return (fail('more after the end of the document'), false);
      frame.index += 1;
      return true;
    }
    switch (frame.expects) {
      case 'value':
        return true;
      case 'key':
        if (byte === CLOSE_FIELDS) return (leave(), false);
        if (byte !== QUOTE) return (fail('a name was expected'), false);
        isKey = true;
        return true;
      case 'colon':
        if (byte !== COLON) return (fail('a colon was expected'), false);
        frame.expects = 'value';
        return false;
      case 'comma':
        if (byte === (frame.isArray ? CLOSE_LIST : CLOSE_FIELDS)) return (leave(), false);
        if (byte !== COMMA) return (fail('a comma or an end was expected'), false);
        frame.expects = frame.isArray ? 'value' : 'key';
        return false;
    }
  };
  const enter = (byte: number): boolean => {
    path = here();
    const wanted = isKey ? 'take' : wish(path);
    const isContainer = byte === OPEN_FIELDS || byte === OPEN_LIST;
    if (!isKey && wanted === 'into' && isContainer) {
      if (frames.length > LIMITS.depth) return (fail('nested too deep'), true);
      const isArray = byte === OPEN_LIST;
      frames.push({ isArray, index: -1, key: '', expects: isArray ? 'value' : 'key' });
      return true;
    }
    if (byte === CLOSE_FIELDS || byte === CLOSE_LIST || byte === COMMA || byte === COLON) {
      return (fail('a value was expected'), true);
    }
    begin(byte, isKey || wanted !== 'skip');
    return false;
  };

  return {
    push: (chunk) => {
      const taken: Taken[] = [];
      let at = 0;
      while (at < chunk.length && problem === null) {
        if (skim === null) {
          const byte = chunk[at] ?? 0;
          if (isSpace(byte) || !structure(byte) || enter(byte)) {
            at += 1;
            continue;
          }
        }
        const end = skimOn(skim as unknown as Skim, chunk, at);
        hold(chunk.subarray(at, end === -1 ? chunk.length : end));
        if (end === -1) return taken;
        finish(taken);
        at = end;
      }
      return taken;
    },
    end: () => {
      if (problem !== null) return problem;
      if (frames.length === 1 && skim === null) {
        return top().index >= 0 ? null : { code: 'truncated', message: 'there is nothing in it', path: [] };
      }
      // A number at the very end of a document has no delimiter after it.
      return { code: 'truncated', message: 'it ends in the middle', path: here() };
    },
  };
}

function keyOf(bytes: Buffer): string {
  try {
    return JSON.parse(bytes.toString('utf8')) as string;
  } catch {
    return bytes.toString('latin1');
  }
}
