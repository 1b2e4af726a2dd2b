// Buttons. One primary per view; the rest stay quiet.
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import * as styles from './Button.module.css';
import { cx } from './cx.ts';
import { Kbd } from './Kbd.tsx';
import { Tooltip } from './Tooltip.tsx';

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children' | 'disabled'>;

type ButtonProps = Native & {
  tone?: 'plain' | 'primary' | 'quiet' | 'danger';
  size?: 'small' | 'normal';
  icon?: ReactNode;
  /**
   * The key that does the same, by its name in the key table or as a chord. It stands on the primary act; elsewhere it
   * shows over the corner on hover and focus.
   */
  chord?: string;
  isDisabled?: boolean;
  /** Waits for an answer: shows that it does, and takes no second press. */
  isBusy?: boolean;
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
};

export function Button(props: ButtonProps): ReactNode {
  const {
    tone = 'plain',
    size = 'normal',
    icon,
    chord,
    isDisabled,
    isBusy,
    children,
    className,
    ...rest
  } = props;
  const isOff = isDisabled === true || isBusy === true;
  return (
    <button
      type="button"
      {...rest}
      className={cx(styles.button, styles[tone], size === 'small' && styles.small, className)}
      data-primary={tone === 'primary' || tone === 'danger' ? '' : undefined}
      disabled={isOff}
      aria-busy={isBusy}
    >
      {isBusy === true ? <span className={styles.spinner} aria-hidden="true" /> : icon}
      <span className={styles.words}>{children}</span>
      {chord === undefined ? null : (
        <span className={cx(styles.keys, tone !== 'primary' && styles.keyTip)}>
          <Kbd chord={chord} isOnFill={tone === 'primary'} />
        </span>
      )}
    </button>
  );
}

type IconButtonProps = Native & {
  /** Read to a screen reader and shown on hover. */
  label: string;
  icon: ReactNode;
  chord?: string;
  side?: 'top' | 'right' | 'bottom' | 'left';
  isPressed?: boolean;
  isDisabled?: boolean;
};

/** A button that shows an icon only; its label is on hover and for assistive technology. */
export function IconButton(props: IconButtonProps): ReactNode {
  const { label, icon, chord, side, isPressed, isDisabled, className, ...rest } = props;
  return (
    <Tooltip
      text={label}
      {...(chord === undefined ? {} : { chord })}
      {...(side === undefined ? {} : { side })}
    >
      <button
        type="button"
        {...rest}
        className={cx(styles.button, styles.quiet, styles.icon, className)}
        aria-label={label}
        aria-pressed={isPressed}
        disabled={isDisabled === true}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
