// The commands of archiving: what it would do, doing it, undoing it.
import { existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Handlers } from '../../shared/contract/contract.ts';
import { seatActor } from '../../shared/events/actor.ts';
import { Failure } from '../../shared/failure.ts';
import { ARCHIVES } from '../log/archived.ts';
import type { ArchiveJobs } from '../log/archiveJobs.ts';
import type { EventLog } from '../log/eventLog.ts';

type ArchiveDependencies = { log: EventLog; archiving: ArchiveJobs; folder: string };
type ArchiveHandlers = Pick<
  Handlers,
  | 'archive.estimate'
  | 'archive.start'
  | 'archive.bring_back'
  | 'archive.jobs'
  | 'archive.cancel'
  | 'archive.files'
>;

export function archiveCommands({ log, archiving, folder }: ArchiveDependencies): ArchiveHandlers {
  return {
    'archive.estimate': async ({ choice }) => {
      const chosen = await archiving.episodesOf(choice);
      const ready = log.archiver.ready(chosen);
      const archived = chosen.filter((id) => log.archives.path(id) !== null).length;
      return {
        episodes: ready.length,
        archived,
        open: chosen.length - ready.length - archived,
        bytes: log.archiver.bytes(ready),
        log_bytes: log.bytes(),
        free_bytes: await freeBytes(folder),
        folder: join(folder, ARCHIVES),
        running: log.projections.open().length,
      };
    },
    'archive.start': async ({ choice, compact }, { seat }) => {
      const running = log.projections.open().length;
      if (compact && running > 0)
        throw new Failure(
          'bad_input',
          'the log cannot be shrunk while episodes run: they would stand still',
          {
            next: 'Archive without shrinking the log, or wait until they have ended.',
          },
        );
      return { job: archiving.archive(choice, compact, seatActor(seat)) };
    },
    'archive.bring_back': async ({ from }, { seat }) => ({ job: archiving.bringBack(from, seatActor(seat)) }),
    'archive.jobs': async () => ({ jobs: archiving.jobs() }),
    'archive.cancel': async ({ job }) => {
      archiving.cancel(job);
      return {};
    },
    'archive.files': async () => ({
      files: log.archives.files().map(({ file, path, episodes }) => ({
        file,
        path,
        episodes,
        bytes: statSync(path, { throwIfNoEntry: false })?.size ?? null,
      })),
    }),
  };
}

/** What is free on the disk of a folder that may not be there yet. */
async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(existsSync(folder) ? folder : dirname(folder));
    return bavail * bsize;
  } catch {
    return null;
  }
}
