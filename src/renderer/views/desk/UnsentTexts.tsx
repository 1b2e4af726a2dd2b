// Texts whose question was closed before they were sent: only the person copies or discards them.
import { CornerDownRight, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Unsent } from '../../parts/advice/unsent.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import * as styles from './DeskList.module.css';

type UnsentTextsProps = {
  unsent: readonly Unsent[];
  onDiscard: (id: string) => void;
  /** Puts the text into the answer in front; null where none is, or where one is already written. */
  onUse: ((unsent: Unsent) => void) | null;
};

export function UnsentTexts({ unsent, onDiscard, onUse }: UnsentTextsProps): ReactNode {
  if (unsent.length === 0) return null;
  return (
    <section className={styles.unsent} aria-label="Unsent text">
      <h2 className={styles.head}>Unsent text</h2>
      <p className={styles.none}>Their questions closed before you sent them.</p>
      <ul>
        {unsent.map(({ id, text }) => (
          <li key={id} className={styles.kept}>
            <span className={styles.keptText} title={text}>
              {text}
            </span>
            {onUse === null || id.endsWith(':reason') ? null : (
              <IconButton
                label="Use this text for the open question"
                icon={<CornerDownRight />}
                onClick={() => onUse({ id, text })}
              />
            )}
            <CopyButton label="Copy this text" text={text} />
            <IconButton label="Discard this text" icon={<Trash2 />} onClick={() => onDiscard(id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
