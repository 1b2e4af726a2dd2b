// Suggestions of the desk, written into the log: that one was shown, and what a person made of it.
import type { Handlers } from '../../shared/contract/contract.ts';
import { seatActor, SYSTEM } from '../../shared/events/actor.ts';
import { suggestionFor } from '../../shared/suggestions.ts';
import type { EventLog } from '../log/eventLog.ts';
import { liveRecord } from './stepInChecks.ts';

export function suggestionCommands(log: EventLog): Pick<Handlers, 'suggestion.show' | 'suggestion.answer'> {
  return {
    'suggestion.show': async ({ episode, level }) => {
      const record = log.record(episode);
      const found = record.ended === null ? suggestionFor(record) : null;
      // What a screen shows may be over, or another seat may have shown it first.
      if (found === null || found.level !== level || level <= record.suggested.shown) return {};
      log.append(episode, SYSTEM, { kind: 'suggestion.shown', ...found });
      return {};
    },
    'suggestion.answer': async ({ episode, level, act }, caller) => {
      const record = liveRecord(log, episode);
      if (level > record.suggested.answered)
        log.append(episode, seatActor(caller.seat), { kind: 'suggestion.answered', level, act });
      return {};
    },
  };
}
