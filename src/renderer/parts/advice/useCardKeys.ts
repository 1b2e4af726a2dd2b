// Owns: the keys of a card. What decides is deaf for a moment after a new card or draft has come.
import { useKeys } from '../../state/hooks.ts';
import type { Bindings } from '../../state/keyboard.ts';
import type { AdviceState } from './useAdvice.ts';

type Actions = { edit: () => void; diff: () => void; openDecline: () => void; closeDecline: () => void };

export function useCardKeys({
  advice,
  isOpen,
  isDeclining,
  actions,
  onOpenEpisode,
}: {
  advice: AdviceState;
  isOpen: boolean;
  isDeclining: boolean;
  actions: Actions;
  onOpenEpisode: (() => void) | null;
}): void {
  const decide = (run: () => void) => (): void => (advice.isFresh() ? undefined : run());
  const open: Bindings = {
    'desk.accept': decide(advice.accept),
    'desk.edit': actions.edit,
    'desk.send': decide(isDeclining ? advice.decline : advice.send),
    'desk.decline': actions.openDecline,
  };
  useKeys('desk', {
    ...(isOpen ? open : {}),
    'desk.diff': actions.diff,
    ...(onOpenEpisode === null ? {} : { 'desk.open': onOpenEpisode }),
  });
}
