// The names that an episode's own results gave, from its record.
import type { EpisodeRecord } from '../episode/record.ts';
import { isBlobRef } from '../events/text.ts';
import { collectNames, type Names, type ToolResult } from './names.ts';

/**
 * Results that the agent itself was shown, oldest first. What a person wrote in place of a result is none, and one that
 * lies beside the log is too long to be read here.
 */
export function shownResults({ turns }: Pick<EpisodeRecord, 'turns'>, before = Infinity): ToolResult[] {
  return turns.flatMap(({ turn, call }): ToolResult[] => {
    const returned = call?.returned ?? null;
    if (call === null || returned === null || turn >= before) return [];
    const { text, error } = returned;
    if (text === null || isBlobRef(text) || error !== null) return [];
    return [{ tool: call.sent?.toolName ?? call.toolName, text }];
  });
}

export const namesOfRecord = (record: Pick<EpisodeRecord, 'turns'>, before?: number): Names =>
  collectNames(shownResults(record, before));
