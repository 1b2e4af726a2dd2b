// The form that makes a key.
import { useState, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { HOLD_DEFAULTS, HOLD_LIMIT_MIN_MS, Scope } from '../../../shared/contract/gateway.ts';
import { lengthText, readLength } from '../../../shared/lengthOfTime.ts';
import { ExecutesUndecided } from '../../parts/call/ExecutesUndecided.tsx';
import { useSession } from '../../state/hooks.ts';
import { Fields, SaveForm, type FormField } from './form.tsx';
import * as styles from './Setup.module.css';

export type NewKey = { name: string; secret: string; opensConsole: boolean };

export const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
  tap: 'Environment',
  expert: 'Expert',
  mcp: 'MCP',
  console: 'Console',
};

const ACCESS = [
  { value: 'expert', label: 'The expert, at /v1' },
  { value: 'tap', label: 'One environment, through the tap' },
  { value: 'mcp', label: 'The expert, over MCP' },
  { value: 'tap expert mcp', label: 'One environment, the expert and MCP' },
  { value: 'console', label: 'This console, as its owner' },
] as const;

/** A whole number of at least 1 from a field; null when empty, undefined when it is none. */
function wholeIn(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const value = Number(trimmed);
  return Number.isInteger(value) && value >= 1 ? value : undefined;
}

const HELD = { wait: lengthText(HOLD_DEFAULTS.hold_limit_ms), fallback: HOLD_DEFAULTS.hold_fallback };
type KeyDraft = Readonly<
  Record<'name' | 'access' | 'environment' | 'perMinute' | 'atOnce' | 'wait' | 'fallback', string>
>;

const FIELDS: readonly FormField<KeyDraft>[] = [
  {
    name: 'name',
    label: 'Create a key for',
    hint: 'Needed: a name to recognise it by, such as cluster or laptop.',
    maxLength: 80,
  },
  { name: 'access', label: 'Gives access to', hint: 'The expert unless set.', options: ACCESS },
];

/** The wait of a call that comes by the key, and its fallback when nobody decides. */
const heldFields = (holdMs: number | null): readonly FormField<KeyDraft>[] => [
  {
    name: 'wait',
    label: 'A held call waits for',
    hint: `${lengthText(HOLD_DEFAULTS.hold_limit_ms)} unless set.`,
    help: 'A standard client gives up after 60 seconds; wait longer only where yours does.',
    error: holdMs === null ? 'A length of time, such as 50 seconds or 3 days.' : null,
  },
  {
    name: 'fallback',
    label: 'When nobody decides',
    hint: 'It is not executed unless set.',
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
  hint: 'No limit unless set.',
  error: wholeIn(text) === undefined ? 'A whole number from 1, or empty for no limit.' : null,
});

type CreateKeyProps = {
  environments: Outputs['environments.list']['environments'];
  onMade: (made: NewKey) => void;
};

export function CreateKey({ environments, onMade }: CreateKeyProps): ReactNode {
  const { call } = useSession();
  const [draft, setDraft] = useState<KeyDraft>({
    name: '',
    access: ACCESS[0].value,
    environment: environments[0]?.id ?? '',
    perMinute: '',
    atOnce: '',
    ...HELD,
  });
  const { name, environment, perMinute, atOnce, wait, fallback } = draft;
  const scopes = Scope.array().parse(draft.access.split(' '));
  const isTap = scopes.includes('tap');
  // A wait that is no length of time, or too short for anybody to decide in, is none.
  const length = readLength(wait);
  const holdMs = length === null || length < HOLD_LIMIT_MIN_MS ? null : length;
  const [minuteLimit, onceLimit] = [wholeIn(perMinute), wholeIn(atOnce)];
  const isReady =
    name.trim() !== '' && minuteLimit !== undefined && onceLimit !== undefined && (!isTap || holdMs !== null);
  const save = async (): Promise<void> => {
    const { key, secret } = await call('keys.create', {
      name: name.trim(),
      scopes,
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
      fields={FIELDS}
      {...fieldsProps}
      isReady={isReady}
      onSave={save}
      saveLabel="Create the key"
      problem="Could not create it"
    >
      {isTap ? (
        <>
          <Fields
            fields={[
              {
                name: 'environment',
                label: 'In front of',
                hint: 'The first environment unless set.',
                options: environments.map((one) => ({ value: one.id, label: one.name })),
              },
              ...heldFields(holdMs),
            ]}
            {...fieldsProps}
          />
          {fallback === 'approve' ? (
            <p className={styles.wholeRow}>
              <ExecutesUndecided />
            </p>
          ) : null}
        </>
      ) : null}
      <Fields
        fields={[
          limitField('perMinute', 'Requests a minute', perMinute),
          limitField('atOnce', 'Simultaneous connections', atOnce),
        ]}
        {...fieldsProps}
      />
    </SaveForm>
  );
}
