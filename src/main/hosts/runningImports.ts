// Files that a command reads and has the running Interject take in: their bytes go through the door, as from its console.
import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { IMPORT_CHUNK, type FileReport, type ImportJob } from '../../shared/contract/import.ts';
import type { AddedLog, TrainerLog } from '../commands/importedRuns.ts';
import type { ImportListener } from '../dataset/import/importFile.ts';
import { blankReport, CANCELLED, type FileToImport } from '../dataset/import/readFile.ts';
import type { DoorLine } from './doorLine.ts';

/** One file after the other: others import too. */
export function createImporter(line: DoorLine) {
  let queue: Promise<unknown> = Promise.resolve();
  return (file: FileToImport, listening: ImportListener): Promise<FileReport> => {
    const report = queue.then(() => importOne(line, file, listening));
    queue = report.catch(() => undefined);
    return report;
  };
}

async function importOne(line: DoorLine, file: FileToImport, listening: ImportListener): Promise<FileReport> {
  const { signal } = listening;
  if (signal.aborted) return { ...blankReport(file.name), failure: CANCELLED };
  const files = filesOf(file);
  const { import: id } = await line.call('launch.import_file', {
    files: files.map(({ name, bytes }) => ({ name, bytes })),
    lossy: file.isLossy === true,
    remarks: file.remarks ?? null,
  });
  // Waited for from the start: a command that is killed leaves no half of it.
  const ended = line.call('launch.import_ended', { import: id });
  const cancel = (): void => void line.call('import.cancel', { import: id }).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  const unwatch = line.subscribe({ topic: 'imports' }, (push) => {
    if (push.topic === 'imports') tellBytes(push.jobs, id, listening);
  });
  try {
    await send(line, id, files, signal);
    const { job, episodes } = await ended;
    for (const one of episodes) listening.onEpisode(one);
    return reportOf(job, file);
  } finally {
    ended.catch(() => undefined);
    unwatch();
    signal.removeEventListener('abort', cancel);
    await line.call('import.cancel', { import: id }).catch(() => undefined);
  }
}

type Sent = { name: string; path: string; bytes: number };

/** The file first: by its own name, since it is read whatever it is. */
const filesOf = ({ name, path, beside }: FileToImport): Sent[] => [
  { name: basename(name), path, bytes: statSync(path).size },
  ...beside.map((one) => ({ name: one.name, path: one.path, bytes: one.bytes })),
];

/** Each byte is received first, then copied in and read. */
function tellBytes(jobs: readonly ImportJob[], id: string, { onBytes }: ImportListener): void {
  const job = jobs.find((one) => one.import === id);
  if (job !== undefined && job.state === 'reading') onBytes(Math.max(0, job.done - job.total / 3));
}

async function send(line: DoorLine, id: string, files: readonly Sent[], signal: AbortSignal): Promise<void> {
  try {
    for (const [file, { path }] of files.entries()) {
      let offset = 0;
      for await (const data of createReadStream(path, { highWaterMark: IMPORT_CHUNK })) {
        if (signal.aborted) return;
        const piece = data as Buffer;
        await line.call('import.chunk', { import: id, file, offset, data: piece.toString('base64') });
        offset += piece.length;
      }
    }
    await line.call('import.end', { import: id });
  } catch (thrown) {
    // It takes no more once it was cancelled.
    if (!signal.aborted) throw thrown;
  }
}

function reportOf(job: ImportJob, file: FileToImport): FileReport {
  const [report] = job.reports;
  if (report !== undefined) return { ...report, name: file.name };
  return { ...blankReport(file.name), failure: CANCELLED };
}

export async function addTrainerLogThrough(line: DoorLine, file: TrainerLog): Promise<AddedLog> {
  const base64 = Buffer.from(file.bytes).toString('base64');
  const is_chosen = file.isChosen === true;
  return line.call('launch.add_log', { run: file.run, file: file.file, base64, is_chosen });
}
