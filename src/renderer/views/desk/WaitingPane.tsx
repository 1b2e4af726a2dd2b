// The desk's list and what stands below it. Drawn again only when what it shows changes, not with the card beside it.
import { memo, type ReactNode } from 'react';
import type { MissedAsk } from '../../../shared/contract/rows.ts';
import type { Unsent } from '../../parts/advice/unsent.ts';
import type { DeskEntry } from '../../parts/desk/deskQueue.ts';
import type { BrokenOffRow } from '../../parts/desk/useBrokenOff.ts';
import { setUnsentText } from '../../state/drafts.ts';
import { useSession } from '../../state/hooks.ts';
import { BrokenOffList, DeskList, RecentlyAnswered } from './laterCards.ts';
import { MissedList } from './Missed.tsx';
import { Suggestions } from './Suggestions.tsx';
import { UnsentTexts } from './UnsentTexts.tsx';
import type { Batch } from './useBatch.ts';

type WaitingPaneProps = {
  list: readonly DeskEntry[];
  /** Cards in all; main lists the oldest. */
  total: number;
  current: string | null;
  batch: Batch;
  brokenOff: readonly BrokenOffRow[];
  isOnlyBrokenOff: boolean;
  missed: readonly MissedAsk[];
  unsent: readonly Unsent[];
  hasAnswered: boolean;
  onChoose: (key: string) => void;
  onOpenLate: (consultation: string) => void;
  onUse: ((unsent: Unsent) => void) | null;
};

export const WaitingPane = memo(function WaitingPane(props: WaitingPaneProps): ReactNode {
  const { list, total, current, batch, brokenOff, missed, unsent } = props;
  const { store } = useSession();
  return (
    <DeskList
      list={list}
      total={total}
      current={current}
      onChoose={props.onChoose}
      chosen={batch.chosen}
      onToggle={batch.toggle}
      onApprove={batch.open}
      approved={batch.said}
    >
      {brokenOff.length === 0 ? null : (
        <BrokenOffList rows={brokenOff} isAllThereIs={props.isOnlyBrokenOff} />
      )}
      <Suggestions />
      <MissedList missed={missed} onOpen={props.onOpenLate} />
      <UnsentTexts unsent={unsent} onDiscard={(id) => setUnsentText(store, id, null)} onUse={props.onUse} />
      {props.hasAnswered ? <RecentlyAnswered /> : null}
    </DeskList>
  );
});
