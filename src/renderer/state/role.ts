// Owns: who sits here: the owner, or an expert who was invited and sees Desk, Live, My answers and what they may review only.
import type { Role } from '../../shared/contract/seat.ts';
import { useConsole } from './hooks.ts';
import type { View } from './route.ts';
import type { Store } from './store.ts';

const EXPERT_VIEWS: ReadonlySet<View> = new Set<View>(['desk', 'live', 'answers', 'annotate']);

/** Null until main has said so. */
export const roleIn = (store: Store): Role | null => store.getState().record.app?.role ?? null;
export const useRole = (): Role | null => useConsole(({ record }) => record.app?.role ?? null);

/** An expert's seat is led to reviews once there are some for it. */
export const hasReviews = (store: Store, role: Role | null): boolean =>
  role !== 'expert' || store.getState().record.app?.may_review === true;

/** Whether the view is for that role. Main refuses the commands behind the others in any case. */
export const isViewOf = (view: View, role: Role | null): boolean =>
  role !== 'expert' || EXPERT_VIEWS.has(view);
