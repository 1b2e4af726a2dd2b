// Owns: the commands that make data sets: looked at first, then written.
import type { Handlers } from '../../shared/contract/contract.ts';
import { exportHistory, type ExportJobs } from '../dataset/export/jobs.ts';
import type { EventLog } from '../log/eventLog.ts';

type ExportHandlers = Pick<
  Handlers,
  'export.check' | 'export.write' | 'export.job' | 'export.cancel' | 'export.history'
>;

export function exportCommands({ log, exports }: { log: EventLog; exports: ExportJobs }): ExportHandlers {
  return {
    'export.check': async (ask) => ({ export: exports.check(ask) }),
    'export.write': async (ask, { seat }) => ({ export: exports.write(ask, { type: 'human', id: seat }) }),
    'export.job': async ({ export: id }) => exports.job(id),
    'export.cancel': async ({ export: id }) => {
      exports.cancel(id);
      return {};
    },
    'export.history': async () => ({ exports: exportHistory(log) }),
  };
}
