// Giving a command another key: press it, see what it would be taken from, undo it. Kept in this browser.
import { RotateCcw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { resetKeys, setKey } from '../../state/choices.ts';
import { useConsole, useSession } from '../../state/hooks.ts';
import { keyRow, keyRows, SCOPES, type KeyId, type KeyScope } from '../../state/keys.ts';
import { chordsOf, keyConflicts, refusal } from '../../state/remap.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Kbd } from '../../ui/Kbd.tsx';
import * as styles from './KeySettings.module.css';
import { PressField } from './PressField.tsx';
import * as pageStyles from './SettingsView.module.css';

export function KeySettings(): ReactNode {
  const { store } = useSession();
  const changes = useConsole(({ ui }) => ui.keys);
  const [editing, setEditing] = useState<KeyId | null>(null);
  const changed = keyRows().filter(({ id }) => changes[id] !== undefined).length;
  return (
    <section className={pageStyles.section} aria-labelledby="keys-title">
      <div className={pageStyles.about}>
        <h2 id="keys-title" className={pageStyles.title}>
          Keys
        </h2>
        <p>Kept in this browser. Plain keys are off while you type.</p>
        {changed === 0 ? null : (
          <Button size="small" icon={<RotateCcw />} onClick={() => resetKeys(store)}>
            {`Reset all (${String(changed)} changed)`}
          </Button>
        )}
      </div>
      <div className={styles.groups}>
        {(Object.keys(SCOPES) as KeyScope[]).map((scope) => (
          <KeyGroup key={scope} scope={scope} editing={editing} onEdit={setEditing} />
        ))}
      </div>
    </section>
  );
}

type GroupProps = { scope: KeyScope; editing: KeyId | null; onEdit: (id: KeyId | null) => void };

function KeyGroup({ scope, editing, onEdit }: GroupProps): ReactNode {
  const rows = keyRows().filter(({ row }) => row.scope === scope);
  const { label } = SCOPES[scope];
  return (
    <details open={scope === 'everywhere'}>
      <summary className={styles.scope}>{label}</summary>
      <ul aria-label={`Keys: ${label}`}>
        {rows.map(({ id }) => (
          <ShortcutLine key={id} id={id} isEditing={editing === id} onEdit={onEdit} />
        ))}
      </ul>
    </details>
  );
}

function ShortcutLine({
  id,
  isEditing,
  onEdit,
}: {
  id: KeyId;
  isEditing: boolean;
  onEdit: (id: KeyId | null) => void;
}): ReactNode {
  const { store } = useSession();
  const changes = useConsole(({ ui }) => ui.keys);
  const { label } = keyRow(id);
  const chords = chordsOf(id, changes);
  return (
    <li className={styles.line}>
      <span className={styles.label}>{label}</span>
      {isEditing ? (
        <Editing id={id} onEnd={() => onEdit(null)} />
      ) : (
        <>
          <span className={styles.chords}>
            {chords.length === 0 ? <span className="quiet">no key</span> : null}
            {chords.map((chord) => (
              <Kbd key={chord} chord={chord} />
            ))}
          </span>
          <Button
            size="small"
            tone="quiet"
            aria-label={`Change the key: ${label}`}
            onClick={() => onEdit(id)}
          >
            Change
          </Button>
          {changes[id] === undefined ? null : (
            <IconButton
              label={`Reset the key: ${label}`}
              icon={<RotateCcw />}
              onClick={() => setKey(store, id, null)}
            />
          )}
        </>
      )}
    </li>
  );
}

/** One key being chosen. What it would collide with is said before anything is changed. */
function Editing({ id, onEnd }: { id: KeyId; onEnd: () => void }): ReactNode {
  const { store } = useSession();
  const changes = useConsole(({ ui }) => ui.keys);
  const [pressed, setPressed] = useState<string | null>(null);
  const refused = pressed === null ? null : refusal(pressed);
  const conflicts = pressed === null || refused !== null ? [] : keyConflicts(id, pressed, changes);
  const choose = (chord: string): void => {
    setPressed(chord);
    if (refusal(chord) !== null || keyConflicts(id, chord, changes).length > 0) return;
    setKey(store, id, chord);
    onEnd();
  };
  const take = (): void => {
    if (pressed === null) return;
    for (const other of conflicts) setKey(store, other, '');
    setKey(store, id, pressed);
    onEnd();
  };
  return (
    <div className={styles.editing}>
      <PressField label={`New key: ${keyRow(id).label}`} onChord={choose} onCancel={onEnd} />
      {pressed === null ? null : <Kbd chord={pressed} />}
      {refused === null ? null : (
        <p className={styles.problem} role="alert">
          {refused}
        </p>
      )}
      {conflicts.length === 0 ? null : (
        <p className={styles.problem} role="alert">
          {`Already the key of: ${conflicts.map((other) => keyLabel(other)).join('; ')}.`}{' '}
          <Button size="small" onClick={take}>
            Use it here instead
          </Button>
        </p>
      )}
      <Button size="small" tone="quiet" onClick={() => (setKey(store, id, ''), onEnd())}>
        No key
      </Button>
      <Button size="small" tone="quiet" onClick={onEnd}>
        Cancel
      </Button>
    </div>
  );
}

const keyLabel = (id: KeyId): string => `${keyRow(id).label} (${SCOPES[keyRow(id).scope].label})`;
