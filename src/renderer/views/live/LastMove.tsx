// What a person's last move came to: it is what the next one is decided by.
import type { ReactNode } from 'react';
import { isPlayedByPerson } from '../../../shared/episode/phase.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { ObservationView, useObservation } from '../../parts/observation/ObservationView.tsx';
import { DataText } from '../../parts/text/DataText.tsx';
import { moveLine } from '../../../shared/timeline/turnRow.ts';
import * as styles from './Composer.module.css';

/** The last move of this take-over, or before there is one what the episode begins with. */
export function LastMove({ record }: { record: EpisodeRecord }): ReactNode {
  const { turns, reset } = record;
  const since = isPlayedByPerson(record) ? 0 : record.phaseN;
  const last = turns.findLast(({ actor, n }) => actor.type === 'human' && n > since);
  const returned = last?.call?.returned ?? null;
  const parts = useObservation((turns.length === 0 ? reset?.frame : returned?.frame) ?? '');
  if (turns.length === 0 && parts !== null)
    return <ObservationView label="First observation" parts={parts} reward={null} />;
  if (last === undefined || returned === null) return null;
  const text = returned.error ?? returned.text;
  const outcome = returned.error === null ? 'came back' : 'failed';
  const name = last.move === null ? '' : moveLine(last.move);
  return (
    <section aria-label="Your last move">
      <p className={styles.note}>
        {`Turn ${String(last.turn)}: `}
        <code>{name}</code>
        {` ${outcome}`}
      </p>
      {parts !== null && returned.error === null ? (
        <ObservationView label="Observation" parts={parts} reward={returned.reward} />
      ) : text === null ? null : (
        <DataText label="Result" text={text} />
      )}
    </section>
  );
}

/** Beside the timeline of a game that is over, so that its end is seen. */
export function LastMovePanel({ record }: { record: EpisodeRecord }): ReactNode {
  return (
    <div className={styles.body}>
      <LastMove record={record} />
    </div>
  );
}
