// The pane beside a timeline: the step's events, the conversation, the tools, the answer key.
import { useMemo, useState, type ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Recorded } from '../../../shared/events/vocabulary.ts';
import { lazyPart } from '../../ui/LazyPart.tsx';
import { Tabs, type Tab } from '../../ui/Tabs.tsx';
import { rewardSeries } from '../observation/rewardSeries.ts';
import type { TimelineState } from '../timeline/useTimeline.ts';
import { AnswerKey } from './AnswerKey.tsx';
import { Conversation } from './Conversation.tsx';
import { eventsOf, StepEvents } from './StepEvents.tsx';
import { ToolList } from './ToolList.tsx';
import type { AnswerKeyState } from './useAnswerKey.ts';

const LOADING_FIGURE = { label: 'Loading the figure', rows: 4 };

/** Few episodes give rewards by step: the drawing of figures is fetched when one is opened. */
const RewardChart = lazyPart(
  async () => (await import('../observation/RewardChart.tsx')).RewardChart,
  LOADING_FIGURE,
);
const Walkthrough = lazyPart(async () => (await import('./Walkthrough.tsx')).Walkthrough, LOADING_FIGURE);

type Panel = 'answer' | 'step' | 'conversation' | 'tools' | 'key' | (string & {});

/** A panel of the view the inspector stands in. */
export type ExtraPanel = { id: string; label: string; mark?: ReactNode; panel: ReactNode };
/** A panel that was asked for; `count` tells one asking from the next. */
export type FrontPanel = { id: string; count: number };

type InspectorProps = {
  record: EpisodeRecord;
  events: readonly Recorded[];
  timeline: TimelineState;
  answerKey: AnswerKeyState;
  seat: string;
  /** An open question of this episode: a panel of its own, shown first when it comes. */
  answer?: { id: string; label?: string; panel: ReactNode } | null;
  panels?: readonly ExtraPanel[];
  front?: FrontPanel | null;
};

export function Inspector(props: InspectorProps): ReactNode {
  const { record, events, timeline, answerKey, seat, answer = null, panels = [], front = null } = props;
  const { all, activeKey } = timeline;
  const [answerId, frontCount] = [answer?.id ?? null, front?.count ?? 0];
  const [chosen, setChosen] = useState<{ panel: Panel; answer: string | null; front: number }>({
    panel: 'step',
    answer: null,
    front: 0,
  });
  const choose = (panel: Panel): void => setChosen({ panel, answer: answerId, front: frontCount });
  // What is asked for, and a new question, come first; what is chosen after that stands.
  if (front !== null && chosen.front !== frontCount) choose(front.id);
  else if (answerId !== null && chosen.answer !== answerId) choose('answer');
  const raw = useMemo(() => eventsOf(events, all, activeKey), [events, all, activeKey]);
  const rewards = useMemo(() => rewardSeries(record), [record]);
  const tabs: Tab<Panel>[] = [
    ...(answer === null ? [] : [{ id: 'answer', label: answer.label ?? 'Answer', panel: answer.panel }]),
    { id: 'step', label: 'Events', panel: <StepEvents events={raw} /> },
    { id: 'conversation', label: 'Conversation', panel: <Conversation record={record} /> },
    {
      id: 'tools',
      label: 'Tools',
      panel: <ToolList tools={record.tools.length > 0 ? record.tools : record.offered} />,
    },
    {
      id: 'key',
      label: 'Answer key',
      panel: <AnswerKey record={record} seat={seat} state={answerKey} />,
    },
    ...(rewards.some(({ reward }) => reward !== 0)
      ? [{ id: 'rewards', label: 'Rewards', panel: <RewardChart points={rewards} /> }]
      : []),
    ...(record.turns.length === 0
      ? []
      : [{ id: 'walkthrough', label: 'Walkthrough', panel: <Walkthrough record={record} /> }]),
    ...panels,
  ];
  const current = tabs.some(({ id }) => id === chosen.panel) ? chosen.panel : 'step';
  return <Tabs label="Inspector" tabs={tabs} current={current} onChoose={choose} />;
}
