// Where an episode came from and what went on from it, as links either way.
import { GitFork } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EpisodeRow } from '../../../shared/contract/rows.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { useConsole } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';
import { isViewOf, useRole } from '../../state/role.ts';
import { formatRoute } from '../../state/route.ts';
import { formatCount } from '../text/size.ts';
import { isCovered } from './facts.ts';
import { carriedText } from '../timeline/stepInRow.ts';
import * as styles from './Lineage.module.css';

export function Lineage({ record }: { record: EpisodeRecord }): ReactNode {
  const isOwner = isViewOf('replay', useRole());
  // The other episode would tell how this one may have gone.
  const isBlind = isCovered(record);
  const branches = useBranches(record.id);
  const { forked } = record;
  if (forked === null && branches.length === 0) return null;
  const drift =
    forked === null
      ? ''
      : forked.drift.length === 0
        ? 'without drift'
        : `${formatCount(forked.drift.length, 'result')} differ from the log`;
  return (
    <p className={styles.lineage}>
      <GitFork aria-hidden="true" />
      {forked === null ? null : (
        <span>
          {forked.why === 'fork' ? 'Forked from ' : 'Continues from '}
          {isBlind ? (
            forked.from
          ) : (
            <a
              href={formatRoute(
                isOwner
                  ? { view: 'replay', episode: forked.from, n: null }
                  : { view: 'live', episode: forked.from },
              )}
            >
              {forked.from}
            </a>
          )}
          {`, turns to ${String(forked.from_turn)} copied; ${formatCount(forked.replayed, 'call')} replayed, ${drift}. `}
          {isOwner && !isBlind ? (
            <a href={formatRoute({ view: 'compare', left: forked.from, right: record.id })}>
              Compare with the original
            </a>
          ) : null}
          {carriedText(forked) === '' ? null : ` ${carriedText(forked)}.`}
        </span>
      )}
      {branches.length === 0 ? null : (
        <span>
          {`${formatCount(branches.length, 'episode')} ${branches.length === 1 ? 'continues' : 'continue'} from here: `}
          {branches.map(({ id, status }, index) => (
            <span key={id}>
              {index === 0 ? '' : ', '}
              {isBlind ? id : <a href={formatRoute({ view: 'live', episode: id })}>{id}</a>}
              {status === 'ended' ? '' : ' (running)'}
            </span>
          ))}
        </span>
      )}
    </p>
  );
}

const BRANCHES_MAX = 50;

/** Episodes that were forked or resumed from this one: those of before, and those that come while we look. */
function useBranches(episode: string): readonly EpisodeRow[] {
  const news = useConsole(({ record }) => {
    let count = 0;
    for (const row of record.rows.values()) if (row.forked_from === episode) count += 1;
    return count;
  });
  // An episode without its branches is still whole.
  const { value } = useAsk(
    'episodes.page',
    { query: episode, status: null, condition: null, offset: 0, limit: BRANCHES_MAX },
    { revision: news },
  );
  return (value?.rows ?? []).filter((row) => row.forked_from === episode);
}
