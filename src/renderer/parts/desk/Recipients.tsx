// Who gets one answer: the asks that are alike, each of which can be left out.
import { memo, type ReactNode } from 'react';
import type { DeskItem } from '../../../shared/contract/rows.ts';
import { textHead } from '../../../shared/events/text.ts';
import { TaskWords } from '../episode/TaskTitle.tsx';
import { oneLine } from '../episode/taskTitle.ts';
import { TwinMark } from '../episode/twinMarks.ts';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import * as styles from './Desk.module.css';

type RecipientsProps = {
  front: DeskItem;
  group: readonly DeskItem[];
  chosen: ReadonlySet<string>;
  onToggle: (consultation: string) => void;
};

export const Recipients = memo(function Recipients({
  front,
  group,
  chosen,
  onToggle,
}: RecipientsProps): ReactNode {
  if (group.length < 2) return null;
  return (
    <fieldset className={styles.recipients}>
      <legend>{`Answer ${String(chosen.size)} of ${String(group.length)}`}</legend>
      <p className="quiet small">
        These episodes are stuck at the same failing call of the same task. Your answer goes to every ticked
        one. It is one decision of yours; a bench counts an answer in each episode.
      </p>
      <ul>
        {group.map((item) => {
          const isFront = item.consultation === front.consultation;
          return (
            <li key={item.consultation}>
              <label>
                <input
                  type="checkbox"
                  checked={isFront || chosen.has(item.consultation)}
                  disabled={isFront}
                  onChange={() => onToggle(item.consultation)}
                />
                <span className={styles.asks}>
                  <TaskWords text={oneLine(textHead(item.question ?? item.task ?? item.episode))} />
                </span>
                <small className="quiet small">
                  {`turn ${String(item.turn)}`}
                  <TwinMark episode={item.episode} />
                </small>
                <RelativeTime at={item.asked_at} />
                {isFront ? <span className="quiet small">this one</span> : null}
              </label>
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
});
