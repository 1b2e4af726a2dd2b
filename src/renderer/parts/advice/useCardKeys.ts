// The keys of a card. What decides is deaf for a moment after a new card or draft has come.
import { useKeys } from '../../state/hooks.ts';
import type { Bindings } from '../../state/keyboard.ts';
import type { AdviceState } from './useAdvice.ts';

type Actions = {
  edit: () => void;
  diff: () => void;
  plan: () => void;
  openDecline: () => void;
  closeDecline: () => void;
};

export function useCardKeys({
  advice,
  isOpen,
  isDeclining,
  actions,
  onOpenEpisode,
  onPass,
}: {
  advice: AdviceState;
  isOpen: boolean;
  isDeclining: boolean;
  actions: Actions;
  onOpenEpisode: (() => void) | null;
  onPass: (() => void) | null;
}): void {
  const decide = (run: () => void) => (): void => (advice.isFresh ? undefined : run());
  const open: Bindings = {
    'desk.accept': decide(advice.accept),
    'desk.edit': actions.edit,
    'desk.send': isDeclining ? advice.decline : decide(advice.send),
    'desk.decline': actions.openDecline,
    'desk.plan': actions.plan,
    ...(onPass === null ? {} : { 'desk.pass': decide(onPass) }),
  };
  useKeys('desk', {
    ...(isOpen ? open : {}),
    'desk.diff': actions.diff,
    ...(onOpenEpisode === null ? {} : { 'desk.open': onOpenEpisode }),
  });
}
