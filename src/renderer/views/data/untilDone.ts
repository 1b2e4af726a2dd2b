// Owns: waiting for an export that runs in main.
import type { ExportReport } from '../../../shared/contract/export.ts';
import { Failure, failureFrom } from '../../../shared/failure.ts';
import type { Transport } from '../../client/transport.ts';

const EVERY_MS = 150;

/** What it came to. Throws what it failed with. */
export async function untilDone(call: Transport['call'], id: string): Promise<ExportReport> {
  for (;;) {
    const job = await call('export.job', { export: id });
    if (job.report !== null) return job.report;
    if (job.failure !== null) throw failureFrom(job.failure);
    if (job.state !== 'running') throw new Failure('cancelled', 'the export was cancelled');
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
