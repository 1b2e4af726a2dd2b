// The commands that make data sets: looked at first, then written.
import type { Handlers } from '../../shared/contract/contract.ts';
import { seatActor } from '../../shared/events/actor.ts';
import { Failure } from '../../shared/failure.ts';
import { exportHistory, type ExportJobs } from '../dataset/export/exportJobs.ts';
import type { EventLog } from '../log/eventLog.ts';

type ExportHandlers = Pick<
  Handlers,
  'export.check' | 'export.write' | 'export.job' | 'export.cancel' | 'export.show' | 'export.history'
>;

type ExportDependencies = {
  log: EventLog;
  exports: ExportJobs;
  /** Opens a folder in the system's own window for files; says what went wrong, or nothing. Null where no host can. */
  openFolder: ((path: string) => Promise<string>) | null;
};

export function exportCommands({ log, exports, openFolder }: ExportDependencies): ExportHandlers {
  return {
    'export.check': async (ask) => ({ export: exports.check(ask) }),
    'export.write': async (ask, { seat }) => ({ export: exports.write(ask, seatActor(seat)) }),
    'export.job': async ({ export: id }) => exports.job(id),
    'export.cancel': async ({ export: id }) => {
      exports.cancel(id);
      return {};
    },
    'export.show': async ({ folder }) => {
      // Only what an export made: the command opens no folder of somebody's choice.
      if (!exportHistory(log).some((one) => one.folder === folder))
        throw new Failure('not_found', `no export was written to ${folder}`);
      if (openFolder === null)
        throw new Failure('bad_input', 'this console cannot open folders', { next: 'Open it yourself.' });
      const problem = await openFolder(folder);
      if (problem !== '') throw new Failure('not_found', `${folder} could not be opened: ${problem}`);
      return {};
    },
    'export.history': async () => ({ exports: exportHistory(log) }),
  };
}
