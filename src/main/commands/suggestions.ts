// Suggestions of the desk, written into the log: that one was shown, and what a person made of it.
import type { Inputs } from '../../shared/contract/contract.ts';
import { SYSTEM, type Actor } from '../../shared/events/actor.ts';
import { suggestionFor } from '../../shared/suggestions.ts';
import type { EventLog } from '../log/eventLog.ts';
import { liveRecord } from './stepInChecks.ts';

export function noteSuggestion(
  log: EventLog,
  { episode, level, act }: Inputs['suggestion.note'],
  actor: Actor,
): void {
  if (act !== 'shown') {
    if (level > liveRecord(log, episode).suggested.answered)
      log.append(episode, actor, { kind: 'suggestion.answered', level, act });
    return;
  }
  const record = log.record(episode);
  const found = record.ended === null ? suggestionFor(record) : null;
  // What a screen shows may be over, or another seat may have shown it first.
  if (found !== null && found.level === level && level > record.suggested.shown)
    log.append(episode, SYSTEM, { kind: 'suggestion.shown', ...found });
}
