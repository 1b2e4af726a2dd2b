// The desk's list and what stands below it. Drawn again only when what it shows changes, not with the card beside it.
import { memo, type ReactNode } from 'react';
import { CornerDownRight, Trash2 } from 'lucide-react';
import type { MissedAsk } from '../../../shared/episode/rowShapes.ts';
import { textHead } from '../../../shared/events/text.ts';
import type { Unsent } from '../../parts/advice/unsent.ts';
import type { DeskEntry } from '../../parts/desk/deskQueue.ts';
import type { BrokenOffRow } from '../../parts/desk/useBrokenOff.ts';
import { setUnsentText } from '../../state/drafts.ts';
import { useSession } from '../../state/hooks.ts';
import { missedReason } from '../../../shared/sentences/admissionText.ts';
import { TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { BrokenOffList, DeskList, RecentlyAnswered } from './laterCards.ts';
import { Suggestions } from './Suggestions.tsx';
import type { Batch } from './useBatch.ts';
import * as styles from './Missed.module.css';
import * as deskListStyles from './DeskList.module.css';

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

/** Asks of the last hour that nobody answered. */
const MissedList = memo(function MissedList({
  missed,
  onOpen,
}: {
  missed: readonly MissedAsk[];
  onOpen: (consultation: string) => void;
}): ReactNode {
  if (missed.length === 0) return null;
  return (
    <details className={styles.missed}>
      <summary>{`Missed in the last hour: ${String(missed.length)}`}</summary>
      <ul>
        {missed.map((ask) => (
          <li key={ask.consultation}>
            <button type="button" className={styles.ask} onClick={() => onOpen(ask.consultation)}>
              <TaskWords text={questionOf(ask)} />
              <span className="quiet small">
                {missedReason(ask)}, <RelativeTime at={ask.missed_at} isSpoken />
                {ask.late === 0 ? '' : ', has late advice'}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
});

const questionOf = ({ question, asked_task: task }: MissedAsk): string =>
  question === null ? (task ?? 'Question without text') : textHead(question);

type UnsentTextsProps = {
  unsent: readonly Unsent[];
  onDiscard: (id: string) => void;
  /** Puts the text into the answer in front; null where none is, or where one is already written. */
  onUse: ((unsent: Unsent) => void) | null;
};

/** Texts whose question was closed before they were sent: only the person copies or discards them. */
function UnsentTexts({ unsent, onDiscard, onUse }: UnsentTextsProps): ReactNode {
  if (unsent.length === 0) return null;
  return (
    <section className={deskListStyles.unsent} aria-label="Unsent text">
      <h2 className={deskListStyles.head}>Unsent text</h2>
      <p className={deskListStyles.none}>Their questions closed before you sent them.</p>
      <ul>
        {unsent.map(({ id, text }) => (
          <li key={id} className={deskListStyles.kept}>
            <span className="one-line soft small grows" title={text}>
              {text}
            </span>
            {onUse === null || id.endsWith(':reason') ? null : (
              <IconButton
                label="Use this text for the open question"
                icon={<CornerDownRight />}
                onClick={() => onUse({ id, text })}
              />
            )}
            <CopyButton label="Copy this text" text={text} />
            <IconButton label="Discard this text" icon={<Trash2 />} onClick={() => onDiscard(id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
