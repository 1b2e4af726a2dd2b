// Covers a blinded run for an expert's seat: it reads what was done, but neither reward nor what the verifier said.
// Pure. Covered facts keep their place in the stream, so that the fold is the same on both sides.
import type { DeskItem, EpisodeRow } from './rowShapes.ts';
import type { Privilege } from '../events/actor.ts';
import type { Leak } from '../leak.ts';
import { COVERED_CODE } from './uptake.ts';
import { KINDS, type LogEvent, type Recorded } from '../events/vocabulary.ts';

/** Stands where a text tells what the verifier checks. */
const COVERED_CRITERIA = 'Covered: what the verifier checks.';

/** An event as every screen reads it: what a client's request told of the criteria is left out until it is shown. */
export function coverCriteria(recorded: Recorded, isAnalysis: (consultation: string) => boolean): Recorded {
  const { event } = recorded;
  switch (event.kind) {
    case 'consultation.asked': {
      if (event.covered === undefined || event.covered.length === 0) return recorded;
      const covered = event.covered.map((span) => ({ ...span, text: null }));
      return { ...recorded, event: { ...event, covered } };
    }
    case 'advice.drafted':
    case 'advice.approved':
    case 'advice.delivered':
      return isAnalysis(event.consultation)
        ? { ...recorded, event: { ...event, text: COVERED_CRITERIA } }
        : recorded;
    default:
      return recorded;
  }
}

/**
 * The values of the leak meter are words of the verifier: only the count goes to a reader who may not look behind the
 * cover, or where the author of the text had not seen them either.
 */
export function coverLeak(recorded: Recorded, mayLook: boolean): Recorded {
  const { event } = recorded;
  if (event.kind !== 'advice.drafted' && event.kind !== 'advice.approved') return recorded;
  if (event.leak === undefined) return recorded;
  return { ...recorded, event: { ...event, leak: coveredLeak(event.leak, event.privilege, mayLook) } };
}

/** The same of a waiting question. */
export function coverItemLeak(item: DeskItem, mayLook: boolean): DeskItem {
  const { draft } = item;
  if (draft?.leak === undefined) return item;
  return { ...item, draft: { ...draft, leak: coveredLeak(draft.leak, draft.privilege, mayLook) } };
}

const coveredLeak = (leak: Leak, privilege: Privilege, mayLook: boolean): Leak =>
  mayLook && (privilege.includes('criteria') || privilege.includes('reference'))
    ? leak
    : { ...leak, values: null };

const COVERED_BRIEF = 'Covered: it tells how an earlier run of this task ended.';

const COVERED_DRAFT = {
  code: COVERED_CODE,
  message: 'It tells how an earlier run ended, and this run is blinded.',
};

/** A brief of a blinded run: neither its draft nor its text nor the verdict of the run it is written of is shown. */
export function coverBrief(recorded: Recorded, isBrief: (consultation: string) => boolean): Recorded {
  const { event } = recorded;
  switch (event.kind) {
    case 'consultation.asked':
      return event.baseline === undefined
        ? recorded
        : { ...recorded, event: { ...event, baseline: { ...event.baseline, reward_type: null } } };
    case 'advice.drafted': {
      if (!isBrief(event.consultation)) return recorded;
      const { consultation, draft, hint } = event;
      const about = { consultation, draft, ...(hint === undefined ? {} : { hint }) };
      return { ...recorded, event: { kind: 'advice.draft_failed', ...about, ...COVERED_DRAFT } };
    }
    case 'advice.approved':
    case 'advice.delivered':
      return isBrief(event.consultation)
        ? { ...recorded, event: { ...event, text: COVERED_BRIEF, privilege: 'unknown' } }
        : recorded;
    case 'message.added':
      return event.origin === 'advice' && event.turn === 0
        ? { ...recorded, event: { ...event, content: COVERED_BRIEF, segments: [] } }
        : recorded;
    default:
      return recorded;
  }
}

/** The same of a brief that waits. */
export const coverBriefItem = (item: DeskItem): DeskItem =>
  item.baseline === undefined
    ? item
    : {
        ...item,
        draft: null,
        draft_failure: COVERED_DRAFT,
        baseline: { ...item.baseline, reward_type: null },
      };

/** Covers a call's changes to the world's database until asked for: the agent could not have read them. */
export const coverChanges = (recorded: Recorded): Recorded =>
  recorded.event.kind === 'state.compared'
    ? { ...recorded, event: { ...recorded.event, changes: [], is_covered: true } }
    : recorded;

/** An event of a blinded run as an expert's seat reads it. */
export function coverRecorded(recorded: Recorded): Recorded {
  const { event } = recorded;
  const { outcome } = KINDS[event.kind];
  const covered = typeof outcome === 'function' ? outcome(event) : outcome;
  return { ...recorded, event: { ...event, ...covered } as LogEvent };
}

/** A line of a blinded run as an expert's seat reads it; other lines as they are. */
export const coverRow = (row: EpisodeRow): EpisodeRow =>
  row.is_blinded ? { ...row, reward: null, reward_type: null, is_covered: true } : row;
