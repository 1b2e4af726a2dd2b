// Owns: what was written before, as main keeps it.
import type { z } from 'zod';
import type { exporting } from '../../../shared/contract/export.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { useAnswer } from '../../state/useAnswer.ts';
import { useExportCalls } from './exportCalls.ts';

export type Written = z.output<(typeof exporting)['export.history']['output']>['exports'][number];

/** Read again whenever `written` changes: another write has ended. */
export function useHistory(written: string): {
  exports: readonly Written[];
  failure: FailureShape | null;
  again: () => void;
} {
  const { call } = useExportCalls();
  const { value, failure, again } = useAnswer(`history ${written}`, () => call('export.history', {}));
  return { exports: value?.exports ?? NONE, failure, again };
}

const NONE: readonly Written[] = [];
