// The OpenEnv servers this console knows: add one, see whether it answers, take one away.
import { CircleCheck, Trash2 } from 'lucide-react';
import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type FormEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { kindOf } from '../../../shared/environmentKinds.ts';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { EnvironmentSpec } from '../../../shared/events/lifecycle.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { formatDuration } from '../../ui/time.ts';
import { EnvironmentConnection } from './EnvironmentConnection.tsx';
import { EnvironmentOverview } from './EnvironmentOverview.tsx';
import { EnvironmentTries } from './EnvironmentTries.tsx';
import { EnvironmentVerifier } from './EnvironmentVerifier.tsx';
import { EnvironmentText } from './EnvironmentText.tsx';
import { EnvironmentAudit } from './EnvironmentAudit.tsx';
import { useEnvironmentAudit } from './useEnvironmentAudit.ts';
import * as styles from './SettingsView.module.css';

type EnvironmentCheck =
  | { isBusy: true }
  | { isBusy: false; found: Outputs['environments.check'] }
  | { isBusy: false; failure: FailureShape };

/** Asks addresses what they are, and keeps the newest answer of each. Of one that is given up, the answer is dropped. */
function useEnvironmentCheck() {
  const { call } = useSession();
  const [checked, setChecked] = useState<Readonly<Record<string, EnvironmentCheck | null>>>({});
  const newest = useRef(new Map<string, symbol>());
  const note = useCallback(
    (url: string, one: EnvironmentCheck | null): void => setChecked((old) => ({ ...old, [url]: one })),
    [],
  );
  const check = useCallback(
    async (url: string): Promise<void> => {
      const asked = Symbol(url);
      newest.current.set(url, asked);
      note(url, { isBusy: true });
      const answer = await call('environments.check', { url }).then(
        (found) => ({ isBusy: false, found }) as const,
        (thrown: unknown) => ({ isBusy: false, failure: failureShape(thrown) }) as const,
      );
      if (newest.current.get(url) === asked) note(url, answer);
    },
    [call, note],
  );
  const giveUp = useCallback(
    (url: string): void => {
      newest.current.delete(url);
      note(url, null);
    },
    [note],
  );
  return { checked, check, giveUp };
}

export function EnvironmentSettings(): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const { value: known, failure, again } = useAsk('environments.list', {});
  const { checked, check, giveUp } = useEnvironmentCheck();

  const add = async (name: string, url: string): Promise<EnvironmentSpec> => {
    const added = await call('environments.add', { name, url });
    again();
    return added;
  };
  const bringBack = useAct(add, 'Could not change the environments');
  const remove = useAct(async ({ id, name, url }: EnvironmentSpec) => {
    await call('environments.remove', { id }).finally(again);
    toast({
      tone: 'plain',
      title: `${name} removed`,
      action: { label: 'Undo', run: () => void bringBack.run(name, url) },
    });
  }, 'Could not change the environments');
  return (
    <section className={styles.section} aria-labelledby="environments-title">
      <div className={styles.about}>
        <h2 id="environments-title" className={styles.title}>
          Environments
        </h2>
        <p>OpenEnv servers to run episodes in. Their scenarios appear when you start an episode.</p>
        <p>
          A private server’s token goes into its address, as the password of the user <code>bearer</code>. It
          is kept as a secret. Other headers are set under Connection.
        </p>
      </div>
      <div className={styles.fields}>
        {failure === null ? null : <ErrorNote title="Could not read the environments" failure={failure} />}
        {known === null && failure === null ? <Skeleton rows={2} label="Reading the environments" /> : null}
        <ul className={styles.environments}>
          {(known?.environments ?? []).map((environment) => (
            <EnvironmentLine
              key={environment.id}
              environment={environment}
              checked={checked[environment.url] ?? null}
              onCheck={() => void check(environment.url)}
              onGiveUp={() => giveUp(environment.url)}
              onRemove={() => void remove.run(environment)}
            />
          ))}
        </ul>
        <AddEnvironment onAdd={add} check={check} />
      </div>
    </section>
  );
}

type EnvironmentLineProps = {
  environment: EnvironmentSpec;
  checked: EnvironmentCheck | null;
  onCheck: () => void;
  onGiveUp: () => void;
  onRemove: () => void;
};

function EnvironmentLine({
  environment,
  checked,
  onCheck,
  onGiveUp,
  onRemove,
}: EnvironmentLineProps): ReactNode {
  const { name, url } = environment;
  const { badge, isPartOfProduct } = kindOf(environment);
  const audit = useEnvironmentAudit(environment.id);
  const checkButton = useRef<HTMLButtonElement>(null);
  const auditButton = useRef<HTMLButtonElement>(null);
  const expectFocusOnCheck = useFocusAfterCancel(checkButton, checked?.isBusy !== true);
  const expectFocusOnAudit = useFocusAfterCancel(auditButton, audit.progress === null);
  const cancelAudit = (): void => {
    expectFocusOnAudit();
    audit.cancel();
  };
  return (
    <li className={styles.environment}>
      <div className={styles.environmentLine}>
        <span className={styles.environmentName}>{name}</span>
        {isPartOfProduct ? null : <code className={styles.url}>{url}</code>}
        {badge === null ? null : <Badge>{badge}</Badge>}
        <span className={styles.gap} />
        <Button
          ref={checkButton}
          size="small"
          tone="quiet"
          isBusy={checked?.isBusy === true}
          onClick={onCheck}
        >
          Check
        </Button>
        {checked?.isBusy === true ? (
          <Button
            size="small"
            aria-label={`Cancel the check of ${name}`}
            onClick={() => {
              expectFocusOnCheck();
              onGiveUp();
            }}
          >
            Cancel
          </Button>
        ) : null}
        {isPartOfProduct ? null : (
          <Button
            ref={auditButton}
            size="small"
            tone="quiet"
            isBusy={audit.progress !== null}
            title="Tries sessions of its own: reset, steps, seeds, sessions at once, close"
            onClick={() => void audit.start()}
          >
            Audit
          </Button>
        )}
        {isPartOfProduct ? null : (
          <IconButton label={`Remove ${name}`} icon={<Trash2 />} onClick={onRemove} />
        )}
      </div>
      <CheckedNote checked={checked} />
      <EnvironmentAudit name={name} audit={{ ...audit, cancel: cancelAudit }} />
      <EnvironmentOverview id={environment.id} name={name} />
      {isPartOfProduct ? null : <EnvironmentText environment={environment} />}
      {isPartOfProduct ? null : <EnvironmentVerifier id={environment.id} />}
      {isPartOfProduct ? null : <EnvironmentTries id={environment.id} />}
      {isPartOfProduct ? null : <EnvironmentConnection environment={environment} />}
    </li>
  );
}

/** The button that began what is cancelled gets the focus that Cancel had, as soon as it can be pressed again. */
function useFocusAfterCancel(button: RefObject<HTMLButtonElement | null>, isFree: boolean): () => void {
  const isCancelled = useRef(false);
  useEffect(() => {
    if (!isFree || !isCancelled.current) return;
    isCancelled.current = false;
    if (document.activeElement === document.body) button.current?.focus();
  }, [button, isFree]);
  return () => {
    isCancelled.current = true;
  };
}

function CheckedNote({ checked }: { checked: EnvironmentCheck | null }): ReactNode {
  if (checked === null || checked.isBusy) return null;
  if ('failure' in checked) return <ErrorNote title="It did not answer" failure={checked.failure} />;
  const { name, scenarios, latency_ms } = checked.found;
  const offers = scenarios === null ? 'lists no scenarios' : `${scenarios.toLocaleString()} scenarios`;
  return (
    <p className={styles.works} role="status">
      <CircleCheck aria-hidden="true" />
      {[name ?? 'An OpenEnv server', offers, `answered in ${formatDuration(latency_ms)}`].join(' · ')}
    </p>
  );
}

type AddProps = {
  onAdd: (name: string, url: string) => Promise<EnvironmentSpec>;
  check: (url: string) => Promise<void>;
};

function AddEnvironment({ onAdd, check }: AddProps): ReactNode {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const { isBusy, failure, run } = useAct(async () => {
    const added = await onAdd(name.trim() === '' ? url.trim() : name.trim(), url.trim());
    setName('');
    setUrl('');
    // Added even when it is down just now: the note under its line says so, and a check that hangs is cancelled there.
    // Under its address as it is kept now, which need not be the one that was typed.
    void check(added.url);
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (url.trim() !== '') void run();
  };
  return (
    <form className={styles.add} onSubmit={onSubmit}>
      <Field label="Address">
        <Input
          isMono
          inputMode="url"
          value={url}
          data-first=""
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
        <div className={styles.addFailure}>
          <ErrorNote title="Could not add it" failure={failure} />
        </div>
      )}
    </form>
  );
}
