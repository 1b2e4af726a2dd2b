// The commands that make data sets: looked at first, then written.
import type { Handlers, Inputs } from '../../shared/contract/contract.ts';
import { Failure } from '../../shared/failure.ts';
import { exportHistory, type ExportJobs } from '../dataset/export/exportJobs.ts';
import {
  writeAside,
  type Into,
  type WrittenFiles,
  writeEventBundle,
  writeSources,
} from '../dataset/bundle.ts';
import { holdOut } from '../dataset/export/select.ts';
import { checkSameLog } from '../dataset/export/manifest.ts';
import type { SourceStore } from '../dataset/import/sourceStore.ts';
import type { EventLog } from '../log/eventLog.ts';
import { ANNOTATIONS_FILE, writeAnnotations } from '../review/annotationLines.ts';
import { actorOf, type CommandLines } from './commandLines.ts';

type ExportHandlers = Pick<
  Handlers,
  'export.start' | 'export.log' | 'export.job' | 'export.cancel' | 'export.show' | 'export.history'
>;

type ExportDependencies = {
  log: EventLog;
  exports: ExportJobs;
  sources: SourceStore;
  lines: Pick<CommandLines, 'current'>;
  /** Opens a folder in the system's own window for files; says what went wrong, or nothing. Null where no host can. */
  openFolder: ((path: string) => Promise<string>) | null;
};

export function exportCommands(parts: ExportDependencies): ExportHandlers {
  const { log, exports, openFolder, lines } = parts;
  const cancelled = (id: string): string => {
    lines.current()?.onLeave(() => exports.cancel(id));
    return id;
  };
  return {
    'export.start': async ({ write, ...asked }, caller) => {
      if (write === null) return { export: cancelled(exports.check(asked)) };
      const { into, since, ...how } = write;
      if (since !== undefined) checkSameLog(log, { log: { to: since.to, last: since } });
      const where = into === undefined ? null : { folder: into.folder, isForced: into.is_forced };
      return { export: cancelled(exports.write({ ...asked, ...how, into: where }, actorOf(caller))) };
    },
    'export.log': async (ask) => {
      const stopping = new AbortController();
      const undo = lines.current()?.onLeave(() => stopping.abort());
      try {
        const { findings = [], damaged = [], ...written } = await writeLog(parts, ask, stopping.signal);
        return { ...written, findings, damaged };
      } finally {
        undo?.();
      }
    },
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

function writeLog(
  { log, sources }: ExportDependencies,
  { format, rules: asked, into: where }: Inputs['export.log'],
  signal: AbortSignal,
): Promise<WrittenFiles> {
  const rules = holdOut(log, asked);
  const into: Into = { folder: where.folder, isForced: where.is_forced, signal };
  switch (format) {
    case 'events':
      return writeEventBundle(log, { ...into, rules });
    case 'source':
      return writeSources(log, sources, { ...into, rules });
    case 'annotations':
      return writeAside(into, { places: [ANNOTATIONS_FILE] }, (stage) =>
        writeAnnotations(log, stage.path('')),
      );
  }
}
