// Outcomes of the last answers given here, at the foot of the list.
import type { ReactNode } from 'react';
import { callBecame, stopOutcome } from '../../../shared/episode/callOutcome.ts';
import { endOf, followedText } from '../../../shared/episode/uptake.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { VisibleText } from '../../parts/text/VisibleText.tsx';
import { useConsole, useEpisodeRecord } from '../../state/hooks.ts';
import { episodeRoute, formatRoute } from '../../state/route.ts';
import type { AnsweredQuestion } from '../../state/store.ts';
import { OutcomeOrHidden } from '../../ui/OutcomeMark.tsx';
import * as styles from './Answered.module.css';

export function RecentlyAnswered(): ReactNode {
  const answered = useConsole(({ ui }) => ui.answered);
  if (answered.length === 0) return null;
  return (
    <section className={styles.answered} aria-labelledby="recently-answered">
      <h2 className={styles.head} id="recently-answered">
        Recently answered
      </h2>
      <ul>
        {answered.map((one) => (
          <AnsweredLine key={one.consultation} one={one} />
        ))}
      </ul>
    </section>
  );
}

/** The outcome, without the task's end; null if nothing can be said yet. */
function becameOf(record: EpisodeRecord, { consultation, call, since }: AnsweredQuestion): string | null {
  if (call !== undefined) return callBecame(record, call);
  if (since !== undefined) return record.ended === null ? stopOutcome(record, since) : null;
  const asked = record.consultations.find(({ id }) => id === consultation);
  return asked === undefined ? null : followedText(record, asked);
}

function AnsweredLine({ one }: { one: AnsweredQuestion }): ReactNode {
  const { episode, label, done } = one;
  const { record } = useEpisodeRecord(episode);
  const isHidden = record.started?.is_covered === true;
  const followed = isHidden ? null : becameOf(record, one);
  return (
    <li className={styles.line}>
      <TaskWords text={label} />
      <a href={formatRoute(episodeRoute(episode))} aria-label={`Watch ${label}`}>
        Watch
      </a>
      <span className={styles.became} role="status">
        <OutcomeOrHidden outcome={isHidden ? 'hidden' : endOf(record)} detail="word" />
        <span>
          <VisibleText text={followed === null || followed === '' ? done : followed} />
        </span>
      </span>
    </li>
  );
}
