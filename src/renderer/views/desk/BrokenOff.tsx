// Episodes that broke off when the program ended and go on only with a person's word, below what waits.
import type { Inputs } from '../../../shared/contract/contract.ts';
import { Play } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { rowWords, taskName } from '../../parts/episode/episodeRowText.ts';
import { TaskPlace, TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { useKeys, useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { episodeRoute, formatRoute } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import * as styles from './Suggestions.module.css';
import { brokenOffTitle, type BrokenOffRow } from '../../parts/desk/useBrokenOff.ts';

type Word = Inputs['episode.settle']['act'];

/** Settles several episodes by a person's word; stops at the first refusal. */
function useWord() {
  const { call } = useSession();
  return useAct(async (word: Word, ids: readonly string[]) => {
    for (const episode of ids) await call('episode.settle', { episode, act: word });
  }, 'Could not do that');
}

export const BrokenOffList = memo(function BrokenOffList({
  rows,
  isAllThereIs,
}: {
  rows: readonly BrokenOffRow[];
  /** No question or call waits beside them. */
  isAllThereIs: boolean;
}): ReactNode {
  const all = useWord();
  const ids = rows.map(({ id }) => id);
  const say = (word: Word): void => void all.run(word, ids);
  useKeys(rows.length === 0 ? {} : { go_on: () => say('go_on') });
  if (rows.length === 0) return null;
  const why = sharedWhy(rows);
  return (
    <section className={styles.suggestions} aria-label="Stopped episodes">
      <h2 className={styles.head}>{brokenOffTitle(rows)}</h2>
      {why === null ? null : <p className={styles.whyAll}>{why}</p>}
      <p className={styles.forAll}>
        <Button
          size="small"
          tone={isAllThereIs ? 'primary' : 'plain'}
          chord="go_on"
          icon={<Play />}
          isBusy={all.isBusy}
          onClick={() => say('go_on')}
        >
          {rows.length === 1 ? 'Go on' : 'Go on with all'}
        </Button>
        <Button size="small" tone="quiet" isDisabled={all.isBusy} onClick={() => say('end')}>
          {rows.length === 1 ? 'Let it be' : 'Let all be'}
        </Button>
      </p>
      <ul>
        {rows.map((row) => (
          <BrokenOffLine key={row.id} row={row} isAlone={rows.length === 1} saysWhy={why === null} />
        ))}
      </ul>
    </section>
  );
});

type LineProps = {
  row: BrokenOffRow;
  /** The acts above are about it already. */
  isAlone: boolean;
  /** Not all of them broke off for the same reason. */
  saysWhy: boolean;
};

/** The reason why all wait; null if they have several. */
function sharedWhy(rows: readonly BrokenOffRow[]): string | null {
  const why = rows[0]?.broke_off.why ?? null;
  return rows.every(({ broke_off: one }) => one.why === why) ? why : null;
}

const BrokenOffLine = memo(function BrokenOffLine({ row, isAlone, saysWhy }: LineProps): ReactNode {
  const one = useWord();
  const { id, broke_off: brokeOff } = row;
  return (
    <li className={styles.line}>
      <span className="strong shrinks">
        <TaskWords text={rowWords(row)} />
      </span>
      <RelativeTime at={brokeOff.at} />
      {saysWhy ? <p className={styles.why}>{brokeOff.why}</p> : null}
      <TaskPlace place={taskName(row)} episode={id} />
      <span className={styles.acts}>
        {isAlone ? null : (
          <>
            <Button size="small" isBusy={one.isBusy} onClick={() => void one.run('go_on', [id])}>
              Go on
            </Button>
            <Button
              size="small"
              tone="quiet"
              isDisabled={one.isBusy}
              onClick={() => void one.run('end', [id])}
            >
              Let it be
            </Button>
          </>
        )}
        <a className={styles.open} href={formatRoute(episodeRoute(id))}>
          Open
        </a>
      </span>
    </li>
  );
});
