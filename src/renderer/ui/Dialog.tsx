// The rare window over everything: focus kept inside, Esc closes, focus goes back where it was.
import { X } from 'lucide-react';
import * as Radix from 'radix-ui/dialog';
import type { ReactNode } from 'react';
import { cx, variantClass } from './cx.ts';
import * as styles from './Dialog.module.css';

type DialogProps = {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** One line under the title. */
  description?: string;
  size?: 'small' | 'normal' | 'wide';
  /** What must be seen however far the body is scrolled, such as why it did not work. */
  notice?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
};

/** Focuses the marked element, else the window: a close button that opens focused asks to be pressed. */
function focusFirst(event: Event): void {
  event.preventDefault();
  const dialog = event.currentTarget;
  if (!(dialog instanceof HTMLElement)) return;
  const first = dialog.querySelector<HTMLElement>('[data-first]') ?? dialog;
  first.focus();
}

export function Dialog(props: DialogProps): ReactNode {
  const { isOpen, onClose, title, description, size = 'normal', notice, footer, children } = props;
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className={styles.scrim} />
        <Radix.Content
          className={cx(styles.dialog, variantClass(styles, size))}
          data-overlay="open"
          onOpenAutoFocus={focusFirst}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <header className={styles.head}>
            <div>
              <Radix.Title className={styles.title}>{title}</Radix.Title>
              {description === undefined ? null : (
                <Radix.Description className={styles.description}>{description}</Radix.Description>
              )}
            </div>
            {/* No tooltip of ours: an open one would take the first Esc for itself. */}
            <button
              type="button"
              className={styles.close}
              aria-label="Close"
              title="Close (Esc)"
              onClick={onClose}
            >
              <X />
            </button>
          </header>
          <div className={styles.body}>{children}</div>
          {notice === undefined || notice === null ? null : <div className={styles.notice}>{notice}</div>}
          {footer === undefined ? null : <footer className={styles.foot}>{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
