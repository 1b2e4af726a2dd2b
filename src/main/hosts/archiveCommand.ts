// `interject archive` and `interject unarchive`: old episodes out of the log into a file, and back.
import { DAY_MS } from '../../shared/lengthOfTime.ts';
import { ARCHIVES } from '../log/archived.ts';
import {
  archiveEpisodes,
  bringEpisodesBack,
  newArchivePath,
  type ArchiveProgress,
} from '../log/archiveRun.ts';
import { seatActor } from '../../shared/events/actor.ts';
import { Failure } from '../../shared/failure.ts';
import { sizeWords } from '../dataset/import/limits.ts';
import type { EventLog } from '../log/eventLog.ts';
import { archivingThrough } from './archivingThrough.ts';
import type { ArchiveOptions, UnarchiveOptions } from './archiveFlags.ts';
import { withCommandLog, type CommandLog } from './commandLog.ts';
import { filterFrom } from './exportOptions.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller } from './paths.ts';
import { untilStopped } from './untilStopped.ts';

const IDS_PER_PAGE = 1_000;

/** Resolves with the exit code. */
export async function archiveCommand(options: ArchiveOptions, output: CommandOutput): Promise<number> {
  const { olderThan, episode, out, dryRun = false, compact, data } = options;
  const filter = filterFrom(options);
  if (olderThan === undefined && episode === undefined && Object.keys(filter).length === 0) {
    throw new Failure('bad_input', 'which episodes to archive is not said', {
      next: 'Give --older-than, --episode, or what narrows them (`interject archive --help`).',
    });
  }
  return withCommandLog({ data, output, isReading: dryRun }, async (opened) => {
    const { log, folder } = opened;
    const now = Date.now();
    const before = olderThan === undefined ? {} : { until: now - olderThan * DAY_MS };
    const chosen = endedIds(log, { ...filter, ...before }, episode ?? null);
    const episodes = log.archiver.ready(chosen);
    const bytes = log.archiver.bytes(episodes);
    if (dryRun || episodes.length === 0) {
      output.line({ type: 'archive', episodes: episodes.length, bytes, file: null, dry_run: dryRun });
      output.say(
        episodes.length === 0
          ? 'no episode that has ended and is not archived yet matches'
          : `${countEpisodes(episodes.length)} would be archived: about ${sizeWords(bytes)} of ${sizeWords(log.bytes())}`,
      );
      return 0;
    }
    const path = out === undefined ? newArchivePath(folder, now) : fromCaller(out);
    const done = await untilStopped(output, (signal) =>
      archiveIn(opened, path, episodes, { isCompacted: compact, signal, onProgress: teller(output) }),
    );
    output.line({ type: 'archive', ...done, dry_run: false });
    const freed = compact ? `; the log is ${sizeWords(done.freed)} smaller` : '';
    output.say(`${countEpisodes(done.episodes)} archived in ${path}${freed}`);
    return 0;
  });
}

/** Resolves with the exit code. */
export async function unarchiveCommand(
  { all, data }: UnarchiveOptions,
  output: CommandOutput,
  ...episodes: string[]
): Promise<number> {
  if (episodes.length === 0 && all !== true) {
    throw new Failure('bad_input', 'which episodes to bring back is not said', {
      next: 'Name their ids, or give --all.',
    });
  }
  return withCommandLog({ data, output, isReading: false }, async (opened) => {
    const { log } = opened;
    const chosen = all === true ? log.archives.episodes() : episodes;
    const absent = chosen.find((id) => log.archives.path(id) === null);
    if (absent !== undefined) throw new Failure('not_found', `there is no archived episode ${absent}`);
    const { episodes: count } = await untilStopped(output, (signal) =>
      bringBackIn(opened, chosen, { signal, onProgress: teller(output) }),
    );
    output.line({ type: 'unarchive', episodes: count });
    output.say(`${countEpisodes(count)} brought back; the files in ${ARCHIVES} stay as they are`);
    return 0;
  });
}

type ArchiveHooks = { signal: AbortSignal; onProgress: (progress: ArchiveProgress) => void };

async function archiveIn(
  { log, line }: CommandLog,
  path: string,
  episodes: readonly string[],
  { isCompacted, ...hooks }: ArchiveHooks & { isCompacted: boolean },
) {
  if (line === null)
    return archiveEpisodes(log, path, { episodes, actor: seatActor(null), isCompacted, ...hooks });
  const asked = { episodes: [...episodes], path, compact: isCompacted };
  const { job } = await line.call('launch.archive', asked);
  const { file, skipped, freed, episodes: count } = await archivingThrough(line, job, hooks);
  return { file: file === null ? null : path, episodes: count, skipped, freed };
}

async function bringBackIn({ log, line }: CommandLog, episodes: readonly string[], hooks: ArchiveHooks) {
  if (line === null) return bringEpisodesBack(log, { episodes, actor: seatActor(null), ...hooks });
  const { job } = await line.call('launch.restore', { episodes: [...episodes] });
  return archivingThrough(line, job, hooks);
}

/** Those that have ended, as an export reads them. */
function endedIds(
  log: EventLog,
  filter: ReturnType<typeof filterFrom>,
  episodes: readonly string[] | null,
): string[] {
  const query = { filter, episodes, afterSeq: 0, untilSeq: null };
  const ids: string[] = [];
  for (let after: { id: string; startedAt: number } | null = null; ;) {
    const page = log.projections.endedEpisodes.page(query, after, IDS_PER_PAGE);
    ids.push(...page.map(({ id }) => id));
    after = page.at(-1) ?? null;
    if (page.length < IDS_PER_PAGE) return ids;
  }
}

const STAGES: Readonly<Record<ArchiveProgress['stage'], string>> = {
  writing: 'written to the file',
  checking: 'the file is read back and compared',
  removing: 'taken out of the log',
  compacting: 'the log is written anew; everything waits for that',
  restoring: 'brought back',
  undoing: 'stopping: put back into the log',
};

/** Says each stage once, and a long one every thousand episodes. */
function teller(output: CommandOutput): (progress: ArchiveProgress) => void {
  let last = '';
  return ({ stage, done, total }) => {
    const key = `${stage} ${String(Math.floor(done / 1_000))}`;
    if (key === last) return;
    last = key;
    const isCounted =
      stage === 'writing' || stage === 'removing' || stage === 'restoring' || stage === 'undoing';
    output.say(isCounted ? `${String(done)} of ${String(total)} ${STAGES[stage]}` : STAGES[stage]);
  };
}

const countEpisodes = (count: number): string =>
  count === 1 ? '1 episode' : `${count.toLocaleString('en')} episodes`;
