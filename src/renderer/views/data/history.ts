// What was written before, as main keeps it.
import type { z } from 'zod';
import type { exporting } from '../../../shared/contract/export.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { useAsk } from '../../state/queries.ts';

export type PastExport = z.output<(typeof exporting)['export.history']['output']>['exports'][number];

/** Read again whenever `written` changes: another write has ended. */
export function useHistory(written: string): {
  exports: readonly PastExport[];
  failure: FailureShape | null;
  again: () => void;
} {
  const { value, failure, again } = useAsk('export.history', {}, { revision: written });
  return { exports: value?.exports ?? NO_EXPORTS, failure, again };
}

const NO_EXPORTS: readonly PastExport[] = [];
