// The frame around every view: rail, view, status line, and what lies over them.
import { type ReactNode, useEffect, useMemo } from 'react';
import { withoutInvisible } from '../../../shared/invisible.ts';
import { UndoKeys } from '../../parts/card/Undo.tsx';
import { rowWords } from '../../parts/episode/episodeRowText.ts';
import { cutText } from '../../parts/episode/taskTitle.ts';
import { useNotify } from '../../parts/desk/useNotify.ts';
import { useConsole, useKeys, useSession, useWaitingCount } from '../../state/hooks.ts';
import { useRole } from '../../state/role.ts';
import { useRoute } from '../../state/route.ts';
import { changeUi } from '../../state/store.ts';
import { dismissToast } from '../../state/toasts.ts';
import { VIEWS } from '../../state/views.ts';
import { Button } from '../../ui/Button.tsx';
import { lazyPart } from '../../ui/LazyPart.tsx';
import { whenIdle } from '../../ui/idle.ts';
import { MenuList } from '../../ui/Menu.tsx';
import { ToastStack } from '../../ui/Toast.tsx';
import { Announcer } from './Announcer.tsx';
import { frameBindings } from './commands.ts';
import * as styles from './Frame.module.css';
import { Rail } from './Rail.tsx';
import { StatusLine, titleText } from './StatusLine.tsx';
import { useTheme } from './theme.ts';

const Palette = lazyPart(async () => (await import('./Palette.tsx')).Palette, {
  label: 'Loading the palette',
  fallback: <div data-overlay="open" />,
});
const KeySheet = lazyPart(async () => (await import('./KeySheet.tsx')).KeySheet, {
  label: 'Loading the keys',
  fallback: <div data-overlay="open" />,
});

/** Everything around `children`, the view of the moment. */
export function Frame({ children }: { children: ReactNode }): ReactNode {
  const { store } = useSession();
  const route = useRoute();
  const { view } = route;
  const shown = 'episode' in route ? route.episode : null;
  const task = useConsole(({ record }) => {
    const row = shown === null ? undefined : record.rows.get(shown);
    return row === undefined ? null : cutText(withoutInvisible(rowWords(row)), 60);
  });
  const role = useRole();
  const toasts = useConsole(({ ui }) => ui.toasts);
  const dismiss = useMemo(() => (id: number) => dismissToast(store, id), [store]);
  const newest = toasts.at(-1);
  useTheme();
  useKeyListener();
  useKeys(useMemo(() => frameBindings(store, role), [store, role]));
  return (
    <div className={styles.frame}>
      <Rail />
      <main className={styles.main} aria-label={VIEWS[view].title}>
        <LostLine />
        {children}
      </main>
      <StatusLine />
      <Announcer />
      <WindowTitle title={VIEWS[view].title} task={task} />
      <Notifier />
      <PaletteOverlay />
      <KeySheetOverlay />
      <UndoKeys />
      <ToastStack toasts={toasts} onDismiss={dismiss} />
      {newest === undefined ? null : <MessageKeys onDismiss={() => dismiss(newest.id)} />}
    </div>
  );
}

/** The window's title, with how much waits. */
function WindowTitle({ title, task }: { title: string; task: string | null }): ReactNode {
  const total = useWaitingCount();
  useEffect(() => {
    document.title = titleText(total, title, task);
  }, [total, title, task]);
  return null;
}

/** Apart from the frame, which is not drawn again whenever the desk changes. */
function Notifier(): ReactNode {
  useNotify();
  return null;
}

/** Mounted while there are messages, so that its key goes before those of the view. */
function MessageKeys({ onDismiss }: { onDismiss: () => void }): ReactNode {
  useKeys({ back: onDismiss }, 'message');
  return null;
}

/** Over the view while there is no line, from the second try on: a moment's gap is no news. */
function LostLine(): ReactNode {
  const { retry } = useSession();
  const lost = useConsole(({ ui: { connection } }) =>
    connection.state === 'closed' && (connection.attempt > 1 || connection.why !== undefined)
      ? (connection.why ?? '')
      : null,
  );
  if (lost === null) return null;
  return (
    <div className={styles.lost} role="alert">
      <span>
        <strong>No connection to Interject{lost === '' ? '' : `: ${lost}`}.</strong> Showing the last known
        state. Your text is kept.
      </span>
      <Button size="small" onClick={retry}>
        Try now
      </Button>
    </div>
  );
}

function preloadOverlays(): void {
  for (const part of [MenuList, Palette, KeySheet]) void part.preload();
}

function PaletteOverlay(): ReactNode {
  const isOpen = useConsole(({ ui }) => ui.overlay === 'palette');
  useEffect(() => whenIdle(preloadOverlays), []);
  return isOpen ? <Palette /> : null;
}

function KeySheetOverlay(): ReactNode {
  const { store } = useSession();
  const isOpen = useConsole(({ ui }) => ui.overlay === 'keys');
  return isOpen ? <KeySheet onClose={() => changeUi(store, () => ({ overlay: null }))} /> : null;
}

/** The one key listener of the page. */
const EDITABLE =
  'textarea, select, [contenteditable="true"], [contenteditable=""], input:not([type="checkbox"], [type="radio"], [type="button"], [type="range"])';
const CONTROL =
  'button, a[href], summary, input, [role="button"], [role="tab"], [role="separator"], [role="menuitem"], [role="option"] a';

/** A step of the timeline opens with Enter; Space there pauses what it shows, as anywhere else. */
const isFreeSpace = ({ key }: KeyboardEvent, target: Element): boolean =>
  key === ' ' && target.closest('[data-row-head]') !== null;

/** At what a plan is changed with; a result that is read below a step is no part of that. */
const isInPlan = (target: Element): boolean =>
  target.closest('[data-plan]') !== null && target.closest('[data-reading]') === null;

/** Hands every press to the keyboard; one that something already took is left alone. */
function useKeyListener(): void {
  const { keyboard } = useSession();
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const target = event.target instanceof Element ? event.target : null;
      const { key, ctrlKey, metaKey, altKey, shiftKey, repeat } = event;
      const place = {
        isEditable: target?.closest(EDITABLE) !== null && target !== null,
        isControl: target?.closest(CONTROL) !== null && target !== null && !isFreeSpace(event, target),
        isInPlan: target !== null && isInPlan(target),
        isOverlayOpen: document.querySelector('[data-overlay="open"]') !== null,
      };
      const isTaken = keyboard.press({ key, ctrlKey, metaKey, altKey, shiftKey, repeat, place });
      if (isTaken) event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [keyboard]);
}
