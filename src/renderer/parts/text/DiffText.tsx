// What changed between two texts, marked by signs and lines as well as by colour.
import { useMemo, type ReactNode } from 'react';
import { diffTexts, type DiffPart } from './diff.ts';
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
