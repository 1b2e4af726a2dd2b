// What the log of an imported episode may lack: its format had no place for it.
import type { EpisodeRecord } from './record.ts';

/** As readers of formats say it. */
export const ERRORS_OF_CALLS = 'errors of calls';

/** Whether the log says of each call if it failed; of an import without that, a call that returned may have failed. */
export const recordsErrors = ({ imported }: Pick<EpisodeRecord, 'imported'>): boolean =>
  imported?.not_recorded.includes(ERRORS_OF_CALLS) !== true;
