// Owns: the pane beside a timeline: the step's events, the conversation, the tools, the answer key.
import { useMemo, useState, type ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Recorded } from '../../../shared/events/vocabulary.ts';
import { Tabs, type Tab } from '../../ui/Tabs.tsx';
import type { TimelineState } from '../timeline/useTimeline.ts';
import { AnswerKey, hasSeenKey } from './AnswerKey.tsx';
import { Conversation } from './Conversation.tsx';
import { eventsOf, StepEvents } from './StepEvents.tsx';
import { ToolList } from './ToolList.tsx';
import type { AnswerKeyState } from './useAnswerKey.ts';

type Panel = 'answer' | 'step' | 'conversation' | 'tools' | 'key';

export type InspectorProps = {
  record: EpisodeRecord;
  events: readonly Recorded[];
  timeline: TimelineState;
  answerKey: AnswerKeyState;
  seat: string;
  /** An open question of this episode: a panel of its own, shown first when it comes. */
  answer?: { id: string; panel: ReactNode } | null;
};

export function Inspector(props: InspectorProps): ReactNode {
  const { record, events, timeline, answerKey, seat, answer = null } = props;
  const { all, activeKey } = timeline;
  const [chosen, setChosen] = useState<{ panel: Panel; answer: string | null }>({
    panel: 'step',
    answer: null,
  });
  const raw = useMemo(() => eventsOf(events, all, activeKey), [events, all, activeKey]);
  // A new question comes first; what is chosen after that stands until the next one.
  const isNewQuestion = answer !== null && chosen.answer !== answer.id;
  const wanted = isNewQuestion ? 'answer' : chosen.panel;
  const current = wanted === 'answer' && answer === null ? 'step' : wanted;
  const tabs: Tab<Panel>[] = [
    ...(answer === null ? [] : [{ id: 'answer' as const, label: 'Answer', panel: answer.panel }]),
    { id: 'step', label: 'Events', panel: <StepEvents events={raw} /> },
    { id: 'conversation', label: 'Conversation', panel: <Conversation record={record} /> },
    { id: 'tools', label: 'Tools', panel: <ToolList tools={record.tools} /> },
    {
      id: 'key',
      label: 'Answer key',
      panel: <AnswerKey state={answerKey} hasSeen={hasSeenKey(record, seat)} />,
    },
  ];
  return (
    <Tabs
      label="Inspector"
      tabs={tabs}
      current={current}
      onChoose={(panel) => setChosen({ panel, answer: answer?.id ?? null })}
    />
  );
}
