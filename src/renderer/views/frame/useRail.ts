// Whether the names stand beside the rail's icons: as the person chose, else where the window has room to spare.
import { useConsole, useSession } from '../../state/hooks.ts';
import { setPane } from '../../state/choices.ts';
import { useMedia } from '../../ui/useMedia.ts';

/** Narrower than this, views need the room: the rail shows icons only. */
const MAY_WIDEN = '(min-width: 1100px)';
/** Below this, a question beside its episode would wrap. */
const WIDE_AT_FIRST = '(min-width: 1440px)';

export function useRail(): { isWide: boolean; mayWiden: boolean; toggle: () => void } {
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
