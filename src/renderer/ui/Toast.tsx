// Owns: how short messages at the edge look and how long they stay.
import { CircleAlert, CircleCheck, Hand, Info, X } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { Button, IconButton } from './Button.tsx';
import { cx } from './cx.ts';
import styles from './Toast.module.css';

export type ToastItem = {
  id: number;
  tone: 'plain' | 'ok' | 'error' | 'waiting';
  title: string;
  text: string | null;
  action: { label: string; run: () => void } | null;
};

const ICONS = { plain: Info, ok: CircleCheck, error: CircleAlert, waiting: Hand } as const;
const STAYS_MS = { plain: 6000, ok: 5000, waiting: 10_000, error: 15_000 } as const;

/** The messages, newest last. Pointing at one keeps it. */
export function ToastStack({
  toasts,
  onDismiss,
}: {
  toasts: readonly ToastItem[];
  onDismiss: (id: number) => void;
}): ReactNode {
  return (
    <section className={styles['stack']} aria-label="Messages">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} onDismiss={onDismiss} />
      ))}
    </section>
  );
}

function ToastCard({ toast, onDismiss }: { toast: ToastItem; onDismiss: (id: number) => void }): ReactNode {
  const [isHeld, setIsHeld] = useState(false);
  const { id, tone, title, text, action } = toast;
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => onDismiss(id), STAYS_MS[tone]);
    return () => clearTimeout(timer);
  }, [id, isHeld, onDismiss, tone]);
  const Icon = ICONS[tone];
  return (
    <div
      className={cx(styles['toast'], styles[tone])}
      role={tone === 'error' ? 'alert' : 'status'}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <Icon className={styles['icon']} aria-hidden="true" />
      <div className={styles['words']}>
        <p className={styles['title']}>{title}</p>
        {text === null ? null : <p className={styles['text']}>{text}</p>}
        {action === null ? null : (
          <Button
            size="small"
            onClick={() => {
              action.run();
              onDismiss(id);
            }}
          >
            {action.label}
          </Button>
        )}
      </div>
      <IconButton label="Dismiss" icon={<X />} onClick={() => onDismiss(id)} side="left" />
    </div>
  );
}
