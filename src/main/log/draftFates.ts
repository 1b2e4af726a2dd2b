// Fates of drafts: each decision of a person with how much of the draft it kept. Written in the event's own
// transaction; rebuildable from the log alone.
import type { DraftFate } from '../../shared/contract/library.ts';
import type { Text } from '../../shared/events/text.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { Database } from './database.ts';

export type DraftFates = { write(record: EpisodeRecord, recorded: Recorded): void };

/** Fewer of the sent words than this from the draft, and it was written anew. */
const REWRITTEN_BELOW = 0.5;

export function createDraftFates(db: Database, loadText: (text: Text) => string): DraftFates {
  const insert = db.prepare(
    'INSERT OR REPLACE INTO draft_fates (episode, n, at, fate, kept) VALUES (?, ?, ?, ?, ?)',
  );
  const drop = db.prepare('DELETE FROM draft_fates WHERE episode = ?');
  return {
    write: (record, { stream, n, at, actor, event }) => {
      // What stands before it was copied: it was decided in the other episode.
      if (event.kind === 'episode.forked') return void drop.run(stream);
      if (actor.type !== 'human') return;
      if (event.kind === 'advice.declined') return void insert.run(stream, n, at, 'declined', null);
      if (event.kind !== 'advice.approved') return;
      const asked = findConsultation(record, event.consultation);
      const draft = asked?.drafts.find(({ id }) => id === event.draft) ?? asked?.draft ?? null;
      const kept = draft === null ? null : keptDraftShare(loadText(draft.text), loadText(event.text));
      const fate: DraftFate = event.act === 'accept' ? 'accepted' : draftFate(kept);
      insert.run(stream, n, at, fate, kept);
    },
  };
}

const draftFate = (kept: number | null): DraftFate =>
  kept === null ? 'written' : kept < REWRITTEN_BELOW ? 'rewritten' : 'edited';

/** Share of the sent words that are the draft's, each as often as the draft has it. */
export function keptDraftShare(draft: string, sent: string): number {
  const left = new Map<string, number>();
  for (const word of wordsInText(draft)) left.set(word, (left.get(word) ?? 0) + 1);
  const words = wordsInText(sent);
  let kept = 0;
  for (const word of words) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    kept += 1;
  }
  return words.length === 0 ? 0 : kept / words.length;
}

const wordsInText = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
