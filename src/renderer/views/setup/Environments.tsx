// The OpenEnv servers this console knows: add one, see whether it answers, take one away.
import { CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { kindOf } from '../../../shared/environmentKinds.ts';
import type { EnvironmentSpec } from '../../../shared/events/lifecycle.ts';
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
import { NamedLine, RemoveButton, SaveForm, Section, type FormField } from './form.tsx';
import * as styles from './Setup.module.css';

export function EnvironmentSettings(): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const { value: known, failure, again } = useAsk('environments.list', {});
  // What was just added is checked, under the name of that check.
  const [fresh, setFresh] = useState({ id: '', check: '' });
  const [opened, setOpened] = useState<string | null>(null);

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
            It is kept as a secret.
          </p>
        </>
      }
    >
      {failure === null ? null : <ErrorNote title="Could not read the environments" failure={failure} />}
      {known === null && failure === null ? <Skeleton rows={2} label="Reading the environments" /> : null}
      <ul className={styles.list}>
        {(known?.environments ?? []).map((environment) => (
          <EnvironmentLine
            key={environment.id === fresh.id ? fresh.check : environment.id}
            environment={environment}
            check={environment.id === fresh.id ? fresh.check : null}
            isOpen={environment.id === opened}
            onOpen={(isOpen) => setOpened(isOpen ? environment.id : null)}
            onRemove={() => void remove.run(environment)}
          />
        ))}
      </ul>
      <AwmData />
      <AddEnvironment
        onAdd={async (name, url) => {
          const { id } = await add(name, url);
          setFresh({ id, check: crypto.randomUUID() });
        }}
      />
    </Section>
  );
}

type EnvironmentLineProps = {
  environment: EnvironmentSpec;
  /** The name of a check that is to be made at once. */
  check: string | null;
  /** Whether its settings can be changed now: those of one at a time. */
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onRemove: () => void;
};

function EnvironmentLine({ environment, check, isOpen, onOpen, onRemove }: EnvironmentLineProps): ReactNode {
  const { name, url } = environment;
  const { badge, isPartOfProduct } = kindOf(environment);
  const audit = useEnvironmentAudit(environment.id);
  // An answer to a check that was given up is nobody's.
  const [asked, setAsked] = useState(check);
  const checked = useAsk('environments.check', asked === null ? null : { url }, {
    revision: asked ?? '',
    keepsPrevious: false,
  });
  const checkButton = useRef<HTMLButtonElement>(null);
  const auditButton = useRef<HTMLButtonElement>(null);
  const expectFocusOnCheck = useFocusAfterCancel(checkButton, !checked.isLoading);
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
          {isPartOfProduct ? null : <code className="one-line shrinks quiet">{url}</code>}
          {badge === null ? null : <Badge>{badge}</Badge>}
        </>
      }
      acts={
        <>
          <Button
            ref={checkButton}
            size="small"
            tone="quiet"
            isBusy={checked.isLoading}
            onClick={() => setAsked(crypto.randomUUID())}
          >
            Check
          </Button>
          {checked.isLoading ? (
            <Button
              size="small"
              aria-label={`Cancel the check of ${name}`}
              onClick={() => {
                expectFocusOnCheck();
                setAsked(null);
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
                onClick={audit.start}
              >
                Audit
              </Button>
              <Button
                size="small"
                tone="quiet"
                aria-label={`Change ${name}`}
                aria-expanded={isOpen}
                onClick={() => onOpen(!isOpen)}
              >
                Change
              </Button>
              <RemoveButton label={`Remove ${name}`} onRemove={onRemove} />
            </>
          )}
        </>
      }
    >
      {checked.failure === null || checked.isLoading ? null : (
        <ErrorNote title="It did not answer" failure={checked.failure} />
      )}
      {checked.value === null ? null : (
        <p className="row-2 good" role="status">
          <CircleCheck aria-hidden="true" />
          {[
            checked.value.name ?? 'An OpenEnv server',
            checked.value.scenarios === null
              ? 'lists no scenarios'
              : `${checked.value.scenarios.toLocaleString()} scenarios`,
            `answered in ${formatDuration(checked.value.latency_ms)}`,
          ].join(' · ')}
        </p>
      )}
      <EnvironmentAudit name={name} audit={{ ...audit, cancel: cancelAudit }} />
      <EnvironmentOverview id={environment.id} name={name} />
      {isPartOfProduct ? null : (
        <EnvironmentDetails environment={environment} isOpen={isOpen} onLeave={() => onOpen(false)} />
      )}
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

/** The Agent World Model's verifiers: their place, or why there are none. */
function AwmData(): ReactNode {
  const awm = useAsk('settings.read', { checks_awm: true }).value?.awm ?? null;
  if (awm === null) return null;
  const { data_folder: folder, data_problem: problem } = awm;
  return (
    <p className="quiet breaks">
      {problem === null
        ? `What each Agent World Model task’s verifier checks is read from ${folder}. The agent is never told.`
        : `Agent World Model: ${problem.message}. ${problem.next ?? ''}`}
    </p>
  );
}

const EMPTY = { url: '', name: '' };
const FIELDS: readonly FormField<typeof EMPTY>[] = [
  {
    name: 'url',
    label: 'Address',
    hint: 'Needed.',
    kind: 'url',
    placeholder: 'http://127.0.0.1:8899',
    isFirst: true,
  },
  { name: 'name', label: 'Name', hint: 'The address unless set.', maxLength: 80 },
];

type AddProps = { onAdd: (name: string, url: string) => Promise<void> };

function AddEnvironment({ onAdd }: AddProps): ReactNode {
  const [draft, setDraft] = useState(EMPTY);
  const [name, url] = [draft.name.trim(), draft.url.trim()];
  return (
    <SaveForm
      label="Add an environment"
      fields={FIELDS}
      draft={draft}
      onDraft={setDraft}
      isReady={url !== ''}
      onSave={async () => {
        // Added even when it is down just now: the note under its line says so, and a check that hangs is cancelled there.
        await onAdd(name === '' ? url : name, url);
        setDraft(EMPTY);
      }}
      saveLabel="Add"
      problem="Could not add it"
    />
  );
}
