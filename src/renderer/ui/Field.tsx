// A labelled place to enter something, with what it is for and what is wrong with it.
import { CircleQuestionMark } from 'lucide-react';
import {
  createContext,
  useContext,
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';
import { cx } from './cx.ts';
import * as styles from './Field.module.css';
import { Tooltip } from './Tooltip.tsx';

type FieldIds = { control: string; described: string | undefined; isInvalid: boolean };
const FieldContext = createContext<FieldIds | null>(null);

/** The props a control inside a Field must carry to belong to its label. */
export const useFieldProps = (): { id?: string; 'aria-describedby'?: string; 'aria-invalid'?: true } => {
  const ids = useContext(FieldContext);
  if (ids === null) return {};
  return {
    id: ids.control,
    ...(ids.described === undefined ? {} : { 'aria-describedby': ids.described }),
    ...(ids.isInvalid ? { 'aria-invalid': true as const } : {}),
  };
};

type FieldProps = {
  label: ReactNode;
  /** What everybody needs to read before they fill it in. */
  hint?: ReactNode;
  /** What is worth knowing once: on hover and focus of a mark beside the label, and read out with the field. */
  help?: string;
  /** What is wrong, and how to put it right. */
  error?: string | null;
  children: ReactNode;
  className?: string | undefined;
};

export function Field({ label, hint, help, error = null, children, className }: FieldProps): ReactNode {
  const id = useId();
  const [hintId, helpId, errorId] = [`${id}hint`, `${id}help`, `${id}error`];
  const described = [
    hint === undefined ? '' : hintId,
    help === undefined ? '' : helpId,
    error === null ? '' : errorId,
  ]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={cx('stack-1 shrinks', className)}>
      <span className={styles.head}>
        <label className="soft small" htmlFor={id}>
          {label}
        </label>
        {help === undefined ? null : <HelpMark id={helpId} text={help} />}
      </span>
      <FieldContext
        value={{
          control: id,
          described: described === '' ? undefined : described,
          isInvalid: error !== null,
        }}
      >
        {children}
      </FieldContext>
      {error === null ? null : (
        <p id={errorId} className="bad small" role="alert">
          {error}
        </p>
      )}
      {hint === undefined ? null : (
        <p id={hintId} className="quiet small">
          {hint}
        </p>
      )}
    </div>
  );
}

function HelpMark({ id, text }: { id: string; text: string }): ReactNode {
  return (
    <>
      <Tooltip text={text} side="top">
        <button type="button" className={styles.help} aria-label="Help">
          <CircleQuestionMark aria-hidden="true" />
        </button>
      </Tooltip>
      <span id={id} className="quiet-label">
        {text}
      </span>
    </>
  );
}

type InputProps = InputHTMLAttributes<HTMLInputElement> & {
  ref?: Ref<HTMLInputElement>;
  isMono?: boolean;
  icon?: ReactNode;
};

export function Input({ isMono = false, icon, className, ...rest }: InputProps): ReactNode {
  const field = useFieldProps();
  const input = (
    <input
      autoComplete="off"
      spellCheck={false}
      {...field}
      {...rest}
      className={cx(styles.control, isMono && styles.mono, icon !== undefined && styles.withIcon, className)}
    />
  );
  if (icon === undefined) return input;
  return (
    <span className={styles.iconed}>
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
      {input}
    </span>
  );
}

type TextareaProps = TextareaHTMLAttributes<HTMLTextAreaElement> & {
  ref?: Ref<HTMLTextAreaElement>;
  isMono?: boolean;
  /** As high as a line at first, and as high as its text from then on. */
  isGrowing?: boolean;
};

export function Textarea({
  isMono = false,
  isGrowing = false,
  className,
  ...rest
}: TextareaProps): ReactNode {
  const field = useFieldProps();
  return (
    <textarea
      {...field}
      {...rest}
      className={cx(
        styles.control,
        styles.area,
        isGrowing && styles.growing,
        isMono && styles.mono,
        className,
      )}
    />
  );
}

type SelectProps<V extends string> = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'value'> & {
  value: V;
  options: readonly { value: V; label: string; isDisabled?: boolean }[];
  onChoose: (value: V) => void;
};

/** The platform's own list: it is the one every keyboard and screen reader knows. */
export function Select<V extends string>({
  value,
  options,
  onChoose,
  className,
  ...rest
}: SelectProps<V>): ReactNode {
  const field = useFieldProps();
  return (
    <select
      {...field}
      {...rest}
      value={value}
      className={cx(styles.control, styles.select, className)}
      onChange={({ target }) => {
        const chosen = options.find((option) => option.value === target.value);
        if (chosen !== undefined) onChoose(chosen.value);
      }}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.isDisabled === true}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
