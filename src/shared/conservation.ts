// Meaning of a report on how much of a record was read: its words for a person, and when it is a warning.
import type { Conservation } from './events/import.ts';

/** Below the first share of its text a record's import is a warning, below the second it is refused. */
const WARNED_BELOW = 0.9;
export const REFUSED_BELOW = 0.5;

/** Names an episode left out, or a file, because less than half of its text could be read. */
export const TOO_LITTLE = 'too_little_read';

const LABEL =
  /^(is_|has_)?(label|score|reward|rating|rank|chosen|rejected|evaluation|eval_result|verdict|success|outcome|preference|preferred|feedback|grade|judg(e)?ment|annotation|winner|correct|correctness|passed|resolved|utility|critique|reject|accept(ed)?)(s|_.*)?$|_(label|score|reward|rating|verdict|preference|feedback|grade|correct)s?$/i;

/** Names by which trainers' files say how much a reply trains; a `mask` says that it does not. */
export const TRAINING_MARKS: ReadonlySet<string> = new Set(
  'weight loss_weight train training trainable train_detail loss mask'.split(' '),
);
/** Names by which they say whether it is good. */
export const REPLY_LABELS: ReadonlySet<string> = new Set(['label', 'kto_tag']);

/** True if a name on the way to a value is that of a label, a score, a verdict or a mark of a reply. */
export const isLabelPath = (path: readonly (string | number)[]): boolean =>
  path.some((step) => typeof step === 'string' && (LABEL.test(step) || MARKS.has(step)));

const MARKS: ReadonlySet<string> = new Set([...TRAINING_MARKS, ...REPLY_LABELS]);

/** The share of the record's text that the episode holds, 0 to 1. */
export const keptShare = ({ characters, kept }: Conservation): number =>
  characters === 0 ? 1 : kept / characters;

/** True if so little was read, or of such meaning, that a person has to look. */
export const isWarning = (conservation: Conservation): boolean =>
  keptShare(conservation) < WARNED_BELOW || conservation.not_read.some(({ is_label: isLabel }) => isLabel);

const NAMED = 8;

/** In one line: `kept 98 % of the text; not read: chosen, rejected`. */
export function conservationWords(conservation: Conservation): string {
  const { not_read: unread, further } = conservation;
  // 99.9 % is not all of it.
  const percent = Math.floor(keptShare(conservation) * 100);
  const kept = `kept ${String(percent)} % of the text`;
  if (unread.length === 0) return kept;
  const names = unread.slice(0, NAMED).map(({ path }) => path);
  const others = unread.length - names.length;
  const more = others > 0 || further > 0 ? ' and more' : '';
  return `${kept}; not read: ${names.join(', ')}${more}`;
}
