// Telling other seats that this one is at a question, as long as it is.
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { DeskItem } from '../../../shared/contract/rows.ts';
import type { DeskPorts } from '../../state/deskPorts.ts';
import { useSession } from '../../state/hooks.ts';
import { claimedBy } from './deskQueue.ts';

/** Typing is told at most this often. */
const CLAIM_TYPING_MS = 5_000;
/** A claim is renewed while the person was active within this time. */
const RENEW_MS = 30_000;

const CLAIM_EVENTS = ['pointermove', 'keydown', 'input'] as const;

/** Claims on opening (unless another seat is at it), on typing always, and while the person is there. */
export function useClaim(item: DeskItem, isOpen: boolean, text: string, port: DeskPorts['claim']): void {
  const { seat } = useSession();
  const { episode, consultation } = item;
  const isTaken = useRef(false);
  useLayoutEffect(() => {
    isTaken.current = claimedBy(item, seat, Date.now()) !== null;
  });
  const last = useRef({ text, claimedAt: 0, signAt: 0 });

  useEffect(() => {
    if (!isOpen) return undefined;
    const claim = (): void => {
      if (!isTaken.current) tell(false);
    };
    // What a lost claim costs is said by the next one, or by the answer itself.
    const tell = (isTyping: boolean): void =>
      void port({ episode, consultation, is_typing: isTyping }).catch(() => undefined);
    const live = (): void => {
      last.current.signAt = Date.now();
    };
    if (document.visibilityState === 'visible') claim();
    const renewing = setInterval(() => {
      if (Date.now() - last.current.signAt < RENEW_MS && document.visibilityState === 'visible') claim();
    }, RENEW_MS);
    for (const sign of CLAIM_EVENTS) window.addEventListener(sign, live, { passive: true });
    return () => {
      clearInterval(renewing);
      for (const sign of CLAIM_EVENTS) window.removeEventListener(sign, live);
    };
  }, [port, episode, consultation, isOpen]);

  useEffect(() => {
    const { text: before, claimedAt } = last.current;
    if (!isOpen || text === before) return;
    last.current.text = text;
    // A draft that arrives changes the text too; only a hand at the keyboard is typing.
    const isTyped = Date.now() - last.current.signAt < 1000;
    if (!isTyped || Date.now() - claimedAt < CLAIM_TYPING_MS) return;
    last.current.claimedAt = Date.now();
    void port({ episode, consultation, is_typing: true }).catch(() => undefined);
  }, [port, episode, consultation, isOpen, text]);
}
