// A text of any length, verbatim: folded with its size, shown page by page, never cut without a word. Whatever it
// says, it is drawn as text.
import { useState, type ReactNode } from 'react';
import type { Text } from '../../../shared/events/text.ts';
import { useText } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import * as styles from './LongText.module.css';
import { FOLD_CHARS, FOLD_LINES, formatBytes, formatSize, PAGE_CHARS, pageEnd } from './size.ts';
import { VisibleText } from './VisibleText.tsx';

type LongTextProps = {
  text: Text;
  /** Prose in the interface's type; otherwise mono, as data is. */
  isProse?: boolean;
  tone?: 'plain' | 'error';
};

export function LongText({ text, isProse = false, tone = 'plain' }: LongTextProps): ReactNode {
  const { text: loaded, isWhole, isLoading, failure, load } = useText(text);
  const [shown, setShown] = useState(0);
  const folded = pageEnd(loaded, FOLD_CHARS, FOLD_LINES);
  const end = shown === 0 ? folded : pageEnd(loaded, shown, Number.POSITIVE_INFINITY);
  const isAll = isWhole && end >= loaded.length;
  const more = (): void => {
    if (!isWhole) load();
    setShown((before) => (before === 0 ? PAGE_CHARS : before + PAGE_CHARS));
  };
  if (loaded === '' && isWhole) return <p className={styles.none}>Empty</p>;
  return (
    <div className="shrinks">
      <pre className={cx(styles.body, isProse && styles.prose, tone === 'error' && styles.error)}>
        <VisibleText text={loaded.slice(0, end)} />
        {isAll ? null : <span className="quiet">…</span>}
      </pre>
      {isAll && shown === 0 ? null : (
        <div className={styles.foot}>
          <span>{formatSize(text)}</span>
          {isAll ? null : (
            <Button size="small" tone="quiet" isBusy={isLoading} onClick={more}>
              {moreLabel(shown === 0, isWhole, loaded.length - end)}
            </Button>
          )}
          {shown === 0 ? null : (
            <Button size="small" tone="quiet" onClick={() => setShown(0)}>
              Fold
            </Button>
          )}
          {failure === null ? null : (
            <span className="bad" role="alert">
              Could not load the rest: {failure.message}
            </span>
          )}
        </div>
      )}
    </div>
  );
}

function moreLabel(isFolded: boolean, isWhole: boolean, left: number): string {
  if (!isWhole) return 'Keep reading';
  if (left <= PAGE_CHARS) return isFolded ? 'Show all' : 'Show the rest';
  return `Show ${formatBytes(PAGE_CHARS)} more`;
}
