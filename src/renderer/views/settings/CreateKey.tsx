// The form that makes a key.
import { useState, type FormEvent, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { HOLD_DEFAULTS, HOLD_LIMIT_MIN_MS, Scope } from '../../../shared/contract/gateway.ts';
import type { HoldFallback } from '../../../shared/events/gateway.ts';
import { lengthText, readLength } from '../../../shared/lengthOfTime.ts';
import { ExecutesUndecided } from '../../parts/call/ExecutesUndecided.tsx';
import { useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import type { NewKey } from './Keys.tsx';
import * as styles from './Keys.module.css';
import { SCOPE_HINTS, SCOPE_LABELS, wholeIn } from './gatewayLabels.ts';
import * as section from './SettingsView.module.css';

type CreateProps = {
  environments: Outputs['environments.list']['environments'];
  onMade: (made: NewKey) => void;
};

const NOT_WHOLE = 'A whole number from 1, or empty for no limit.';

export function CreateKey({ environments, onMade }: CreateProps): ReactNode {
  const { call } = useSession();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['expert']);
  const [environment, setEnvironment] = useState(environments[0]?.id ?? '');
  const [perMinute, setPerMinute] = useState('');
  const [atOnce, setAtOnce] = useState('');
  const [wait, setWait] = useState(lengthText(HOLD_DEFAULTS.hold_limit_ms));
  const [fallback, setFallback] = useState<HoldFallback>(HOLD_DEFAULTS.hold_fallback);
  const hold = holdOf(wait, fallback);
  const isTap = scopes.includes('tap');
  const [minuteLimit, onceLimit] = [wholeIn(perMinute), wholeIn(atOnce)];
  const isReady =
    name.trim() !== '' &&
    scopes.length > 0 &&
    minuteLimit !== undefined &&
    onceLimit !== undefined &&
    (!isTap || hold !== null);

  const { isBusy, failure, run } = useAct(async () => {
    const { key, secret } = await call('keys.create', {
      name: name.trim(),
      scopes: [...scopes],
      environment: isTap ? environment : null,
      per_minute: minuteLimit ?? null,
      at_once: onceLimit ?? null,
      ...(isTap ? hold : {}),
    });
    setName('');
    // The next key is no choice of this one's.
    setWait(lengthText(HOLD_DEFAULTS.hold_limit_ms));
    setFallback(HOLD_DEFAULTS.hold_fallback);
    onMade({ name: key.name, secret, opensConsole: key.scopes.includes('console') });
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) void run();
  };
  return (
    <form className={styles.create} onSubmit={onSubmit} aria-label="Create a key">
      <Field
        label="Create a key for"
        help="A name to recognise it by, such as the trainer, cluster or laptop."
      >
        <Input value={name} maxLength={80} onChange={({ target }) => setName(target.value)} />
      </Field>
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
              {SCOPE_LABELS[scope]} <span className={styles.quiet}>{SCOPE_HINTS[scope]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {isTap ? (
        <>
          <Field label="In front of">
            <Select
              value={environment}
              options={environments.map((one) => ({ value: one.id, label: one.name }))}
              onChoose={setEnvironment}
            />
          </Field>
          <HeldCalls wait={wait} setWait={setWait} fallback={fallback} setFallback={setFallback} />
        </>
      ) : null}
      <div className={styles.limits}>
        <Field label="Requests a minute" error={minuteLimit === undefined ? NOT_WHOLE : null}>
          <Input
            inputMode="numeric"
            placeholder="no limit"
            value={perMinute}
            onChange={({ target }) => setPerMinute(target.value)}
          />
        </Field>
        <Field label="Simultaneous connections" error={onceLimit === undefined ? NOT_WHOLE : null}>
          <Input
            inputMode="numeric"
            placeholder="no limit"
            value={atOnce}
            onChange={({ target }) => setAtOnce(target.value)}
          />
        </Field>
      </div>
      <div className={section.actions}>
        <Button type="submit" isDisabled={!isReady} isBusy={isBusy}>
          Create the key
        </Button>
      </div>
      {failure === null ? null : <ErrorNote title="Could not create it" failure={failure} />}
    </form>
  );
}

/** Null for a wait that is no length of time, or too short for anybody to decide in. */
function holdOf(wait: string, hold_fallback: HoldFallback) {
  const hold_limit_ms = readLength(wait);
  return hold_limit_ms === null || hold_limit_ms < HOLD_LIMIT_MIN_MS
    ? null
    : { hold_limit_ms, hold_fallback };
}

const FALLBACKS = [
  { value: 'reject', label: 'It is not executed' },
  { value: 'approve', label: 'It is executed' },
] as const;

type HeldCallsProps = {
  wait: string;
  setWait: (wait: string) => void;
  fallback: HoldFallback;
  setFallback: (fallback: HoldFallback) => void;
};

/** How long a call that comes by the key may wait for a person, and what becomes of it when nobody decides. */
function HeldCalls({ wait, setWait, fallback, setFallback }: HeldCallsProps): ReactNode {
  return (
    <>
      <div className={styles.limits}>
        <Field
          label="A held call waits for"
          help="A standard client gives up after 60 seconds; wait longer only where yours does."
          error={holdOf(wait, fallback) === null ? 'A length of time, such as 50 seconds or 3 days.' : null}
        >
          <Input value={wait} onChange={({ target }) => setWait(target.value)} />
        </Field>
        <Field label="When nobody decides">
          <Select value={fallback} options={FALLBACKS} onChoose={setFallback} />
        </Field>
      </div>
      {fallback === 'approve' ? (
        <p>
          <ExecutesUndecided />
        </p>
      ) : null}
    </>
  );
}
