// The sheet of keys that `?` shows.
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { Dialog } from './Dialog.tsx';
import { Kbd } from './Kbd.tsx';
import * as styles from './KeySheet.module.css';

export type KeyGroup = {
  label: string;
  /** `isLive` when the key does something on this screen. */
  keys: readonly {
    id: string;
    label: string;
    chords: readonly string[];
    isLive: boolean;
    restsInPlan?: boolean;
  }[];
};

export function KeySheet({
  isOpen,
  onClose,
  groups,
}: {
  isOpen: boolean;
  onClose: () => void;
  groups: readonly KeyGroup[];
}): ReactNode {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Keys"
      description="Single keys are off while you type. Greyed-out keys do nothing on this screen."
      size="wide"
    >
      {/* In focus, so that the arrows and Page Down scroll the sheet. */}
      <div className={styles.columns} role="group" aria-label="All keys" tabIndex={0} data-first="">
        {groups.map((group) => (
          <section key={group.label} className={styles.group}>
            <h3 className={styles.label}>{group.label}</h3>
            <dl>
              {group.keys.map((key) => (
                <div key={key.id} className={cx(styles.row, !key.isLive && styles.isOff)}>
                  <dt>
                    {key.label}
                    {key.restsInPlan === true ? (
                      <span className="quiet"> (not from inside the plan)</span>
                    ) : null}
                    {key.isLive ? null : <span className="quiet-label"> (not on this screen)</span>}
                  </dt>
                  <dd className={styles.chords}>
                    {key.chords.length === 0 ? <span className="quiet">no key</span> : null}
                    {key.chords.map((chord) => (
                      <Kbd key={chord} chord={chord} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
