// Building blocks of the setup: a section over the one settings document, a form of declared fields, a list with what
// can be taken away, and a secret that is shown once.
import { Trash2 } from 'lucide-react';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import type { Inputs, Outputs } from '../../../shared/contract/contract.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select, Textarea } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import * as styles from './Setup.module.css';

export type Settings = Outputs['settings.read'];
/** Changes a part of the settings, and answers with what is in force then. */
export type ChangeSettings = (patch: Inputs['settings.change']) => Promise<Settings>;

type SectionProps = { id: string; title: string; about?: ReactNode; children: ReactNode };

export const Section = ({ id, title, about = null, children }: SectionProps): ReactNode => (
  <section className={styles.section} aria-labelledby={`${id}-title`}>
    <div className={styles.about}>
      <h2 id={`${id}-title`} className={styles.title}>
        {title}
      </h2>
      {typeof about === 'string' ? <p>{about}</p> : about}
    </div>
    <div className={styles.fields}>{children}</div>
  </section>
);

type SettingsSectionProps = Omit<SectionProps, 'children'> & {
  input?: Inputs['settings.read'];
  children: (settings: Settings, change: ChangeSettings) => ReactNode;
};

export function SettingsSection({ input = {}, children, ...section }: SettingsSectionProps): ReactNode {
  const { call, refreshApp } = useSession();
  const { value, failure, again, replace } = useAsk('settings.read', input);
  const change: ChangeSettings = async (patch) => {
    const now = await call('settings.change', patch);
    replace(now);
    refreshApp();
    return now;
  };
  return (
    <Section {...section}>
      {failure === null ? null : (
        <ErrorNote title="Could not read the settings" failure={failure} again={again} />
      )}
      {value === null && failure === null ? <Skeleton rows={3} label="Reading the settings" /> : null}
      {value === null ? null : children(value, change)}
    </Section>
  );
}

export type FormField<D> = {
  name: keyof D & string;
  label: string;
  hint?: string | undefined;
  help?: string | undefined;
  error?: string | null;
  /** Plain text without. */
  kind?: 'mono' | 'url' | 'secret' | 'number' | 'area' | 'code';
  options?: readonly { value: string; label: string }[];
  placeholder?: string;
  maxLength?: number;
  /** Has the focus where the section is opened for it. */
  isFirst?: boolean;
};

const INPUTS = {
  mono: { isMono: true },
  url: { isMono: true, inputMode: 'url' },
  secret: { isMono: true, type: 'password', autoComplete: 'new-password' },
  number: { inputMode: 'decimal' },
} as const;

type FieldsProps<D> = { fields: readonly FormField<D>[]; draft: D; onDraft: (draft: D) => void };

export function Fields<D extends Readonly<Record<string, string>>>(props: FieldsProps<D>): ReactNode {
  const { fields, draft, onDraft } = props;
  return fields.map(({ name, label, hint, help, error = null, kind, options, isFirst = false, ...rest }) => {
    const change = (text: string): void => onDraft({ ...draft, [name]: text });
    return (
      <Field
        key={name}
        label={label}
        error={error}
        {...(hint === undefined ? {} : { hint })}
        {...(help === undefined ? {} : { help })}
        className={kind === 'code' ? styles.wholeRow : undefined}
      >
        {options !== undefined ? (
          <Select value={draft[name] ?? ''} options={options} onChoose={change} />
        ) : kind === 'code' ? (
          <Textarea
            isMono
            rows={24}
            spellCheck={false}
            value={draft[name]}
            onChange={({ target }) => change(target.value)}
          />
        ) : kind === 'area' ? (
          <Textarea isGrowing value={draft[name]} {...rest} onChange={({ target }) => change(target.value)} />
        ) : (
          <Input
            value={draft[name]}
            {...(kind === undefined ? {} : INPUTS[kind])}
            {...(isFirst ? { 'data-first': '' } : {})}
            {...rest}
            onChange={({ target }) => change(target.value)}
          />
        )}
      </Field>
    );
  });
}

type SaveFormProps<D> = FieldsProps<D> & {
  /** Above the form, and its name. */
  label: string;
  saveLabel: string;
  isReady: boolean;
  onSave: () => Promise<unknown>;
  /** "Could not save the price". */
  problem: string;
  /** Opened by a press elsewhere: its first field is shown, and has the focus. */
  takesFocus?: boolean;
  /** Beside the button. */
  acts?: ReactNode;
  /** Below the fields. */
  children?: ReactNode;
};

export function SaveForm<D extends Readonly<Record<string, string>>>(props: SaveFormProps<D>): ReactNode {
  const { label, saveLabel, isReady, onSave, problem, acts, children } = props;
  const { takesFocus = false } = props;
  const { run, isBusy, failure } = useAct(onSave);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (takesFocus) form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, [takesFocus]);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) void run();
  };
  return (
    <form ref={form} className={styles.grid} onSubmit={onSubmit} aria-label={label}>
      <h3 className={styles.formTitle}>{label}</h3>
      <Fields {...props} />
      {children}
      <div className={styles.actions}>
        <Button type="submit" isDisabled={!isReady} isBusy={isBusy}>
          {saveLabel}
        </Button>
        {acts}
      </div>
      {failure === null ? null : (
        <div className={styles.wholeRow}>
          <ErrorNote title={problem} failure={failure} />
        </div>
      )}
    </form>
  );
}

export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

type NamedLineProps = {
  name: ReactNode;
  /** What it is, beside its name. */
  detail?: ReactNode;
  /** At the end of the line. */
  acts?: ReactNode;
  children?: ReactNode;
};

/** One of a list: its name, what it is, what can be done with it. */
export const NamedLine = ({ name, detail, acts, children }: NamedLineProps): ReactNode => (
  <li className={styles.named}>
    <div className={styles.line}>
      <span className="shrinks breaks strong">{name}</span>
      {detail}
      <span className="grows" />
      {acts}
    </div>
    {children}
  </li>
);

export const RemoveButton = ({ label, onRemove }: { label: string; onRemove: () => void }): ReactNode => (
  <IconButton label={label} icon={<Trash2 />} onClick={onRemove} />
);

type SureButtonProps = {
  /** On the button, and before its name for who cannot see the line. */
  verb: string;
  /** What it is about; null where the verb says it. */
  name: string | null;
  /** What the second button says. */
  sureLabel: string;
  /** What comes of it. */
  warning?: string;
  isBusy?: boolean;
  onSure: () => void;
};

/** Asks twice before what cannot be taken back. */
export function SureButton(props: SureButtonProps): ReactNode {
  const { verb, name, sureLabel, warning, isBusy = false, onSure } = props;
  const [isSure, setIsSure] = useState(false);
  if (!isSure) {
    return (
      <Button
        isBusy={isBusy}
        {...(name === null
          ? {}
          : { size: 'small' as const, tone: 'quiet' as const, 'aria-label': `${verb} ${name}` })}
        onClick={() => setIsSure(true)}
      >
        {verb}
      </Button>
    );
  }
  return (
    <>
      {warning === undefined ? null : <span className="quiet">{warning}</span>}
      <Button
        size="small"
        tone="danger"
        onClick={() => {
          setIsSure(false);
          onSure();
        }}
      >
        {sureLabel}
      </Button>
      <Button size="small" tone="quiet" onClick={() => setIsSure(false)}>
        Keep
      </Button>
    </>
  );
}

type ShownOnceProps = { title: string; onClose: () => void; children: ReactNode };

/** Shows what was just made, until it is copied. */
export const ShownOnce = ({ title, onClose, children }: ShownOnceProps): ReactNode => (
  <div className={styles.made} role="status">
    <p>
      <strong>{title}</strong>
    </p>
    {children}
    <Button size="small" onClick={onClose}>
      Done, I copied it
    </Button>
  </div>
);

type SecretProps = { text: string; copyLabel: string; before?: string };

export const Secret = ({ text, copyLabel, before }: SecretProps): ReactNode => (
  <p className="wrap-2 centered">
    {before === undefined ? null : <span className="quiet">{before}</span>}
    <code className={styles.link} data-secret={before === undefined}>
      {text}
    </code>
    <CopyButton text={text} label={copyLabel} hasLabel />
  </p>
);

/** The address of this console with a token; a desktop window has none. */
export const addressWith = (token: string): string | null =>
  window.location.protocol.startsWith('http') ? `${window.location.origin}/#token=${token}` : null;
