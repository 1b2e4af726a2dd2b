// The commands that bring files in and give the kept ones back.
import { open } from 'node:fs/promises';
import { IMPORT_CHUNK } from '../../shared/contract/import.ts';
import type { Handlers } from '../../shared/contract/contract.ts';
import { episodeRow } from '../../shared/episode/rows.ts';
import { Failure } from '../../shared/failure.ts';
import type { ImportJobs } from '../dataset/import/importJobs.ts';
import { originsOf } from '../dataset/origins.ts';
import type { SourceStore } from '../dataset/import/sourceStore.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { CommandLines } from './commandLines.ts';

type ImportHandlers = Pick<
  Handlers,
  | 'import.begin'
  | 'import.chunk'
  | 'import.end'
  | 'import.cancel'
  | 'import.source'
  | 'import.read'
  | 'import.wait'
>;

export function importCommands({
  jobs,
  sources,
  log,
  lines,
}: {
  jobs: ImportJobs;
  sources: SourceStore;
  log: EventLog;
  lines: Pick<CommandLines, 'current'>;
}): ImportHandlers {
  return {
    'import.begin': async ({ files, lossy = false }) => ({ import: jobs.begin(files, { isLossy: lossy }) }),
    'import.chunk': async ({ import: id, file, offset, data }) => {
      jobs.chunk(id, file, offset, Buffer.from(data, 'base64'));
      return {};
    },
    'import.end': async ({ import: id }) => {
      jobs.end(id);
      return {};
    },
    'import.cancel': async ({ import: id }) => {
      jobs.cancel(id);
      return {};
    },
    ...readingCommands({ jobs, log, lines }),
    'import.source': async ({ episode, offset }) => {
      const [imported] = originsOf(log, episode);
      if (imported === undefined) throw new Failure('not_found', `the episode ${episode} was not imported`);
      const { source } = imported;
      const path = sources.find(source.sha256);
      if (path === null) throw new Failure('not_found', 'the file it came from is not kept here any more');
      const file = await open(path, 'r');
      try {
        const buffer = Buffer.alloc(IMPORT_CHUNK);
        const { bytesRead } = await file.read(buffer, 0, IMPORT_CHUNK, offset);
        const data = buffer.subarray(0, bytesRead).toString('base64');
        return { name: source.name, bytes: source.bytes, data };
      } finally {
        await file.close();
      }
    },
  };
}

type ReadingDependencies = { jobs: ImportJobs; log: EventLog; lines: Pick<CommandLines, 'current'> };

/** Reading files where they lie, for a command of this machine. */
const readingCommands = ({
  jobs,
  log,
  lines,
}: ReadingDependencies): Pick<Handlers, 'import.read' | 'import.wait'> => ({
  'import.read': async ({ files, lossy: isLossy }) => {
    const found = files.map(({ remarks, ...file }) => ({
      ...file,
      ...(remarks === undefined ? {} : { remarks }),
    }));
    const id = jobs.read(found, { isLossy });
    lines.current()?.onLeave(() => jobs.cancel(id));
    return { import: id };
  },
  'import.wait': async ({ import: id, after, with_rows: withRows }) => {
    const { news, isOver } = await jobs.news(id, after);
    const told = news.map((one) => {
      if ('sha256' in one) return { report: one };
      const { episode, file, index, isKnown, format } = one;
      const row = withRows ? (log.projections.episode(episode) ?? episodeRow(log.record(episode))) : null;
      const conservation = withRows ? (originsOf(log, episode)[0]?.conservation ?? null) : null;
      return { episode, file, index, is_known: isKnown, format, row, conservation };
    });
    return { news: told, is_over: isOver };
  },
});
