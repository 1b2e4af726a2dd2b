// Owns: the OpenEnv servers this console knows: add one, see whether it answers, take one away.
import { CircleCheck, Trash2 } from 'lucide-react';
import { useCallback, useState, type FormEvent, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { EnvironmentSpec } from '../../../shared/events/lifecycle.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAnswer } from '../../state/useAnswer.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { formatDuration } from '../../ui/time.ts';
import styles from './SettingsView.module.css';

type Checked =
  | { isBusy: true }
  | { isBusy: false; found: Outputs['environments.check'] }
  | { isBusy: false; failure: FailureShape };

/** Asks addresses what they are, and keeps the newest answer of each. */
function useCheck() {
  const { call } = useSession();
  const [checked, setChecked] = useState<Readonly<Record<string, Checked>>>({});
  const check = useCallback(
    async (url: string): Promise<Outputs['environments.check'] | null> => {
      const note = (one: Checked): void => setChecked((old) => ({ ...old, [url]: one }));
      note({ isBusy: true });
      try {
        const found = await call('environments.check', { url });
        note({ isBusy: false, found });
        return found;
      } catch (thrown) {
        note({ isBusy: false, failure: failureShape(thrown) });
        return null;
      }
    },
    [call],
  );
  return { checked, check };
}

export function Environments(): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const {
    value: known,
    failure,
    again,
  } = useAnswer('environments', () => call('environments.list', {}).then(({ environments }) => environments));
  const { checked, check } = useCheck();

  const add = async (name: string, url: string): Promise<void> => {
    await call('environments.add', { name, url });
    again();
  };
  const sayWhy = (thrown: unknown): void =>
    toast({ tone: 'error', title: 'Could not change the environments', text: failureShape(thrown).message });
  const remove = async ({ id, name, url }: EnvironmentSpec): Promise<void> => {
    try {
      await call('environments.remove', { id });
      toast({
        tone: 'plain',
        title: `${name} removed`,
        action: { label: 'Undo', run: () => void add(name, url).catch(sayWhy) },
      });
    } catch (thrown) {
      sayWhy(thrown);
    }
    again();
  };
  return (
    <section className={styles['section']} aria-labelledby="environments-title">
      <div className={styles['about']}>
        <h2 id="environments-title" className={styles['title']}>
          Environments
        </h2>
        <p>OpenEnv servers that episodes can run in. What they offer shows when you start an episode.</p>
      </div>
      <div className={styles['fields']}>
        {failure === null ? null : <ErrorNote title="Could not read the environments" failure={failure} />}
        {known === null && failure === null ? <Skeleton rows={2} label="Reading the environments" /> : null}
        <ul className={styles['environments']}>
          {(known ?? []).map((environment) => (
            <EnvironmentLine
              key={environment.id}
              environment={environment}
              checked={checked[environment.url] ?? null}
              onCheck={() => void check(environment.url)}
              onRemove={() => void remove(environment)}
            />
          ))}
        </ul>
        <AddEnvironment onAdd={add} check={check} />
      </div>
    </section>
  );
}

type LineProps = {
  environment: EnvironmentSpec;
  checked: Checked | null;
  onCheck: () => void;
  onRemove: () => void;
};

function EnvironmentLine({ environment, checked, onCheck, onRemove }: LineProps): ReactNode {
  const { name, url, builtin } = environment;
  return (
    <li className={styles['environment']}>
      <div className={styles['environmentLine']}>
        <span className={styles['environmentName']}>{name}</span>
        {builtin ? <Badge>built in</Badge> : <code className={styles['url']}>{url}</code>}
        <span className={styles['gap']} />
        <Button size="small" tone="quiet" isBusy={checked?.isBusy === true} onClick={onCheck}>
          Check
        </Button>
        {builtin ? null : <IconButton label={`Remove ${name}`} icon={<Trash2 />} onClick={onRemove} />}
      </div>
      <CheckedNote checked={checked} />
    </li>
  );
}

function CheckedNote({ checked }: { checked: Checked | null }): ReactNode {
  if (checked === null || checked.isBusy) return null;
  if ('failure' in checked) return <ErrorNote title="It did not answer" failure={checked.failure} />;
  const { name, scenarios, latency_ms } = checked.found;
  const offers = scenarios === null ? 'lists no scenarios' : `${scenarios.toLocaleString()} scenarios`;
  return (
    <p className={styles['works']} role="status">
      <CircleCheck aria-hidden="true" />
      {[name ?? 'An OpenEnv server', offers, `answered in ${formatDuration(latency_ms)}`].join(' · ')}
    </p>
  );
}

type AddProps = {
  onAdd: (name: string, url: string) => Promise<void>;
  check: (url: string) => Promise<Outputs['environments.check'] | null>;
};

function AddEnvironment({ onAdd, check }: AddProps): ReactNode {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<FailureShape | null>(null);
  const submit = async (): Promise<void> => {
    setIsBusy(true);
    setFailure(null);
    try {
      await onAdd(name.trim() === '' ? url.trim() : name.trim(), url.trim());
      setName('');
      setUrl('');
      // Added even when it is down just now: the note under its line says so.
      await check(url.trim());
    } catch (thrown) {
      setFailure(failureShape(thrown));
    } finally {
      setIsBusy(false);
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (url.trim() !== '') void submit();
  };
  return (
    <form className={styles['add']} onSubmit={onSubmit}>
      <Field label="Address">
        <Input
          isMono
          inputMode="url"
          value={url}
          placeholder="http://127.0.0.1:8899"
          onChange={({ target }) => setUrl(target.value)}
        />
      </Field>
      <Field label="Name">
        <Input value={name} maxLength={80} onChange={({ target }) => setName(target.value)} />
      </Field>
      <Button type="submit" isDisabled={url.trim() === ''} isBusy={isBusy}>
        Add
      </Button>
      {failure === null ? null : (
        <div className={styles['addFailure']}>
          <ErrorNote title="Could not add it" failure={failure} />
        </div>
      )}
    </form>
  );
}
