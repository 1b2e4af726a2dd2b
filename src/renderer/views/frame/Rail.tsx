// The rail: where one can go, what waits at the desk, and the person's own menu.
import Plus from 'lucide-react/icons/plus';
import CircleUser from 'lucide-react/icons/circle-user';
import { memo, type ReactNode } from 'react';
import { waitingCount } from '../../../shared/waiting.ts';
import { setTheme } from '../../state/choices.ts';
import { useConsole, useSession } from '../../state/hooks.ts';
import { isOnRail, useRole } from '../../state/role.ts';
import { formatRoute, routeTo, useRoute } from '../../state/route.ts';
import { changeUi } from '../../state/store.ts';
import { goKey, PLACE_VIEWS, type PlaceView, VIEWS } from '../../state/views.ts';
import { Count } from '../../ui/Badge.tsx';
import { cx } from '../../ui/cx.ts';
import { Menu } from '../../ui/Menu.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import * as styles from './Rail.module.css';
import { THEMES } from './theme.ts';

export const Rail = memo(function Rail(): ReactNode {
  const { store } = useSession();
  const { view } = useRoute();
  const role = useRole();
  const mayReview = useConsole(({ record }) => record.app?.may_review === true);
  return (
    <nav className={styles.rail} aria-label="Views">
      {role === 'expert' ? null : (
        <Tooltip text="Start an episode" chord="episode.start" side="right">
          <button
            type="button"
            className={cx(styles.place, styles.start)}
            aria-label="Start an episode"
            onClick={() => changeUi(store, () => ({ overlay: 'start' }))}
          >
            <Plus />
            <span className={styles.word}>Start</span>
          </button>
        </Tooltip>
      )}
      <ul className={styles.places}>
        {PLACE_VIEWS.filter((place) => isOnRail(place, role, mayReview)).map((place) => (
          <PlaceLink key={place} view={place} isHere={place === (VIEWS[view].parent ?? view)} />
        ))}
      </ul>
      <PersonMenu />
    </nav>
  );
});

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
        >
          <place.Icon />
          <span className={styles.word}>
            {title}
            {count === 0 ? null : <span className="quiet-label">{` ${String(count)} waiting`}</span>}
          </span>
          <span className={styles.badge} aria-hidden="true">
            <Count count={count} label="waiting" />
          </span>
        </a>
      </Tooltip>
    </li>
  );
}

/** The person's name; behind it theme, keys, and what this program is. */
function PersonMenu(): ReactNode {
  const { store, seat } = useSession();
  const theme = useConsole(({ ui }) => ui.theme);
  const app = useConsole(({ record }) => record.app);
  return (
    <Menu
      side="right"
      trigger={
        <button
          type="button"
          className={styles.place}
          aria-label={`${seat}: theme, keys, about`}
          title={seat}
        >
          <CircleUser />
          <span className={styles.word}>{seat}</span>
        </button>
      }
      items={[
        ...THEMES.map(({ value, label }) => ({
          label: `Theme: ${label.toLowerCase()}`,
          isChecked: value === theme,
          onChoose: () => setTheme(store, value),
        })),
        'line',
        { label: 'Keys', chord: 'keys.show', onChoose: () => changeUi(store, () => ({ overlay: 'keys' })) },
        'line',
        {
          label: `Interject ${app?.version ?? ''}`,
          ...(app?.role === 'owner' ? { note: `Data folder: ${app.data_folder}` } : {}),
          isDisabled: true,
          onChoose: () => undefined,
        },
      ]}
    />
  );
}
