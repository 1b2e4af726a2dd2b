// The bar of a question that was answered here: the undo, then whether the agent followed the answer.
import type { ReactNode } from 'react';
import { adviceOutcome } from '../../../shared/episode/callOutcome.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { SendingDecision } from '../../state/store.ts';
import { doneText } from '../advice/doneText.ts';
import { Became, DecidedBar, useDoneHere, type NextCard } from '../card/DecidedBar.tsx';

type SentBarProps = NextCard & {
  record: EpisodeRecord;
  consultation: string;
  /** While it can be taken back, or is on its way. */
  sending: SendingDecision | null;
};

export function SentBar({ record, consultation, sending, ...next }: SentBarProps): ReactNode {
  const said = useDoneHere(consultation);
  const asked = record.consultations.find(({ id }) => id === consultation);
  const decision = asked?.decision ?? null;
  const act = decision?.type === 'approved' ? decision.act : 'decline';
  const outcome = asked === undefined ? null : adviceOutcome(record, asked);
  const done = outcome === null ? null : (said ?? doneText({ type: act }));
  return (
    <DecidedBar {...next} about={consultation} sending={sending}>
      <Became record={record} done={done} outcome={outcome} sending={sending} />
    </DecidedBar>
  );
}
