// Opening the console: which wire, which session, and which view stands in the frame.
// First: other style sheets compose its classes, and what they say besides wins.
import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { config } from 'zod/mini';
import { seatOfEntry, seatOfToken } from '../shared/contract/greeting.ts';
import { createBridgeTransport, findBridge } from './client/bridge.ts';
import { createCalmNews, watchDoing } from './client/calmNews.ts';
import { takeEarlyLine } from './client/earlyLine.ts';
import { enterWith, keepEntry, readEntries, readSeat, splitFragment } from './client/identity.ts';
import { createSocketTransport } from './client/socket.ts';
import type { Transport } from './client/transport.ts';
import { ChordProvider } from './state/ChordProvider.tsx';
import { createSession, type Session } from './state/session.ts';
import { CurrentScreen, preloadFirstScreen, StartOverlay } from './screens.tsx';
import { SessionContext } from './state/hooks.ts';
import { createKept, createMemoryStorage, type Storage } from './state/kept.ts';
import { openTab } from './state/tab.ts';
import { TooltipProvider } from './ui/Tooltip.tsx';
import { Frame } from './views/frame/Frame.tsx';
import { OtherVersion, Refused, type RefusedReason } from './views/frame/Refused.tsx';
import { GuideGate } from './views/seat/GuideGate.tsx';

// The page's policy forbids eval, which zod would otherwise try for speed.
config({ jitless: true });

/** A console's storage: for the browser, and for this tab of it. */
type Page = { root: Root; storage: Storage; tab: string };

type Identity = Pick<Session, 'seat' | 'enter'>;

function openConsole({ root, storage, tab }: Page, line: Transport, identity: Identity): Session {
  const { transport, doing } = createCalmNews(line);
  watchDoing(window, doing);
  const session = createSession({ transport, ...identity, storage, tab });
  root.render(
    <StrictMode>
      <SessionContext value={session}>
        <TooltipProvider>
          <ChordProvider>
            <Frame>
              <GuideGate>
                <CurrentScreen />
              </GuideGate>
            </Frame>
            <StartOverlay />
          </ChordProvider>
        </TooltipProvider>
      </SessionContext>
    </StrictMode>,
  );
  return session;
}

/** A page in place of the console: why it may not connect, and a field for the right address. */
function showRefused(root: Root, reason: RefusedReason): void {
  document.title = 'Interject';
  const onToken = (pasted: string): boolean => {
    const at = pasted.indexOf('#');
    const { token } = splitFragment(at === -1 ? `token=${pasted.trim()}` : pasted.slice(at).trim());
    if (token === null || token === '') return false;
    history.replaceState(null, '', `#token=${encodeURIComponent(token)}`);
    window.location.reload();
    return true;
  };
  root.render(
    <TooltipProvider>
      <Refused reason={reason} onToken={onToken} />
    </TooltipProvider>,
  );
}

/** Opens by the first entry that is not refused; shows how to get one when there is none. */
async function openInBrowser(page: Page, session: Storage): Promise<void> {
  const { root, storage: local } = page;
  const { token, rest } = splitFragment(window.location.hash);
  if (token !== null) history.replaceState(null, '', `${window.location.pathname}${rest}`);
  // A pasted address that differs only after # does not load the page again.
  window.addEventListener('hashchange', () => {
    if (splitFragment(window.location.hash).token !== null) window.location.reload();
  });
  const fresh = token === null ? null : await enterWith(token);
  // An invite that is over never turns into another token's console.
  if (token !== null && fresh === null && seatOfToken(token) !== null) return showRefused(root, 'invite');
  const origin = `${window.location.protocol === 'https:' ? 'wss' : 'ws'}://${window.location.host}`;
  const tried = new Set<string>();
  const tryNext = (refused: RefusedReason): void => {
    // Another tab may have renewed the token meanwhile.
    const first = readEntries(fresh, session, local).find((one) => !tried.has(one));
    if (first === undefined) return showRefused(root, refused);
    tried.add(first);
    let entry = first;
    const invited = seatOfEntry(entry);
    const seat = invited ?? seatOf(local);
    const transport = createSocketTransport({
      origin,
      entry: () => entry,
      seat,
      early: takeEarlyLine(window, { origin, entry, seat }),
    });
    const enter = async (renewed: string): Promise<void> => {
      entry = (await enterWith(renewed)) ?? entry;
      keepEntry(entry, session, local);
    };
    const opened = openConsole(page, transport, { seat, enter });
    let hasOpened = false;
    transport.onStatus((status) => {
      if (status.state === 'open') {
        hasOpened = true;
        keepEntry(entry, session, local);
      }
      if (status.state !== 'refused') return;
      opened.close();
      if (status.reason === 'version') return root.render(<OtherVersion why={status.why} />);
      // The server has just said that it opens.
      if (first === fresh && !hasOpened) return showRefused(root, 'cookies');
      if (invited === null) tryNext('wrong');
      else showRefused(root, 'invite');
    });
  };
  tryNext(token === null ? 'missing' : 'wrong');
}

const randomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
const seatOf = (local: Storage): string => readSeat(local, randomBytes);
const newTab = (): string => [...randomBytes(6)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** A browser's storage, or one that lasts as long as the page where the browser forbids it. */
function storageOf(read: () => Storage): Storage {
  try {
    const storage = read();
    storage.setItem('interject.probe', '');
    storage.removeItem('interject.probe');
    return storage;
  } catch {
    return createMemoryStorage();
  }
}

async function open(): Promise<void> {
  const element = document.getElementById('root');
  if (element === null) throw new Error('index.html has no #root');
  const storage = storageOf(() => localStorage);
  const session = storageOf(() => sessionStorage);
  const kept = createKept(storage);
  // Pages of an address that is not this machine's have no locks without TLS.
  const locks = 'locks' in navigator ? navigator.locks : null;
  const tab = await openTab({ kept, session, locks, newId: newTab });
  const page = { root: createRoot(element), storage, tab };
  const bridge = findBridge(window);
  if (bridge === null) return openInBrowser(page, session);
  const seat = seatOf(storage);
  openConsole(page, createBridgeTransport(bridge, seat), { seat });
}

preloadFirstScreen(window.location.hash);
void open();
