// Taking texts of an episode out of the log, and with them the kept file they were read from.
import type { Handlers } from '../../shared/contract/contract.ts';
import type { EraseResult } from '../../shared/contract/erase.ts';
import type { Actor } from '../../shared/events/actor.ts';
import type { SourceStore } from '../dataset/import/sourceStore.ts';
import { originsOf } from '../dataset/origins.ts';
import type { EventLog } from '../log/eventLog.ts';
import { actorOf } from './commandLines.ts';

type EraseDependencies = { log: EventLog; sources: SourceStore };
type EraseRequest = { episode: string; text: string | null; reason: string | null };

/** Throws `not_found`, and `bad_input` for an episode that still runs. */
export function eraseEpisode(
  { log, sources }: EraseDependencies,
  { episode, text, reason }: EraseRequest,
  actor: Actor,
): EraseResult {
  const origins = originsOf(log, episode);
  const erased = log.erase(episode, text, actor, reason);
  // The files hold what was erased: they go too, for every episode that came from them.
  const others = new Set(
    origins.flatMap(({ source }) => [...log.projections.importedFrom(source.sha256).values()]),
  );
  others.delete(episode);
  const files: string[] = [];
  for (const { source, companions } of origins)
    for (const { sha256, name } of [source, ...companions]) {
      if (sources.find(sha256) === null) continue;
      sources.remove(sha256);
      files.push(name);
    }
  return { ...erased, files, shared: files.length === 0 ? 0 : others.size };
}

export const eraseCommands = (parts: EraseDependencies): Pick<Handlers, 'episode.erase'> => ({
  'episode.erase': async (asked, caller) => eraseEpisode(parts, asked, actorOf(caller)),
});
