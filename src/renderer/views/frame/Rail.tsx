// The rail: where one can go, what waits at the desk, and the few things wanted from everywhere.
import { Contrast, Keyboard, Monitor, Moon, PanelLeftClose, PanelLeftOpen, Plus, Sun } from 'lucide-react';
import { type ComponentType, memo, type ReactNode, useCallback, useId, useSyncExternalStore } from 'react';
import { waitingCount } from '../../../shared/waiting.ts';
import { setPane, setTheme } from '../../state/choices.ts';
import { useConsole, useKeys, useSession } from '../../state/hooks.ts';
import { isOnRail, useRole } from '../../state/role.ts';
import { formatRoute, routeTo, useRoute } from '../../state/route.ts';
import { changeUi, type Theme } from '../../state/store.ts';
import { goKey, PLACE_GROUPS, PLACE_VIEWS, type PlaceView, VIEWS } from '../../state/views.ts';
import { Count } from '../../ui/Badge.tsx';
import { cx } from '../../ui/cx.ts';
import { Menu } from '../../ui/Menu.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import * as styles from './Rail.module.css';
import { THEMES } from './theme.ts';

const THEME_ICONS: Readonly<Record<Theme, ComponentType>> = {
  system: Monitor,
  light: Sun,
  dark: Moon,
  contrast: Contrast,
};

export const Rail = memo(function Rail(): ReactNode {
  const { store } = useSession();
  const { view: shown } = useRoute();
  const current = VIEWS[shown].parent ?? shown;
  const role = useRole();
  const mayReview = useConsole(({ record }) => record.app?.may_review === true);
  const theme = useConsole(({ ui }) => ui.theme);
  const { isWide, mayWiden, toggle } = useRail();
  useKeys('everywhere', mayWiden ? { 'pane.rail': toggle } : {});
  const ThemeIcon = THEME_ICONS[theme];
  const groups = PLACE_GROUPS.map(({ label, id }) => ({
    label,
    places: PLACE_VIEWS.filter((view) => VIEWS[view].place.group === id && isOnRail(view, role, mayReview)),
  })).filter(({ places }) => places.length > 0);
  return (
    <nav className={cx(styles.rail, isWide && styles.isWide)} aria-label="Views">
      {role === 'expert' ? null : (
        <RailButton
          label="Start an episode"
          word="Start"
          chord="episode.start"
          icon={<Plus />}
          className={styles.start}
          onClick={() => changeUi(store, () => ({ overlay: 'start' }))}
        />
      )}
      <div className="grows">
        {groups.map(({ label, places }) => (
          <PlaceGroup key={label} label={label} isAlone={groups.length === 1}>
            {places.map((view) => (
              <PlaceLink key={view} view={view} isHere={view === current} />
            ))}
          </PlaceGroup>
        ))}
      </div>
      <Menu
        side="right"
        trigger={
          <button type="button" className={styles.place} aria-label="Theme" title="Theme">
            <ThemeIcon />
            <span className={styles.word}>Theme</span>
          </button>
        }
        items={THEMES.map(({ value, label }) => ({
          label,
          isChecked: value === theme,
          onChoose: () => setTheme(store, value),
        }))}
      />
      <RailButton
        label="Keys"
        chord="keys.show"
        icon={<Keyboard />}
        onClick={() => changeUi(store, () => ({ overlay: 'keys' }))}
      />
      {mayWiden ? (
        <RailButton
          label={isWide ? 'Hide names' : 'Show names'}
          chord="pane.rail"
          icon={isWide ? <PanelLeftClose /> : <PanelLeftOpen />}
          isPressed={isWide}
          onClick={toggle}
        />
      ) : null}
    </nav>
  );
});

/** A single group needs no heading. */
function PlaceGroup({
  label,
  isAlone,
  children,
}: {
  label: string;
  isAlone: boolean;
  children: ReactNode;
}): ReactNode {
  const id = useId();
  if (isAlone) return <ul className="stack-1">{children}</ul>;
  return (
    <div className={styles.group}>
      <p id={id} className={styles.heading}>
        {label}
      </p>
      <ul className="stack-1" aria-labelledby={id}>
        {children}
      </ul>
    </div>
  );
}

function PlaceLink({ view, isHere }: { view: PlaceView; isHere: boolean }): ReactNode {
  const { title, place } = VIEWS[view];
  const count = useConsole(({ record: { desk } }) => (view === 'desk' ? waitingCount(desk) : 0));
  return (
    <li>
      <Tooltip text={title} chord={goKey(view)} side="right">
        <a
          href={formatRoute(routeTo(view))}
          className={cx(styles.place, isHere && styles.isHere)}
          aria-current={isHere ? 'page' : undefined}
          aria-label={count === 0 ? title : `${title}, ${String(count)} waiting`}
        >
          <place.Icon />
          <span className={styles.word}>{title}</span>
          <span className={styles.badge} aria-hidden="true">
            <Count count={count} label="waiting" />
          </span>
        </a>
      </Tooltip>
    </li>
  );
}

type RailButtonProps = {
  label: string;
  /** What stands beside the icon where that is shorter. */
  word?: string;
  chord: string;
  icon: ReactNode;
  isPressed?: boolean;
  className?: string | undefined;
  onClick: () => void;
};

function RailButton({ label, word, chord, icon, isPressed, className, onClick }: RailButtonProps): ReactNode {
  return (
    <Tooltip text={label} chord={chord} side="right">
      <button
        type="button"
        className={cx(styles.place, className)}
        aria-label={label}
        aria-expanded={isPressed}
        onClick={onClick}
      >
        {icon}
        <span className={styles.word}>{word ?? label}</span>
      </button>
    </Tooltip>
  );
}

/** Narrower than this, views need the room: the rail shows icons only. */
const MAY_WIDEN = '(min-width: 1100px)';
/** Below this, a question beside its episode would wrap. */
const WIDE_AT_FIRST = '(min-width: 1440px)';

function useRail(): { isWide: boolean; mayWiden: boolean; toggle: () => void } {
  const { store } = useSession();
  const kept = useConsole(({ ui }) => ui.panes['rail']);
  const mayWiden = useMedia(MAY_WIDEN);
  const isRoomy = useMedia(WIDE_AT_FIRST);
  const isWide = mayWiden && (kept === undefined ? isRoomy : !kept.isCollapsed);
  return {
    isWide,
    mayWiden,
    toggle: () => setPane(store, 'rail', { size: kept?.size ?? 0, isCollapsed: isWide }),
  };
}

/** Whether a media query holds, as it changes. */
function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
