// The list of everything that waits, in the order the person chose, with what they passed on at the end.
import {
  ArrowDownWideNarrow,
  CirclePause,
  Clock,
  Hand,
  Lightbulb,
  LightbulbOff,
  LoaderCircle,
  PencilLine,
  RotateCcw,
  UserRound,
} from 'lucide-react';
import { memo, type MouseEvent, type ReactNode } from 'react';
import { hasDraft } from '../../../shared/conditions.ts';
import type { DeskItem, HoldItem } from '../../../shared/episode/rowShapes.ts';
import { textHead } from '../../../shared/events/text.ts';
import { callSentence } from '../../../shared/sentences/sentence.ts';
import { askedAt, claimedBy, type DeskEntry, isPassedBy, whyText } from '../../parts/desk/deskQueue.ts';
import { setPrefs } from '../../state/deskPrefs.ts';
import { useConsole, useSession } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { VirtualList } from '../../ui/VirtualList.tsx';
import { DeadlineLine } from '../../parts/card/DecisionCard.tsx';
import { PAUSED } from '../../parts/episode/stateWords.ts';
import { TaskPlace, TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { taskPlace, taskWords } from '../../parts/episode/taskTitle.ts';
import { Badge } from '../../ui/Badge.tsx';
import { useClockValue } from '../../ui/clock.ts';
import { cx } from '../../ui/cx.ts';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import * as styles from './DeskList.module.css';

/** Of a row whose title takes both its lines; a shorter one is as high as its text. */
const DESK_ROW_HEIGHT = 98;

type DeskListProps = {
  list: readonly DeskEntry[];
  /** Cards in all; main lists the oldest. */
  total: number;
  current: string | null;
  onChoose: (key: string) => void;
  /** Held calls chosen for one approval. */
  chosen: ReadonlySet<string>;
  onToggle: (key: string) => void;
  onApprove: () => void;
  /** What the last approval of several calls came to; null before one. */
  approved: string | null;
  /** Missed asks and unsent texts, below. */
  children: ReactNode;
};

export function DeskList(props: DeskListProps): ReactNode {
  const { list, total, current, onChoose, chosen, onToggle, onApprove, approved, children } = props;
  const active = list.findIndex((one) => one.key === current);
  return (
    <section className={styles.list} aria-label="Waiting questions">
      <header className={styles.head}>
        <h1>
          Waiting <span className="quiet regular">{total}</span>
        </h1>
        <Order />
      </header>
      {chosen.size === 0 ? (
        approved === null ? null : (
          <p className={styles.batch} role="status">
            {approved}
          </p>
        )
      ) : (
        <p className={styles.batch}>
          <Button size="small" tone="primary" chord="desk.approve_chosen" onClick={onApprove}>
            {`Approve ${String(chosen.size)} held ${chosen.size === 1 ? 'call' : 'calls'}`}
          </Button>
        </p>
      )}
      {list.length === 0 ? (
        <p className={styles.none}>Nothing waiting.</p>
      ) : (
        <VirtualList
          label="Waiting questions"
          className={styles.rows}
          count={list.length}
          rowHeight={DESK_ROW_HEIGHT}
          isMeasured
          rowKey={(index) => list[index]?.key ?? index}
          renderRow={(index) => (
            <WaitingLine
              one={list[index]}
              isActive={index === active}
              isChosen={chosen.has(list[index]?.key ?? '')}
              onToggle={onToggle}
            />
          )}
          activeIndex={active}
          onActivate={(index) => onChoose(list[index]?.key ?? '')}
        />
      )}
      {total > list.length ? (
        <p
          className={styles.none}
        >{`${String(list.length)} cards for ${String(total)} waiting: similar questions share a card.`}</p>
      ) : null}
      {children}
    </section>
  );
}

function Order(): ReactNode {
  const { store } = useSession();
  const order = useConsole(({ ui }) => ui.prefs.order);
  const isByAge = order === 'age';
  return (
    <Button
      size="small"
      tone="quiet"
      icon={isByAge ? <Clock /> : <ArrowDownWideNarrow />}
      title={
        isByAge
          ? 'Sorted by age, oldest first. Press to sort by urgency.'
          : 'Sorted by urgency: waiting time, consecutive errors, repeated calls, turns left, near deadline. Press to sort by age.'
      }
      onClick={() => setPrefs(store, { order: isByAge ? 'triage' : 'age' })}
    >
      {isByAge ? 'Oldest first' : 'Most urgent first'}
    </Button>
  );
}

const CLIENTS = { chat_completions: 'A client of the expert model', mcp: 'An agent over MCP' } as const;
/** A question of which nothing but its door is known. */
const clientOf = (one: DeskEntry): string | null =>
  one.type === 'question' && one.item.via !== 'loop' ? CLIENTS[one.item.via] : null;

const WHY_MS = 30_000;

type WaitingLineProps = {
  one: DeskEntry | undefined;
  isActive: boolean;
  isChosen: boolean;
  onToggle: (key: string) => void;
};

const WaitingLine = memo(function WaitingLine({
  one,
  isActive,
  isChosen,
  onToggle,
}: WaitingLineProps): ReactNode {
  const { seat } = useSession();
  // Scores move with time; the list itself is put in order no more often.
  const why = useClockValue((now) =>
    one === undefined ? '' : whyText(one, Math.floor(now / WHY_MS) * WHY_MS),
  );
  if (one === undefined) return null;
  const { scenario, task_idx, task } = one.type === 'hold' ? one.hold : one.item;
  const other =
    clientOf(one) ?? (one.type === 'hold' && one.hold.is_tapped ? 'client episode' : 'no scenario');
  const named = { scenario, task_idx, task: task === null ? null : textHead(task) };
  // Shift and a press chooses a held call for one approval, as `x` does.
  const onClick = (event: MouseEvent): void => {
    if (!event.shiftKey) return;
    event.stopPropagation();
    onToggle(one.key);
  };
  return (
    <div
      className={cx(styles.line, isActive && styles.isActive)}
      title={why}
      onMouseDown={keepSelection}
      onClick={onClick}
    >
      <div className={styles.top}>
        <span className={styles.task}>
          <TaskWords lines={2} text={taskWords(named, other)} />
        </span>
        <span className={styles.age}>
          <RelativeTime at={askedAt(one)} />
        </span>
      </div>
      {one.type === 'hold' ? (
        <HoldLines hold={one.hold} isChosen={isChosen} place={taskPlace(named, other)} />
      ) : (
        <QuestionLines
          item={one.item}
          size={one.group.length}
          isPassed={isPassedBy(one, seat)}
          place={taskPlace(named, other)}
        />
      )}
    </div>
  );
});

/** A press with Shift chooses a call: it is not to mark text up to there. */
const keepSelection = (event: MouseEvent): void => {
  if (event.shiftKey) event.preventDefault();
};

type HoldLinesProps = { hold: HoldItem; isChosen: boolean; place: string };

function HoldLines({ hold, isChosen, place }: HoldLinesProps): ReactNode {
  const { doubt, why, episode, fallback } = hold;
  const call = hold.call ?? doubt ?? null;
  return (
    <>
      <p className="soft small shrinks">
        <TaskWords text={call === null ? why : callSentence({ name: call.tool_name }, call.arguments).text} />
      </p>
      <div className={styles.top}>
        <TaskPlace place={place} episode={episode} />
        <span className={styles.words}>
          {call === null ? <CirclePause aria-hidden="true" /> : <Hand aria-hidden="true" />}
          {call === null ? PAUSED : doubt === undefined ? why : 'answer lost'}
        </span>
        {fallback === 'approve' ? <Badge tone="error">Executed if nobody decides</Badge> : null}
        {isChosen ? <strong className={styles.words}>chosen</strong> : null}
      </div>
    </>
  );
}

type QuestionLinesProps = { item: DeskItem; size: number; isPassed: boolean; place: string };

function QuestionLines({ item, size, isPassed, place }: QuestionLinesProps): ReactNode {
  const { seat } = useSession();
  const hasUnsentText = useConsole(({ ui }) => Object.hasOwn(ui.unsentTexts, item.consultation));
  const { question, asked_task: askedTask, restarted_at: restartedAt } = item;
  const other = useClockValue((now) => claimedBy(item, seat, now));
  return (
    <>
      <p className="soft small shrinks">
        <TaskWords text={question === null ? (askedTask ?? 'Question without text') : textHead(question)} />
      </p>
      <div className={styles.top}>
        <TaskPlace place={place} episode={item.episode} />
        {isPassed ? <span className={styles.quiet}>you passed it on</span> : <DraftState item={item} />}
        {size > 1 ? <strong className={styles.words}>{`${String(size)} alike`}</strong> : null}
        {restartedAt === undefined ? null : <RestartMark />}
        {other === null ? null : (
          <span className={styles.words}>
            <UserRound aria-hidden="true" /> {`${other} is answering`}
          </span>
        )}
        {hasUnsentText ? (
          <span className={styles.words}>
            <PencilLine aria-hidden="true" /> unsent words
          </span>
        ) : null}
      </div>
      <DeadlineLine item={item} />
    </>
  );
}

/** Its episode was there before the program was started again. */
const RestartMark = (): ReactNode => (
  <span className={styles.quiet} title="Went on after a restart">
    <RotateCcw aria-hidden="true" />
    restarted
  </span>
);

function DraftState({ item: { draft, draft_failure: failure, condition } }: { item: DeskItem }): ReactNode {
  if (draft !== null) {
    return (
      <span className={styles.draft}>
        <Lightbulb aria-hidden="true" /> draft ready
      </span>
    );
  }
  if (!hasDraft(condition)) return <span className={styles.quiet}>no draft in this condition</span>;
  return (
    <span className={styles.quiet}>
      {failure === null ? <LoaderCircle aria-hidden="true" /> : <LightbulbOff aria-hidden="true" />}
      {failure === null ? 'drafting' : 'no draft'}
    </span>
  );
}
