// Waits for archiving that the running Interject does for a command, and tells how far it is.
import type { ArchiveJob } from '../../shared/contract/archive.ts';
import { Failure, failureFrom } from '../../shared/failure.ts';
import type { ArchiveProgress } from '../log/archiveRun.ts';
import type { DoorLine } from './doorLine.ts';

const LOOK_MS = 250;

/** Throws what the archiving failed with, and `cancelled`. */
export async function archivingThrough(
  line: DoorLine,
  job: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: ArchiveProgress) => void },
): Promise<ArchiveJob> {
  const cancel = (): void => void line.call('archive.cancel', { job }).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const look = setInterval(() => {
    void line.call('archive.jobs', {}).then(
      ({ jobs }) => {
        const progress = jobs.find((one) => one.job === job)?.progress ?? null;
        if (progress !== null) onProgress(progress);
      },
      () => undefined,
    );
  }, LOOK_MS);
  try {
    const done = await line.call('launch.archive_ended', { job });
    if (done.failure !== null) throw failureFrom(done.failure);
    if (done.state === 'cancelled') throw new Failure('cancelled', 'the archiving was stopped');
    return done;
  } finally {
    clearInterval(look);
    signal.removeEventListener('abort', cancel);
  }
}
