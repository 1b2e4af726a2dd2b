// The form that makes a key.
import { useState, type FormEvent, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { Scope } from '../../../shared/contract/gateway.ts';
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
  const [minuteLimit, onceLimit] = [wholeIn(perMinute), wholeIn(atOnce)];
  const isReady =
    name.trim() !== '' && scopes.length > 0 && minuteLimit !== undefined && onceLimit !== undefined;

  const { isBusy, failure, run } = useAct(async () => {
    const { key, secret } = await call('keys.create', {
      name: name.trim(),
      scopes: [...scopes],
      environment: scopes.includes('tap') ? environment : null,
      per_minute: minuteLimit ?? null,
      at_once: onceLimit ?? null,
    });
    setName('');
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
      {scopes.includes('tap') ? (
        <Field label="In front of">
          <Select
            value={environment}
            options={environments.map((one) => ({ value: one.id, label: one.name }))}
            onChoose={setEnvironment}
          />
        </Field>
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
