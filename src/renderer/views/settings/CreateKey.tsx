// The form that makes a key.
import { useState, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { HOLD_DEFAULTS, HOLD_LIMIT_MIN_MS, Scope } from '../../../shared/contract/gateway.ts';
import { lengthText, readLength } from '../../../shared/lengthOfTime.ts';
import { ExecutesUndecided } from '../../parts/call/ExecutesUndecided.tsx';
import { useSession } from '../../state/hooks.ts';
import * as styles from './Keys.module.css';
import { Fields, SaveForm, type FormField } from './SettingsForm.tsx';

export type NewKey = { name: string; secret: string; opensConsole: boolean };

export const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
  tap: 'Environment',
  expert: 'Expert',
  mcp: 'MCP',
  console: 'Console',
};

const SCOPE_HINTS: Readonly<Record<Scope, string>> = {
  tap: 'plays one environment through the tap',
  expert: 'asks the expert at /v1',
  mcp: 'asks over MCP',
  console: 'opens this console as its owner',
};

/** A whole number of at least 1 from a field; null when empty, undefined when it is none. */
function wholeIn(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const value = Number(trimmed);
  return Number.isInteger(value) && value >= 1 ? value : undefined;
}

const HELD = { wait: lengthText(HOLD_DEFAULTS.hold_limit_ms), fallback: HOLD_DEFAULTS.hold_fallback };
type KeyDraft = Readonly<
  Record<'name' | 'environment' | 'perMinute' | 'atOnce' | 'wait' | 'fallback', string>
>;

const NAME_FIELD: FormField<KeyDraft> = {
  name: 'name',
  label: 'Create a key for',
  help: 'A name to recognise it by, such as the trainer, cluster or laptop.',
  maxLength: 80,
};

/** How long a call that comes by the key may wait for a person, and what becomes of it when nobody decides. */
const heldFields = (holdMs: number | null): readonly FormField<KeyDraft>[] => [
  {
    name: 'wait',
    label: 'A held call waits for',
    help: 'A standard client gives up after 60 seconds; wait longer only where yours does.',
    error: holdMs === null ? 'A length of time, such as 50 seconds or 3 days.' : null,
  },
  {
    name: 'fallback',
    label: 'When nobody decides',
    options: [
      { value: 'reject', label: 'It is not executed' },
      { value: 'approve', label: 'It is executed' },
    ],
  },
];

const limitField = (name: 'perMinute' | 'atOnce', label: string, text: string): FormField<KeyDraft> => ({
  name,
  label,
  kind: 'number',
  placeholder: 'no limit',
  error: wholeIn(text) === undefined ? 'A whole number from 1, or empty for no limit.' : null,
});

type CreateKeyProps = {
  environments: Outputs['environments.list']['environments'];
  onMade: (made: NewKey) => void;
};

export function CreateKey({ environments, onMade }: CreateKeyProps): ReactNode {
  const { call } = useSession();
  const [scopes, setScopes] = useState<readonly Scope[]>(['expert']);
  const [draft, setDraft] = useState<KeyDraft>({
    name: '',
    environment: environments[0]?.id ?? '',
    perMinute: '',
    atOnce: '',
    ...HELD,
  });
  const { name, environment, perMinute, atOnce, wait, fallback } = draft;
  const isTap = scopes.includes('tap');
  // A wait that is no length of time, or too short for anybody to decide in, is none.
  const length = readLength(wait);
  const holdMs = length === null || length < HOLD_LIMIT_MIN_MS ? null : length;
  const [minuteLimit, onceLimit] = [wholeIn(perMinute), wholeIn(atOnce)];
  const isReady =
    name.trim() !== '' &&
    scopes.length > 0 &&
    minuteLimit !== undefined &&
    onceLimit !== undefined &&
    (!isTap || holdMs !== null);
  const save = async (): Promise<void> => {
    const { key, secret } = await call('keys.create', {
      name: name.trim(),
      scopes: [...scopes],
      environment: isTap ? environment : null,
      per_minute: minuteLimit ?? null,
      at_once: onceLimit ?? null,
      ...(isTap && holdMs !== null
        ? { hold_limit_ms: holdMs, hold_fallback: fallback === 'approve' ? 'approve' : 'reject' }
        : {}),
    });
    // The next key is no choice of this one's.
    setDraft({ ...draft, name: '', ...HELD });
    onMade({ name: key.name, secret, opensConsole: key.scopes.includes('console') });
  };
  const fieldsProps = { draft, onDraft: setDraft };
  return (
    <SaveForm
      label="Create a key"
      className={styles.create}
      fields={[NAME_FIELD]}
      {...fieldsProps}
      isReady={isReady}
      onSave={save}
      saveLabel="Create the key"
      problem="Could not create it"
    >
      <fieldset className={styles.scopes}>
        <legend>Gives access to</legend>
        {Scope.options.map((scope) => (
          <label key={scope} className={styles.scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={({ target }) =>
                setScopes(target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
              }
            />
            <span>
              {SCOPE_LABELS[scope]} <span className="quiet">{SCOPE_HINTS[scope]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {isTap ? (
        <>
          <Fields
            fields={[
              {
                name: 'environment',
                label: 'In front of',
                options: environments.map((one) => ({ value: one.id, label: one.name })),
              },
            ]}
            {...fieldsProps}
          />
          <div className={styles.limits}>
            <Fields fields={heldFields(holdMs)} {...fieldsProps} />
          </div>
          {fallback === 'approve' ? (
            <p>
              <ExecutesUndecided />
            </p>
          ) : null}
        </>
      ) : null}
      <div className={styles.limits}>
        <Fields
          fields={[
            limitField('perMinute', 'Requests a minute', perMinute),
            limitField('atOnce', 'Simultaneous connections', atOnce),
          ]}
          {...fieldsProps}
        />
      </div>
    </SaveForm>
  );
}
