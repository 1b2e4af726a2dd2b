// The few short messages at the edge of the screen.
import { changeUi, type ConsoleStore, type Toast } from './store.ts';

export type NewToast = Pick<Toast, 'tone' | 'title'> & Partial<Pick<Toast, 'text' | 'action'>>;

/** Older ones make way: more than this nobody reads. */
const TOASTS_MAX = 4;

/** Shows a message; one with the same words replaces the earlier one. */
export const showToast = (store: ConsoleStore, { tone, title, text = null, action = null }: NewToast): void =>
  changeUi(store, ({ toasts }) => {
    const id = (toasts.at(-1)?.id ?? 0) + 1;
    const others = toasts.filter((toast) => toast.title !== title || toast.text !== text);
    return { toasts: [...others, { id, tone, title, text, action }].slice(-TOASTS_MAX) };
  });

export const dismissToast = (store: ConsoleStore, id: number): void =>
  changeUi(store, ({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
