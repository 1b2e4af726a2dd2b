// The look of each actor: one icon, one hue, one word, the same everywhere.
import { Bot, Cog, Lightbulb, Scale, ScrollText, Server, User } from 'lucide-react';
import type { ComponentType, CSSProperties, ReactNode } from 'react';
import { ROLE_LABELS, type RowRole } from '../../shared/timeline/timelineRow.ts';

const ROLE_ICONS: Readonly<Record<RowRole, ComponentType<{ 'aria-hidden'?: 'true' }>>> = {
  agent: Bot,
  environment: Server,
  model: Lightbulb,
  human: User,
  verifier: Scale,
  system: Cog,
  scripted: ScrollText,
};

/** The hue of an actor for a stylesheet: `--actor` and its soft ground. */
export const actorStyle = (role: RowRole): CSSProperties =>
  ({ '--actor': `var(--actor-${role})`, '--actor-soft': `var(--actor-${role}-soft)` }) as CSSProperties;

/** The actor's icon in its hue; its word is for assistive technology. */
export function ActorIcon({ role }: { role: RowRole }): ReactNode {
  const Icon = ROLE_ICONS[role];
  return (
    <span style={{ color: `var(--actor-${role})`, display: 'inline-flex' }} title={ROLE_LABELS[role]}>
      <Icon aria-hidden="true" />
      <span className="quiet-label">{ROLE_LABELS[role]}</span>
    </span>
  );
}
