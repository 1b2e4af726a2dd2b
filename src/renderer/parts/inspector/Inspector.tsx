// The pane beside a timeline: the step's events, the conversation, the tools, the answer key.
import { useMemo, type ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { type RewardPoint, rewardsOf } from '../../../shared/episode/walkthrough.ts';
import type { Recorded } from '../../../shared/events/vocabulary.ts';
import { lazyPart } from '../../ui/LazyPart.tsx';
import { Tabs, type Tab } from '../../ui/Tabs.tsx';
import { NumberTable } from '../figure/NumberTable.tsx';
import type { TimelineState } from '../timeline/useTimeline.ts';
import { AnswerKey } from './AnswerKey.tsx';
import { Conversation } from './Conversation.tsx';
import { eventsOf, StepEvents } from './StepEvents.tsx';
import { ToolList } from './ToolList.tsx';
import type { AnswerKeyState } from './useAnswerKey.ts';

/** The drawing of figures is fetched when one is opened. */
const Walkthrough = lazyPart(async () => (await import('./Walkthrough.tsx')).Walkthrough, {
  label: 'Loading the figure',
  rows: 4,
});

type Panel = 'step' | 'conversation' | 'tools' | 'key' | (string & {});

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
  panels?: readonly ExtraPanel[];
  current: string;
  onChoose: (panel: string) => void;
};

export function Inspector(props: InspectorProps): ReactNode {
  const { record, events, timeline, answerKey, seat, panels = [], current, onChoose } = props;
  const { all, activeKey } = timeline;
  const raw = useMemo(() => eventsOf(events, all, activeKey), [events, all, activeKey]);
  const rewards = useMemo(() => rewardsOf(record), [record]);
  const tabs: Tab<Panel>[] = [
    { id: 'conversation', label: 'Conversation', panel: <Conversation record={record} /> },
    { id: 'step', label: 'Events', panel: <StepEvents events={raw} /> },
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
      ? [{ id: 'rewards', label: 'Rewards', panel: <RewardTable points={rewards} /> }]
      : []),
    ...(record.turns.length === 0
      ? []
      : [{ id: 'walkthrough', label: 'Walkthrough', panel: <Walkthrough record={record} /> }]),
    ...panels,
  ];
  const shown = tabs.some(({ id }) => id === current) ? current : 'conversation';
  return <Tabs label="Inspector" tabs={tabs} current={shown} onChoose={onChoose} />;
}

function RewardTable({ points }: { points: readonly RewardPoint[] }): ReactNode {
  const rows = points.map(({ turn, reward, total }) => [turn, reward, total]);
  return <NumberTable caption="Reward by turn" table={{ columns: ['Turn', 'Reward', 'So far'], rows }} />;
}
