// The bar of a held call that was decided here: the undo, then what the call gave; and the same in one line on the
// next call of the episode.
import type { ReactNode } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import { callOutcome } from '../../../shared/episode/callOutcome.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { useConsole } from '../../state/hooks.ts';
import { Became, DecidedBar, useDoneHere, type NextCard } from '../card/DecidedBar.tsx';
import { VisibleText } from '../text/VisibleText.tsx';
import type { CallDecided } from './useCallDecided.ts';

type CallDecidedBarProps = NextCard & { item: HoldItem; record: EpisodeRecord; decided: CallDecided };

export function CallDecidedBar({ item, record, decided, ...next }: CallDecidedBarProps): ReactNode {
  const said = useDoneHere(item.key);
  const outcome = callOutcome(record, item.call?.id ?? '');
  return (
    <DecidedBar {...next} about={item.key} sending={decided.sending}>
      <Became
        record={record}
        done={outcome === null ? null : (said ?? decided.title)}
        outcome={outcome}
        sending={decided.sending}
      />
    </DecidedBar>
  );
}

/** What became of the last call decided here, where this one of the same episode came at once in its place. */
export function CallBefore({ item, record }: { item: HoldItem; record: EpisodeRecord }): ReactNode {
  const last = useConsole(({ ui }) => ui.answered[0] ?? null);
  if (last === null || last.episode !== item.episode || last.consultation === item.key) return null;
  const outcome = last.call === undefined ? null : callOutcome(record, last.call);
  if (outcome === null) return null;
  return (
    <p className="soft small" role="status">
      <VisibleText text={`Before: ${last.done}. ${outcome}`} />
    </p>
  );
}
