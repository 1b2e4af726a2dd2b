// The OpenEnv servers this console knows: add one, see whether it answers, take one away.
import { CircleCheck } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { kindOf } from '../../../shared/environmentKinds.ts';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { EnvironmentSpec } from '../../../shared/events/lifecycle.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { formatDuration } from '../../ui/time.ts';
import { EnvironmentOverview } from './EnvironmentOverview.tsx';
import { EnvironmentAudit, useEnvironmentAudit } from './EnvironmentAudit.tsx';
import { EnvironmentDetails } from './EnvironmentDetails.tsx';
import { NamedLine, RemoveButton, SaveForm, Section, type FormField } from './SettingsForm.tsx';
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
    <Section
      id="environments"
      title="Environments"
      about={
        <>
          <p>OpenEnv servers to run episodes in. Their scenarios appear when you start an episode.</p>
          <p>
            A private server’s token goes into its address, as the password of the user <code>bearer</code>.
            It is kept as a secret. Other headers are set under Connection.
          </p>
        </>
      }
    >
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
    </Section>
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
    <NamedLine
      name={name}
      detail={
        <>
          {isPartOfProduct ? null : <code className={styles.url}>{url}</code>}
          {badge === null ? null : <Badge>{badge}</Badge>}
        </>
      }
      acts={
        <>
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
            <>
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
              <RemoveButton label={`Remove ${name}`} onRemove={onRemove} />
            </>
          )}
        </>
      }
    >
      <CheckedNote checked={checked} />
      <EnvironmentAudit name={name} audit={{ ...audit, cancel: cancelAudit }} />
      <EnvironmentOverview id={environment.id} name={name} />
      {isPartOfProduct ? null : <EnvironmentDetails environment={environment} />}
    </NamedLine>
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

const EMPTY = { url: '', name: '' };
const FIELDS: readonly FormField<typeof EMPTY>[] = [
  { name: 'url', label: 'Address', kind: 'url', placeholder: 'http://127.0.0.1:8899', isFirst: true },
  { name: 'name', label: 'Name', maxLength: 80 },
];

function AddEnvironment({ onAdd, check }: AddProps): ReactNode {
  const [draft, setDraft] = useState(EMPTY);
  const [name, url] = [draft.name.trim(), draft.url.trim()];
  return (
    <SaveForm
      label="Add an environment"
      className={styles.add}
      fields={FIELDS}
      draft={draft}
      onDraft={setDraft}
      isReady={url !== ''}
      onSave={async () => {
        const added = await onAdd(name === '' ? url : name, url);
        setDraft(EMPTY);
        // Added even when it is down just now: the note under its line says so, and a check that hangs is cancelled there.
        // Under its address as it is kept now, which need not be the one that was typed.
        void check(added.url);
      }}
      saveLabel="Add"
      problem="Could not add it"
    />
  );
}
