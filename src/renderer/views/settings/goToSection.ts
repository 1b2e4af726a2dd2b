// Goes to a section of the settings, and stays there while what stands above it is still being read.
import { useEffect, type RefObject } from 'react';

/** Also for the keyboard: Tab goes on from the heading, or from the field the section is opened for. */
export function goToHeading(id: string): void {
  const heading = document.getElementById(id);
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: 'start' });
}

/** What a person does first ends the following. */
const OWN_MOVES = ['wheel', 'keydown', 'pointerdown', 'touchstart'] as const;

/** Shows the section an address names; null shows the top of the page. */
export function useNamedSection(page: RefObject<HTMLDivElement | null>, section: string | null): void {
  useEffect(() => {
    const box = page.current;
    const id = `${section ?? ''}-title`;
    const heading = document.getElementById(id);
    if (box === null || heading === null) return undefined;
    goToHeading(id);
    heading.closest('section')?.querySelector<HTMLElement>('[data-first]')?.focus({ preventScroll: true });
    const observer = new ResizeObserver(() => heading.scrollIntoView({ block: 'start' }));
    for (const part of box.children) observer.observe(part);
    const stop = (): void => observer.disconnect();
    for (const move of OWN_MOVES) document.addEventListener(move, stop, { once: true, passive: true });
    return () => {
      stop();
      for (const move of OWN_MOVES) document.removeEventListener(move, stop);
    };
  }, [page, section]);
}
