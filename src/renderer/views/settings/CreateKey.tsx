// Owns: the form that makes a key.
import { useState, type FormEvent, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { Scope } from '../../../shared/contract/gateway.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import type { Made } from './Keys.tsx';
import styles from './Keys.module.css';
import { SCOPE_HINTS, SCOPE_LABELS, wholeIn } from './keyWords.ts';
import section from './SettingsView.module.css';

type CreateProps = {
  environments: Outputs['environments.list']['environments'];
  onMade: (made: Made) => void;
};

const NOT_WHOLE = 'A whole number of at least 1, or nothing for no limit.';

export function CreateKey({ environments, onMade }: CreateProps): ReactNode {
  const { call } = useSession();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['expert']);
  const [environment, setEnvironment] = useState(environments[0]?.id ?? '');
  const [perMinute, setPerMinute] = useState('');
  const [atOnce, setAtOnce] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<FailureShape | null>(null);
  const [minuteLimit, onceLimit] = [wholeIn(perMinute), wholeIn(atOnce)];
  const isReady =
    name.trim() !== '' && scopes.length > 0 && minuteLimit !== undefined && onceLimit !== undefined;

  const submit = async (): Promise<void> => {
    setIsBusy(true);
    setFailure(null);
    try {
      const { key, secret } = await call('keys.create', {
        name: name.trim(),
        scopes: [...scopes],
        environment: scopes.includes('tap') ? environment : null,
        per_minute: minuteLimit ?? null,
        at_once: onceLimit ?? null,
      });
      setName('');
      onMade({ name: key.name, secret, opensConsole: key.scopes.includes('console') });
    } catch (thrown) {
      setFailure(failureShape(thrown));
    } finally {
      setIsBusy(false);
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) void submit();
  };
  return (
    <form className={styles['create']} onSubmit={onSubmit} aria-label="Make a key">
      <Field label="Make a key for" hint="A name to know it by: the trainer, the cluster, the laptop.">
        <Input value={name} maxLength={80} onChange={({ target }) => setName(target.value)} />
      </Field>
      <fieldset className={styles['scopes']}>
        <legend>It opens</legend>
        {Scope.options.map((scope) => (
          <label key={scope} className={styles['scope']}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={({ target }) =>
                setScopes(target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
              }
            />
            <span>
              {SCOPE_LABELS[scope]} <span className={styles['quiet']}>{SCOPE_HINTS[scope]}</span>
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
      <div className={styles['limits']}>
        <Field label="Requests a minute" error={minuteLimit === undefined ? NOT_WHOLE : null}>
          <Input
            inputMode="numeric"
            placeholder="no limit"
            value={perMinute}
            onChange={({ target }) => setPerMinute(target.value)}
          />
        </Field>
        <Field label="Open at once" error={onceLimit === undefined ? NOT_WHOLE : null}>
          <Input
            inputMode="numeric"
            placeholder="no limit"
            value={atOnce}
            onChange={({ target }) => setAtOnce(target.value)}
          />
        </Field>
      </div>
      <div className={section['actions']}>
        <Button type="submit" isDisabled={!isReady} isBusy={isBusy}>
          Make the key
        </Button>
      </div>
      {failure === null ? null : <ErrorNote title="Could not make it" failure={failure} />}
    </form>
  );
}
