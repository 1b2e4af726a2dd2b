// The differences of two texts, marked by signs and lines as well as by colour.
import { type ReactNode, useMemo } from 'react';
import { diffLines, diffWordsWithSpace } from 'diff';
import * as styles from './DiffText.module.css';
import { VisibleText } from './VisibleText.tsx';

type DiffTextProps = { before: string; after: string; label: string };

export function DiffText({ before, after, label }: DiffTextProps): ReactNode {
  const diff = useMemo(() => diffTexts(before, after), [before, after]);
  const isSame = diff.removed === 0 && diff.added === 0;
  return (
    <figure className="shrinks" aria-label={label}>
      <figcaption className="quiet tiny">
        {isSame ? 'No difference' : `${String(diff.removed)} characters removed, ${String(diff.added)} added`}
        {diff.isExact ? '' : ' (too different to compare in detail)'}
      </figcaption>
      <pre className={styles.body}>
        {diff.parts.map((part, index) => (
          <DiffSegment key={`${part.type}${String(index)}`} part={part} />
        ))}
      </pre>
    </figure>
  );
}

function DiffSegment({ part }: { part: DiffPart }): ReactNode {
  if (part.type === 'same')
    return (
      <span>
        <VisibleText text={part.text} />
      </span>
    );
  return part.type === 'removed' ? (
    <del className={styles.removed}>
      <span className="quiet-label">removed: </span>
      <VisibleText text={part.text} />
    </del>
  ) : (
    <ins className={styles.added}>
      <span className="quiet-label">added: </span>
      <VisibleText text={part.text} />
    </ins>
  );
}

type DiffPart = { type: 'same' | 'removed' | 'added'; text: string };
type Diff = {
  parts: DiffPart[];
  /** False when the texts differ too much to be compared in time: then one stands struck above the other. */
  isExact: boolean;
  removed: number;
  added: number;
};

const LINES_MS = 250;
const WORDS_MS = 60;
/** A changed stretch longer than this is shown by lines only. */
const DIFF_WORDS_MAX = 20_000;

/** The changes that lead from `before` to `after`. */
export function diffTexts(before: string, after: string): Diff {
  const lines = diffLines(before, after, { timeout: LINES_MS });
  if (lines === undefined) {
    return summed(
      [
        { type: 'removed', text: before },
        { type: 'added', text: after },
      ],
      false,
    );
  }
  const parts: DiffPart[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [line, next] = [lines[at], lines[at + 1]];
    if (line === undefined) continue;
    if (line.removed && next?.added === true) {
      parts.push(...diffStretch(line.value, next.value));
      at += 1;
    } else parts.push({ type: line.removed ? 'removed' : line.added ? 'added' : 'same', text: line.value });
  }
  return summed(joined(parts), true);
}

function diffStretch(before: string, after: string): DiffPart[] {
  const whole: DiffPart[] = [
    { type: 'removed', text: before },
    { type: 'added', text: after },
  ];
  if (before.length + after.length > DIFF_WORDS_MAX) return whole;
  const words = diffWordsWithSpace(before, after, { timeout: WORDS_MS });
  if (words === undefined) return whole;
  const same = words.filter((word) => !word.added && !word.removed);
  const kept = same.reduce((sum, word) => sum + word.value.length, 0);
  // Mostly different lines read better whole than as a mosaic.
  if (kept * 3 < Math.min(before.length, after.length)) return whole;
  return words.map((word) => ({
    type: word.removed ? 'removed' : word.added ? 'added' : 'same',
    text: word.value,
  }));
}

function joined(parts: readonly DiffPart[]): DiffPart[] {
  const result: DiffPart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (part.text === '') continue;
    if (last?.type === part.type) last.text += part.text;
    else result.push({ ...part });
  }
  return result;
}

function summed(parts: DiffPart[], isExact: boolean): Diff {
  const length = (type: DiffPart['type']): number =>
    parts.reduce((sum, part) => sum + (part.type === type ? part.text.length : 0), 0);
  return { parts, isExact, removed: length('removed'), added: length('added') };
}
