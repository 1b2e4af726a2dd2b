// Owns: taking texts of an episode out of the log, and with them the kept file they were read from.
import type { Handlers } from '../../shared/contract/contract.ts';
import type { EraseResult } from '../../shared/contract/erase.ts';
import type { Actor } from '../../shared/events/actor.ts';
import type { Sources } from '../dataset/import/sources.ts';
import type { EventLog } from '../log/eventLog.ts';

type Parts = { log: EventLog; sources: Sources };
type Asked = { episode: string; text: string | null; reason: string | null };

/** Throws `not_found`, and `bad_input` for an episode that still runs. */
export function eraseEpisode(
  { log, sources }: Parts,
  { episode, text, reason }: Asked,
  actor: Actor,
): EraseResult {
  const { imported } = log.record(episode);
  const erased = log.erase(episode, text, actor, reason);
  if (imported === null) return { ...erased, files: [], shared: 0 };
  // The file holds what was erased: it goes too, for every episode that came from it.
  const { source, companions } = imported;
  const shared = log.projections.importedFrom(source.sha256).size - 1;
  for (const { sha256 } of [source, ...companions]) sources.remove(sha256);
  return { ...erased, files: [source.name], shared: Math.max(0, shared) };
}

export const eraseCommands = (parts: Parts): Pick<Handlers, 'episode.erase'> => ({
  'episode.erase': async (asked, { seat }) => eraseEpisode(parts, asked, { type: 'human', id: seat }),
});
