// The role of who sits here: the owner, or an invited expert, who sees fewer views.
import type { Role } from '../../shared/contract/seat.ts';
import { useConsole } from './hooks.ts';
import type { ConsoleStore } from './store.ts';
import { VIEWS, type View } from './views.ts';

/** Null until main has said so. */
export const useRole = (): Role | null => useConsole(({ record }) => record.app?.role ?? null);

/** True if the view is for that role. Main refuses the commands behind the others in any case. */
export const isViewOf = (view: View, role: Role | null): boolean =>
  role !== 'expert' || VIEWS[view].audience !== 'owner';

/** True if there is something to review for this seat. */
export const hasReviews = (store: ConsoleStore, role: Role | null): boolean =>
  role !== 'expert' || store.getState().record.app?.may_review === true;

/** True if the rail shows the view. Until the role is known, it shows what owners and experts share. */
export function isOnRail(view: View, role: Role | null, mayReview: boolean): boolean {
  const { audience } = VIEWS[view];
  if (audience === 'everyone') return true;
  return audience === 'reviewer' ? role === 'owner' || mayReview : audience === role;
}
