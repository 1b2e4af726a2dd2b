// Invisible characters of a text, and which of them are in place. Pure; the text itself is never changed by a mark.

/**
 * Format characters, what Unicode says may be left undrawn (Default_Ignorable_Code_Point), controls but tab and line
 * ends, and the two separators. Source: the Unicode Character Database, by the properties the engine knows.
 */
const INVISIBLE = /(?![\t\n\r])[\p{Cf}\p{DI}\p{Cc}\p{Zl}\p{Zp}]/u;
/** Format characters that are drawn: they stand over the digits or letters that follow (Prepended_Concatenation_Mark). */
const DRAWN = /[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]/u;

/** Scripts in which joiners choose how letters are written: Persian and other Arabic writing, Indic and related ones. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const PICTURE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;
const TAGGED_FLAG =
  /^\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/u;

const ZWNJ = '\u200C';
const ZWJ = '\u200D';
const EMOJI_STYLE = /[\uFE0E\uFE0F]/u;
const KEYCAP = /^[0-9#*]$/;

/** A stretch of a text: as it is, or characters that cannot be seen, with how to name them. */
type VisibleStretch = { text: string; mark: null } | { text: string; mark: { label: string; title: string } };

/** Characters beyond those always drawn. Most texts hold none, and are told by this in a tenth of the time. */
const MORE_THAN_ASCII = /[^\t\n\r -~]/;

const isInvisible = (char: string): boolean => INVISIBLE.test(char) && !DRAWN.test(char);

/** The text in stretches; joined again they are the text, character for character. */
export function stretches(text: string): VisibleStretch[] {
  if (!MORE_THAN_ASCII.test(text) || !INVISIBLE.test(text)) return text === '' ? [] : [{ text, mark: null }];
  const chars = Array.from(text);
  const skipped = flagTags(chars);
  const found: VisibleStretch[] = [];
  let run: string[] = [];
  let plain = '';
  const endRun = (): void => {
    if (run.length > 0) found.push({ text: run.join(''), mark: invisibleName(run) });
    run = [];
  };
  const endPlain = (): void => {
    if (plain !== '') found.push({ text: plain, mark: null });
    plain = '';
  };
  for (const [at, char] of chars.entries()) {
    if (isInvisible(char) && !skipped.has(at) && !belongs(chars, at)) {
      endPlain();
      run.push(char);
    } else {
      endRun();
      plain += char;
    }
  }
  endRun();
  endPlain();
  return found;
}

/** The text without those that are marked. */
export const withoutInvisible = (text: string): string =>
  stretches(text)
    .flatMap((stretch) => (stretch.mark === null ? [stretch.text] : []))
    .join('');

/** The number of marked characters. */
export const countInvisible = (text: string): number =>
  stretches(text).reduce(
    (sum, stretch) => sum + (stretch.mark === null ? 0 : Array.from(stretch.text).length),
    0,
  );

/** Joiners between letters or pictures that they join, and variation selectors on what has variants. */
function belongs(chars: readonly string[], at: number): boolean {
  const [before = '', char = '', after = ''] = [chars[at - 1], chars[at], chars[at + 1]];
  if (char === ZWJ && isPictureBefore(chars, at) && /^\p{Extended_Pictographic}/u.test(after)) return true;
  if (char === ZWJ || char === ZWNJ)
    return JOINING.test(before) && JOINING.test(after) && !isInvisible(after);
  if (EMOJI_STYLE.test(char)) return PICTURE.test(before) || (KEYCAP.test(before) && after === '\u20E3');
  if (/[\u180B-\u180D\u180F]/u.test(char))
    return /\p{Script=Mongolian}/u.test(before) && !isInvisible(before);
  if (/[\uFE00-\uFE0D\u{E0100}-\u{E01EF}]/u.test(char)) return /\p{Ideographic}/u.test(before);
  return false;
}

function isPictureBefore(chars: readonly string[], at: number): boolean {
  const before = chars[at - 1] ?? '';
  return PICTURE.test(before) || (EMOJI_STYLE.test(before) && PICTURE.test(chars[at - 2] ?? ''));
}

/** Places of the tag characters in the three flags that are written with them. */
function flagTags(chars: readonly string[]): Set<number> {
  const places = new Set<number>();
  for (const [at, char] of chars.entries()) {
    if (char !== '\u{1F3F4}' || !TAGGED_FLAG.test(chars.slice(at, at + 7).join(''))) continue;
    for (let tag = at + 1; tag < at + 7; tag += 1) places.add(tag);
  }
  return places;
}

const INVISIBLE_NAMES: Readonly<Record<string, [label: string, name: string]>> = {
  '\u00AD': ['SHY', 'soft hyphen'],
  '\u061C': ['ALM', 'Arabic letter mark'],
  '\u200B': ['ZWSP', 'zero width space'],
  '\u200C': ['ZWNJ', 'zero width non-joiner'],
  '\u200D': ['ZWJ', 'zero width joiner'],
  '\u200E': ['LRM', 'left-to-right mark'],
  '\u200F': ['RLM', 'right-to-left mark'],
  '\u2028': ['LS', 'line separator'],
  '\u2029': ['PS', 'paragraph separator'],
  '\u202A': ['LRE', 'left-to-right embedding'],
  '\u202B': ['RLE', 'right-to-left embedding'],
  '\u202C': ['PDF', 'end of embedding or override'],
  '\u202D': ['LRO', 'left-to-right override'],
  '\u202E': ['RLO', 'right-to-left override'],
  '\u2060': ['WJ', 'word joiner'],
  '\u2066': ['LRI', 'left-to-right isolate'],
  '\u2067': ['RLI', 'right-to-left isolate'],
  '\u2068': ['FSI', 'first strong isolate'],
  '\u2069': ['PDI', 'end of isolate'],
  '\uFEFF': ['BOM', 'zero width no-break space'],
  '\u001B': ['ESC', 'escape'],
};

/** More characters in a row are counted, not named one by one. */
const NAMED_MAX = 3;

const codeOf = (char: string): string =>
  `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
const labelOf = (char: string): string => INVISIBLE_NAMES[char]?.[0] ?? codeOf(char);
const titleOf = (char: string): string => {
  const name = INVISIBLE_NAMES[char]?.[1];
  return name === undefined ? codeOf(char) : `${name}, ${codeOf(char)}`;
};

/** The text in tag characters: letters that nobody sees and a model reads. */
const tagged = (run: readonly string[]): string =>
  run
    .map((char) => (char.codePointAt(0) ?? 0) - 0xe0000)
    .flatMap((code) => (code >= 0x20 && code < 0x7f ? [String.fromCodePoint(code)] : []))
    .join('');

function invisibleName(run: readonly string[]): { label: string; title: string } {
  const spelled = tagged(run);
  const hidden = spelled === '' ? '' : `: “${spelled}”`;
  if (run.length > NAMED_MAX)
    return {
      label: `${String(run.length)} hidden${hidden}`,
      title: `${String(run.length)} invisible characters${hidden}`,
    };
  return { label: run.map(labelOf).join(' '), title: `Invisible: ${run.map(titleOf).join('; ')}${hidden}` };
}
