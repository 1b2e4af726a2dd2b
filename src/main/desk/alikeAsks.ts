// One answer to several asks that are alike: which draft each of the others was answered from.
import { findConsultation } from '../../shared/episode/consultations.ts';
import type { Draft } from '../../shared/episode/record.ts';
import type { DraftRef } from '../../shared/events/consultations.ts';
import type { EventLog } from '../log/eventLog.ts';

type ConsultationAt = { episode: string; consultation: string };
type Basis = { draft: string | null; draftFrom: DraftRef | null };

export const findDraft = (log: EventLog, { episode, consultation, draft }: DraftRef): Draft | null =>
  findConsultation(log.record(episode), consultation)?.drafts.find(({ id }) => id === draft) ?? null;

/**
 * The draft that another ask is answered from when the person worked on `source`: its own draft where that has the
 * words that are sent, or the words the person began with; else the source, by its place. Words written without a draft
 * have none anywhere.
 */
export function basisAt(log: EventLog, at: ConsultationAt, text: string, source: DraftRef | null): Basis {
  const begun = source === null ? null : findDraft(log, source);
  if (source === null || begun === null) return { draft: null, draftFrom: null };
  const own = findConsultation(log.record(at.episode), at.consultation)?.drafts ?? [];
  const withText = (wanted: string) => own.findLast((draft) => log.texts.loadText(draft.text) === wanted);
  const same = withText(text) ?? withText(log.texts.loadText(begun.text));
  return same === undefined ? { draft: null, draftFrom: source } : { draft: same.id, draftFrom: null };
}
