// Whether nothing was ever recorded here: only then the owner is asked how to begin.
import { useConsole } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';
import { useRole } from '../../state/role.ts';

/** No row is asked for, only how many there are: a row may tell a verdict, which would mark later advice. */
const NO_ROW = { query: '', status: null, condition: null, offset: 1_000_000_000, limit: 1 } as const;

/** Null until main has said so. */
export function useIsFirstStart(): boolean | null {
  const isOwner = useRole() === 'owner';
  const hasRows = useConsole(({ record }) => record.rows.size > 0);
  const revision = useConsole(({ record }) => record.rowsRevision);
  const mayBe = isOwner && !hasRows;
  const { value, failure } = useAsk('episodes.page', mayBe ? NO_ROW : null, { revision });
  if (!mayBe || failure !== null) return false;
  return value === null ? null : value.total === 0;
}
