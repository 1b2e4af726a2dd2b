// The keys that do something on this screen, as `?` shows them.
import { useState, type ReactNode } from 'react';
import { useConsole, useSession } from '../../state/hooks.ts';
import { chordsOf, KEY_GROUPS, keyRows, type KeyGroup } from '../../state/keys.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Kbd } from '../../ui/Kbd.tsx';
import * as styles from './KeySheet.module.css';

export function KeySheet({ onClose }: { onClose: () => void }): ReactNode {
  const { keyboard } = useSession();
  const hasPlainKeys = useConsole(({ ui }) => ui.prefs.plain_keys);
  const [bound] = useState(() => keyboard.bound());
  const rows = keyRows().filter(({ id }) => bound.has(id));
  const groups = (Object.keys(KEY_GROUPS) as KeyGroup[])
    .map((group) => ({ group, own: rows.filter(({ row }) => row.group === group) }))
    .filter(({ own }) => own.length > 0);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Keys of this screen"
      description="Single keys are off while you type."
      size="wide"
    >
      {/* In focus, so that the arrows and Page Down scroll the sheet. */}
      <div className={styles.columns} role="group" aria-label="Keys" tabIndex={0} data-first="">
        {groups.map(({ group, own }) => (
          <section key={group} className={styles.group}>
            <h3 className={styles.label}>{KEY_GROUPS[group]}</h3>
            <dl>
              {own.map(({ id, row }) => (
                <div key={id} className={styles.row}>
                  <dt>
                    {row.label}
                    {row.restsInPlan === true ? (
                      <span className="quiet"> (not from inside the plan)</span>
                    ) : null}
                  </dt>
                  <dd className={styles.chords}>
                    {hasPlainKeys || chordsOf(id, false).length > 0 ? null : (
                      <span className="quiet">no key</span>
                    )}
                    {chordsOf(id, hasPlainKeys).map((chord) => (
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
