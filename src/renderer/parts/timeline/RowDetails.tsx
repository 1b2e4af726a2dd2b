// Which details belong to which line.
import type { ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { ConsultationDetails } from './ConsultationDetails.tsx';
import { DecisionDetails, LabelDetails } from './DecisionDetails.tsx';
import { useSession } from '../../state/hooks.ts';
import { writeWhole } from '../../state/readAway.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ItemDetails } from './ItemDetails.tsx';
import { stepMarkdown } from './markdown.ts';
import type { TimelineRow } from '../../../shared/timeline/timelineRow.ts';
import { ToldDetails, TurnDetails } from './TurnDetails.tsx';

/** The details of a line, to be taken along too. */
export function RowDetails({ row, record }: { row: TimelineRow; record: EpisodeRecord }): ReactNode {
  const session = useSession();
  return (
    <>
      <SubjectDetails row={row} record={record} />
      <CopyButton
        label="Copy this step as Markdown"
        text={() => writeWhole(session, (whole) => stepMarkdown(row, whole))}
      />
    </>
  );
}

function SubjectDetails({
  row: { subject },
  record,
}: {
  row: TimelineRow;
  record: EpisodeRecord;
}): ReactNode {
  switch (subject.type) {
    case 'turn':
      return <TurnDetails turn={subject.turn} record={record} />;
    case 'told':
      return <ToldDetails turn={subject.turn} record={record} />;
    case 'decision':
      return <DecisionDetails turn={subject.turn} record={record} />;
    case 'label':
      return <LabelDetails turn={subject.turn} />;
    case 'consultation':
      return <ConsultationDetails consultation={subject.consultation} />;
    case 'item':
      return <ItemDetails item={subject.item} record={record} />;
  }
}
