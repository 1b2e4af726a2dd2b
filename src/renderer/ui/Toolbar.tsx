// One line of acts that never wraps: what is rare or has no room is in its menu, and what cannot be done now says why.
import { Ellipsis } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Menu, type MenuEntry } from './Menu.tsx';
import * as styles from './Toolbar.module.css';
import { Tooltip } from './Tooltip.tsx';
import { useOverflow } from './useOverflow.ts';

export type ToolbarAct = {
  id: string;
  label: string;
  icon: ReactNode;
  chord?: string;
  tone?: 'plain' | 'primary' | 'quiet' | 'danger';
  /** Why it cannot be done now. */
  reason?: string | null;
  /** What it does, beyond its label. */
  title?: string | undefined;
  isBusy?: boolean;
  /** Its key stands on the button, not only in its tooltip. */
  showsKey?: boolean;
  /** Always in the menu. */
  isRare?: boolean;
  run: () => void;
};

type ToolbarProps = {
  label: string;
  acts: readonly ToolbarAct[];
  /** The menu of what is rare or has no room. */
  menu?: string;
  /** Words before the acts; they are cut before an act is. */
  children?: ReactNode;
};

export function Toolbar({ label, acts, menu = 'More', children }: ToolbarProps): ReactNode {
  const line = useRef<HTMLDivElement>(null);
  const common = acts.filter(({ isRare }) => isRare !== true);
  const hidden = useOverflow(line, common.map((act) => `${act.label}${String(act.isBusy)}`).join());
  const rest = acts.filter(({ id, isRare }) => isRare === true || hidden.has(id));
  return (
    <section className={styles.toolbar} aria-label={label}>
      <div className={styles.text}>{children}</div>
      <div className={styles.acts} ref={line}>
        {common.map((act) => (
          <span
            key={act.id}
            className={styles.act}
            data-keys=""
            data-overflow-id={act.id}
            data-hidden={hidden.has(act.id) ? '' : undefined}
          >
            <ActButton act={act} />
          </span>
        ))}
      </div>
      <div className={styles.more} data-hidden={rest.length === 0 ? '' : undefined}>
        <Menu
          trigger={
            <Button size="small" tone="quiet" icon={<Ellipsis />}>
              {menu}
            </Button>
          }
          items={rest.map(menuItem)}
        />
      </div>
    </section>
  );
}

function ActButton({ act }: { act: ToolbarAct }): ReactNode {
  const { label, icon, chord, tone = 'quiet', reason = null, title, isBusy = false, showsKey, run } = act;
  const hint = reason ?? title;
  const button = (
    <Button
      size="small"
      tone={tone}
      icon={icon}
      isBusy={isBusy}
      data-act={act.id}
      {...(showsKey === true && chord !== undefined ? { chord } : {})}
      {...(reason === null ? {} : { 'aria-disabled': true, 'aria-description': reason })}
      onClick={reason === null ? run : undefined}
    >
      {label}
    </Button>
  );
  if (hint === undefined && (chord === undefined || showsKey === true)) return button;
  return (
    <Tooltip text={hint ?? label} {...(chord === undefined || reason !== null ? {} : { chord })}>
      {button}
    </Tooltip>
  );
}

const menuItem = ({ label, icon, chord, tone, reason = null, isBusy, run }: ToolbarAct): MenuEntry => ({
  label,
  icon,
  ...(chord === undefined ? {} : { chord }),
  ...(tone === 'danger' ? { tone } : {}),
  ...(reason === null ? {} : { note: reason }),
  isDisabled: reason !== null || isBusy === true,
  onChoose: run,
});
