// Which calls advice had written out before the agent made them. Repeating those is following, no merit of its own.
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { isBlobRef, type Text } from '../../shared/events/text.ts';
import { parsePlan } from '../../shared/plan.ts';
import type { CallKeys } from './callKeys.ts';

/**
 * Calls that advice or a note named, each with the earliest turn it was read at. Advice too long to stand in the log
 * itself is not looked into.
 */
export function plannedIn(
  { consultations, messages, notes }: EpisodeRecord,
  keys: CallKeys,
): Map<number, number> {
  const said: { text: Text; turn: number }[] = [
    ...consultations.flatMap(({ delivered, turn }) =>
      delivered === null || (delivered.as !== 'advice' && delivered.as !== 'draft')
        ? []
        : [{ text: delivered.text, turn }],
    ),
    ...messages.flatMap(({ origin, content, turn }) =>
      origin === 'advice' ? [{ text: content, turn }] : [],
    ),
    // A note is read with the turn it was delivered to.
    ...notes.flatMap(({ text, deliveredTurn }) =>
      deliveredTurn === null ? [] : [{ text, turn: deliveredTurn - 1 }],
    ),
  ];
  const planned = new Map<number, number>();
  for (const { text, turn } of said) {
    if (isBlobRef(text)) continue;
    for (const { tool, args } of parsePlan(text).calls) {
      const key = keys(tool, args);
      planned.set(key, Math.min(planned.get(key) ?? turn, turn));
    }
  }
  return planned;
}
