// Links to the episodes this one came from, and to those that went on from it.
import { GitFork } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EpisodeRow } from '../../../shared/episode/rowShapes.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { useConsole } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';
import { isViewOf, useRole } from '../../state/role.ts';
import { episodeRoute, formatRoute } from '../../state/route.ts';
import { formatCount } from '../text/size.ts';
import { isCovered } from './facts.ts';
import { carriedText } from '../../../shared/timeline/stepInRow.ts';
import * as styles from './Lineage.module.css';

export function Lineage({ record }: { record: EpisodeRecord }): ReactNode {
  const isOwner = isViewOf('episodes', useRole());
  // The other episode would tell how this one may have gone.
  const isBlind = isCovered(record);
  const all = useBranches(record.id);
  const branches = all.filter(({ lift_arm: arm }) => arm === undefined);
  const continuations = all.filter(({ lift_arm: arm }) => arm !== undefined);
  const { forked } = record;
  if (forked === null && all.length === 0) return null;
  const drift =
    forked === null
      ? ''
      : forked.drift.length === 0
        ? 'without drift'
        : `${formatCount(forked.drift.length, 'result')} differ from the log`;
  return (
    <div className={styles.lineage}>
      <GitFork aria-hidden="true" />
      {forked === null ? null : (
        <span>
          {forked.why === 'fork' ? 'Forked from ' : 'Continues from '}
          {isBlind ? forked.from : <a href={formatRoute(episodeRoute(forked.from))}>{forked.from}</a>}
          {`, turns to ${String(forked.from_turn)} copied; ${formatCount(forked.replayed, 'call')} replayed, ${drift}. `}
          {isOwner && !isBlind ? (
            <a href={formatRoute({ view: 'compare', left: forked.from, right: record.id })}>
              Compare with the original
            </a>
          ) : null}
          {carriedText(forked) === '' ? null : ` ${carriedText(forked)}.`}
          {armText(record)}
        </span>
      )}
      {branches.length === 0 ? null : (
        <span>
          {`${formatCount(branches.length, 'episode')} ${branches.length === 1 ? 'continues' : 'continue'} from here: `}
          {branches.map(({ id, status }, index) => (
            <span key={id}>
              {index === 0 ? '' : ', '}
              {isBlind ? id : <a href={formatRoute(episodeRoute(id))}>{id}</a>}
              {status === 'ended' ? '' : ' (running)'}
            </span>
          ))}
        </span>
      )}
      {continuations.length === 0 ? null : (
        <details>
          <summary>
            {`${formatCount(continuations.length, 'continuation')} ${continuations.length === 1 ? 'measures' : 'measure'} what its advice was worth`}
          </summary>
          {(['with', 'without'] as const).map((arm) => (
            <ContinuationList key={arm} arm={arm} isBlind={isBlind} rows={continuations} />
          ))}
        </details>
      )}
    </div>
  );
}

/** An episode's arm of a lift. */
const armText = ({ started }: EpisodeRecord): string =>
  started?.lift === undefined
    ? ''
    : ` A continuation of lift ${started.lift.lift}, ${started.lift.arm} the advice: neither data nor anybody’s work.`;

type ContinuationListProps = { arm: 'with' | 'without'; isBlind: boolean; rows: readonly EpisodeRow[] };

function ContinuationList({ arm, isBlind, rows }: ContinuationListProps): ReactNode {
  const own = rows.filter((row) => row.lift_arm === arm);
  if (own.length === 0) return null;
  return (
    <p>
      {`${arm === 'with' ? 'With' : 'Without'} the advice: `}
      {own.map(({ id }, index) => (
        <span key={id}>
          {index === 0 ? '' : ', '}
          {isBlind ? id : <a href={formatRoute(episodeRoute(id))}>{id}</a>}
        </span>
      ))}
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
