// Putting the chosen theme on the page; `system` follows the person's machine, its contrast wish included.
import { useEffect } from 'react';
import { useConsole } from '../../state/hooks.ts';
import type { Theme } from '../../state/store.ts';

export const THEMES: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'Match system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'contrast', label: 'High contrast' },
];

/** Keeps the page in the chosen theme. */
export function useTheme(): void {
  const theme = useConsole(({ ui }) => ui.theme);
  useEffect(() => {
    const wish = window.matchMedia('(prefers-contrast: more)');
    const apply = (): void => applyTheme(document.documentElement, theme, wish.matches);
    apply();
    wish.addEventListener('change', apply);
    return () => wish.removeEventListener('change', apply);
  }, [theme]);
}

/** Marks the root element. */
function applyTheme(root: HTMLElement, theme: Theme, wantsContrast: boolean): void {
  if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme;
  else delete root.dataset['theme'];
  if (theme === 'contrast' || (theme === 'system' && wantsContrast)) root.dataset['contrast'] = 'more';
  else delete root.dataset['contrast'];
}
