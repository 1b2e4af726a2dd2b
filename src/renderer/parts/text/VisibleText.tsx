// A text in which no character hides: those that cannot be seen carry a mark. The text stays what it is, to read and to copy.
import type { ReactNode } from 'react';
import { stretches } from '../../../shared/invisible.ts';
import * as styles from './VisibleText.module.css';

export function VisibleText({ text }: { text: string }): ReactNode {
  const found = stretches(text);
  if (found.every(({ mark }) => mark === null)) return text;
  return found.map((stretch, index) =>
    stretch.mark === null ? (
      stretch.text
    ) : (
      // Stretches of a text have no other name than their place.
      // oxlint-disable-next-line react/no-array-index-key
      <span key={index} className={styles.mark} data-mark={stretch.mark.label} title={stretch.mark.title}>
        {stretch.text}
      </span>
    ),
  );
}
