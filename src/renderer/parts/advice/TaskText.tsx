// The task of a card; once it is scrolled away, its beginning stays at the top of what is read.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { DeskItem } from '../../../shared/episode/rowShapes.ts';
import { textHead } from '../../../shared/events/text.ts';
import { cx } from '../../ui/cx.ts';
import { LongText } from '../text/LongText.tsx';
import { VisibleText } from '../text/VisibleText.tsx';
import * as styles from './AdviceCard.module.css';

export function TaskText({ task }: Pick<DeskItem, 'task'>): ReactNode {
  const section = useRef<HTMLElement>(null);
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    const { current } = section;
    if (current === null) return undefined;
    const observer = new IntersectionObserver((entries) =>
      setIsAway(entries.at(-1)?.isIntersecting === false),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <section ref={section} aria-label="Task" className="soft">
        <h2 className={styles.label}>The task</h2>
        {task === null ? <p className={styles.quiet}>No task text.</p> : <LongText text={task} isProse />}
      </section>
      {task === null ? null : (
        <div className={styles.taskAbove}>{isAway ? <TaskAbove text={textHead(task)} /> : null}</div>
      )}
    </>
  );
}

/** Its first lines, for most tasks all of them; all of a long one once pressed. */
function TaskAbove({ text }: { text: string }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <button
      type="button"
      className={cx(styles.taskLines, isOpen && styles.isWhole)}
      aria-expanded={isOpen}
      onClick={() => setIsOpen(!isOpen)}
    >
      <span>
        <b className="quiet regular">Task</b> <VisibleText text={text} />
      </span>
    </button>
  );
}
