// The rail: where one can go, what waits at the desk, and the few things wanted from everywhere.
import { Contrast, Keyboard, Monitor, Moon, Plus, Sun } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { setTheme } from '../../state/choices.ts';
import { useConsole, useSession, useWaitingCount } from '../../state/hooks.ts';
import { isOnRail, useRole } from '../../state/role.ts';
import { formatRoute, routeTo, useRoute } from '../../state/route.ts';
import { changeUi, type Theme } from '../../state/store.ts';
import { goKey, PLACE_VIEWS, VIEWS, type PlaceView } from '../../state/views.ts';
import { Count } from '../../ui/Badge.tsx';
import { IconButton } from '../../ui/Button.tsx';
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

export function Rail(): ReactNode {
  const { store } = useSession();
  const { view: shown } = useRoute();
  const current = VIEWS[shown].parent ?? shown;
  const role = useRole();
  const mayReview = useConsole(({ record }) => record.app?.may_review === true);
  const theme = useConsole(({ ui }) => ui.theme);
  const ThemeIcon = THEME_ICONS[theme];
  return (
    <nav className={styles.rail} aria-label="Views">
      {role === 'expert' ? null : (
        <IconButton
          label="Start an episode"
          chord="episode.start"
          side="right"
          icon={<Plus />}
          className={styles.start}
          onClick={() => changeUi(store, () => ({ overlay: 'start' }))}
        />
      )}
      <ul className={styles.places}>
        {PLACE_VIEWS.filter((view) => isOnRail(view, role, mayReview)).map((view) => (
          <PlaceLink key={view} view={view} isHere={view === current} />
        ))}
      </ul>
      <Menu
        side="right"
        trigger={
          <button type="button" className={styles.place} aria-label="Theme" title="Theme">
            <ThemeIcon />
          </button>
        }
        items={THEMES.map(({ value, label }) => ({
          label,
          isChecked: value === theme,
          onChoose: () => setTheme(store, value),
        }))}
      />
      <IconButton
        label="Keys"
        chord="keys.show"
        side="right"
        icon={<Keyboard />}
        className={styles.place}
        onClick={() => changeUi(store, () => ({ overlay: 'keys' }))}
      />
    </nav>
  );
}

function PlaceLink({ view, isHere }: { view: PlaceView; isHere: boolean }): ReactNode {
  const total = useWaitingCount();
  const { title, place } = VIEWS[view];
  return (
    <li>
      <Tooltip text={title} chord={goKey(view)} side="right">
        <a
          href={formatRoute(routeTo(view))}
          className={cx(styles.place, isHere && styles.isHere)}
          aria-current={isHere ? 'page' : undefined}
          aria-label={title}
        >
          <place.Icon />
          {view === 'desk' ? (
            <span className={styles.badge}>
              <Count count={total} label="waiting" />
            </span>
          ) : null}
        </a>
      </Tooltip>
    </li>
  );
}
