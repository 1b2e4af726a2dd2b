// Whoever calls the app while it runs: links `interject://…`, a second start, a click on its icon. What comes before there
// is a window waits for it.
import type { App as Electron } from 'electron';
import { linkIn, parseDeepLink, type DeepLink } from '../../shared/deepLink.ts';

type Show = (link: DeepLink | null) => void;

export type Calls = {
  /** Whether somebody called before there was a window, and the link it came with. */
  early: () => { isCalled: boolean; link: DeepLink | null };
  /** From now on calls bring this window forward. */
  handOver: (show: Show) => void;
};

/** From the first moment: a Mac hands the link over as an event before the app is ready. */
export function receiveCalls(electron: Pick<Electron, 'on'>): Calls {
  let early: { isCalled: boolean; link: DeepLink | null } = { isCalled: false, link: null };
  let show: Show = (link) => {
    early = { isCalled: true, link: link ?? early.link };
  };
  let isHandedOver = false;
  electron.on('open-url', (event, url) => {
    event.preventDefault();
    const link = parseDeepLink(url);
    if (link !== null) show(link);
  });
  electron.on('second-instance', (_event, args) => show(linkIn(args)));
  // A Mac says so of the first start too.
  electron.on('activate', () => {
    if (isHandedOver) show(null);
  });
  return {
    early: () => early,
    handOver: (to) => {
      isHandedOver = true;
      show = to;
    },
  };
}
