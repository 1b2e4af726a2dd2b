// The one bound for what only looks at a text: it cuts first, so that a text of 8 MiB costs no more than one of this
// length. What is kept is never cut. Pure.

/** As much of a text as is read to say something of it, in UTF-16 units. */
export const READ_MAX = 256 * 1024;

/** Characters of one advice. */
export const ADVICE_MAX = 200_000;

/** The start of a text. No character is cut in half. */
export const truncate = (text: string, max = READ_MAX): string =>
  text.length <= max ? text : text.slice(0, isInsidePair(text, max) ? max - 1 : max);

/** Both ends of a text. */
export function truncateMiddle(text: string): string {
  if (text.length <= READ_MAX) return text;
  const from = text.length - READ_MAX / 2;
  return `${truncate(text, READ_MAX / 2)}\n${text.slice(isInsidePair(text, from) ? from + 1 : from)}`;
}

/**
 * The whole text in pieces of at most that length, which begin and end at a space or line where there is one. Each but
 * the first begins with about as much of the one before as `overlap` says, so that what stands across an end is found.
 */
export function* piecesOf(text: string, overlap = 0): Generator<string> {
  let from = 0;
  for (let end = 0; text.length - from > READ_MAX;) {
    const piece = truncate(text.slice(from, from + READ_MAX + 1));
    const space = Math.max(piece.lastIndexOf(' '), piece.lastIndexOf('\n'));
    // A space at the very beginning would end it where it began.
    end = from + (space < overlap ? piece.length : space + 1);
    yield text.slice(from, end);
    from = isInsidePair(text, end - overlap) ? end - overlap - 1 : end - overlap;
    const start = text.slice(from, end).search(/[ \n]/);
    if (start !== -1) from += start + 1;
  }
  yield text.slice(from);
}

/** True if a cut there parts the two units of one character. */
const isInsidePair = (text: string, at: number): boolean =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
