// Owns: taking an expert's turns out of a conversation whose expert had seen of the answer.
// What the agent did next it did with that advice: the rows say so, whatever the conversation no longer shows.
import { inheritPrivilege, isLeakFree, type Privilege } from '../../../shared/events/actor.ts';
import type { Consultation } from '../../../shared/episode/record.ts';
import type { MadeRow, Told } from './format.ts';

const privilegeOf = ({ decision, delivered }: Consultation): Privilege =>
  delivered?.privilege ?? (decision?.type === 'approved' ? decision.privilege : []);

/** What the advice that `stripped` takes out had come from; empty where it takes nothing out. */
export const strippedPrivilege = ({ record }: Pick<Told, 'record'>): Privilege =>
  record.tapped !== null ? [] : inheritPrivilege(...record.consultations.map(privilegeOf));

/**
 * The episode without the asks that got privileged advice: the turn that asked, and what it was answered. A client's
 * conversation is its own words and stays whole; its privileged rows are left out instead.
 */
export function stripped<T extends Pick<Told, 'record'>>(told: T): T {
  const { record } = told;
  const out = record.consultations.filter((one) => !isLeakFree(privilegeOf(one)));
  if (out.length === 0 || record.tapped !== null) return told;
  const ids = new Set(out.map(({ id }) => id));
  const asked = new Set(out.map(({ turn }) => turn));
  return {
    ...told,
    record: {
      ...record,
      consultations: record.consultations.filter(({ id }) => !ids.has(id)),
      turns: record.turns.filter(({ consultation }) => consultation === null || !ids.has(consultation)),
      messages: record.messages.filter(
        ({ turn, role, origin }) => !asked.has(turn) || (role !== 'assistant' && origin !== 'advice'),
      ),
    },
  };
}

/** The row with what its author's adviser had seen, which a stripped record no longer tells. */
export function marked(made: MadeRow, privilege: Privilege): MadeRow {
  if (isLeakFree(privilege)) return made;
  const { row } = made;
  return {
    ...made,
    row: {
      ...row,
      ...('act' in row && row['act'] === 'solo' ? { act: 'stripped' } : {}),
      ...('privilege' in row ? { privilege: privilege === 'unknown' ? privilege : privilege.join('+') } : {}),
      ...('leak_free' in row ? { leak_free: false } : {}),
    },
  };
}
