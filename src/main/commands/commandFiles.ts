// What commands of the command line write to the log of a running Interject: imported files, notes.
import type { Handlers } from '../../shared/contract/contract.ts';
import { seatActor, SYSTEM } from '../../shared/events/actor.ts';
import { noteExport } from '../dataset/export/exportJobs.ts';
import type { ImportJobs } from '../dataset/import/importJobs.ts';
import type { SourceStore } from '../dataset/import/sourceStore.ts';
import type { EventLog } from '../log/eventLog.ts';
import { noteSplit } from '../log/pinnedSplits.ts';
import { eraseEpisode } from './erase.ts';
import { addTrainerLog } from './importedRuns.ts';

type Dependencies = { log: EventLog; sources: SourceStore; jobs: ImportJobs };
type CommandFileHandlers = Pick<
  Handlers,
  | 'launch.import_file'
  | 'launch.import_ended'
  | 'launch.add_log'
  | 'launch.erase'
  | 'launch.note_export'
  | 'launch.pin_split'
>;

export const commandFileCommands = ({ log, sources, jobs }: Dependencies): CommandFileHandlers => ({
  'launch.import_file': async ({ files, lossy, remarks }) => ({
    import: jobs.begin(files, { isLossy: lossy, remarks }),
  }),
  'launch.import_ended': ({ import: id }) => jobs.ended(id),
  'launch.add_log': async ({ run, file, base64, is_chosen: isChosen }) =>
    addTrainerLog(log, SYSTEM, { run, file, bytes: Buffer.from(base64, 'base64'), isChosen }),
  'launch.erase': async (asked) => eraseEpisode({ log, sources }, asked, seatActor(null)),
  'launch.note_export': async ({ rules, ...report }) => {
    noteExport(log, SYSTEM, report, rules);
    return {};
  },
  'launch.pin_split': async ({ name, pinned }) => {
    noteSplit(log, name, pinned);
    return {};
  },
});
