// Owns: the rail: where one can go, what waits at the desk, and the few things wanted from everywhere.
import {
  Activity,
  Contrast,
  Database,
  Inbox,
  Highlighter,
  Keyboard,
  LayoutGrid,
  ListChecks,
  LibraryBig,
  Monitor,
  Moon,
  Plug,
  Plus,
  Rows3,
  Scale,
  Settings,
  Sun,
} from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import type { Role } from '../../../shared/contract/seat.ts';
import { setTheme } from '../../state/choices.ts';
import { useConsole, useSession, useWaitingCount } from '../../state/hooks.ts';
import type { KeyId } from '../../state/keys.ts';
import { isViewOf, useRole } from '../../state/role.ts';
import { annotateRoute, formatRoute, useRoute, type Route, type View } from '../../state/route.ts';
import { changeUi, type Theme } from '../../state/store.ts';
import { Count } from '../../ui/Badge.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Menu } from '../../ui/Menu.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import styles from './Rail.module.css';
import { THEMES } from './theme.ts';

type Place = { view: View; label: string; route: Route; Icon: ComponentType; key: KeyId };

const PLACES: readonly Place[] = [
  { view: 'desk', label: 'Desk', route: { view: 'desk' }, Icon: Inbox, key: 'go.desk' },
  { view: 'live', label: 'Live', route: { view: 'live', episode: null }, Icon: Activity, key: 'go.live' },
  { view: 'wall', label: 'Wall', route: { view: 'wall' }, Icon: LayoutGrid, key: 'go.wall' },
  { view: 'answers', label: 'My answers', route: { view: 'answers' }, Icon: ListChecks, key: 'go.answers' },
  { view: 'library', label: 'Library', route: { view: 'library' }, Icon: LibraryBig, key: 'go.library' },
  { view: 'groups', label: 'Groups', route: { view: 'groups', group: null }, Icon: Rows3, key: 'go.groups' },
  { view: 'annotate', label: 'Annotate', route: annotateRoute(), Icon: Highlighter, key: 'go.annotate' },
  { view: 'data', label: 'Data', route: { view: 'data' }, Icon: Database, key: 'go.data' },
  { view: 'lab', label: 'Rewards', route: { view: 'lab' }, Icon: Scale, key: 'go.lab' },
  { view: 'connect', label: 'Connect', route: { view: 'connect' }, Icon: Plug, key: 'go.connect' },
  { view: 'settings', label: 'Settings', route: { view: 'settings' }, Icon: Settings, key: 'go.settings' },
];

/** The owner's answers are in the library, with everybody's. Until the role is known, what both have. */
const placesOf = (role: Role | null, isReviewer: boolean): readonly Place[] =>
  PLACES.filter(({ view }) =>
    view === 'annotate' && !isReviewer
      ? false
      : view === 'answers'
        ? role === 'expert'
        : role === 'owner' || isViewOf(view, 'expert'),
  );

const THEME_ICONS: Readonly<Record<Theme, ComponentType>> = {
  system: Monitor,
  light: Sun,
  dark: Moon,
  contrast: Contrast,
};

const OF_LIBRARY: ReadonlySet<View> = new Set<View>(['replay', 'compare', 'decisions']);
/** The view a place on the rail stands for; what is opened from the library belongs there. */
const homeOf = (view: View): View => (OF_LIBRARY.has(view) ? 'library' : view);

export function Rail(): ReactNode {
  const { store } = useSession();
  const current = homeOf(useRoute().view);
  const total = useWaitingCount();
  const role = useRole();
  const isReviewer = useConsole(({ record }) => role === 'owner' || record.app?.may_review === true);
  const theme = useConsole(({ ui }) => ui.theme);
  const ThemeIcon = THEME_ICONS[theme];
  return (
    <nav className={styles['rail']} aria-label="Views">
      {role === 'expert' ? null : (
        <IconButton
          label="Start an episode"
          chord="episode.start"
          side="right"
          icon={<Plus />}
          className={styles['start']}
          onClick={() => changeUi(store, () => ({ overlay: 'start' }))}
        />
      )}
      <ul className={styles['places']}>
        {placesOf(role, isReviewer).map(({ view, label, route, Icon, key }) => (
          <li key={view}>
            <Tooltip text={label} chord={key} side="right">
              <a
                href={formatRoute(route)}
                className={cx(styles['place'], view === current && styles['isHere'])}
                aria-current={view === current ? 'page' : undefined}
                aria-label={label}
              >
                <Icon />
                {view === 'desk' ? (
                  <span className={styles['badge']}>
                    <Count count={total} label="waiting" />
                  </span>
                ) : null}
              </a>
            </Tooltip>
          </li>
        ))}
      </ul>
      <Menu
        side="right"
        trigger={
          <button type="button" className={styles['place']} aria-label="Theme" title="Theme">
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
        className={styles['place']}
        onClick={() => changeUi(store, () => ({ overlay: 'keys' }))}
      />
    </nav>
  );
}
