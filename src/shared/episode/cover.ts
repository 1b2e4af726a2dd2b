// Owns: what an expert's seat reads of a blinded run: what was done, but neither reward nor what the verifier said. Pure.
// Covered facts keep their place in the stream, so that the fold is the same on both sides.
import type { EpisodeRow } from '../contract/rows.ts';
import type { LogEvent, Recorded } from '../events/vocabulary.ts';
import { RewardType } from '../wire.ts';

/** Stands where a frame was: a frame holds the reward. A run is covered when it is blinded, or while it is reviewed. */
export const COVERED = 'Covered: it tells reward and verdict.';

/** Stands where a text tells what the verifier checks. */
export const COVERED_CRITERIA = 'Covered: what the verifier checks.';

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

/** An event of a blinded run as an expert's seat reads it. */
export const coverRecorded = (recorded: Recorded): Recorded => ({
  ...recorded,
  event: coverEvent(recorded.event),
});

/** A line of a blinded run as an expert's seat reads it; other lines as they are. */
export const coverRow = (row: EpisodeRow): EpisodeRow =>
  row.is_blinded ? { ...row, reward: null, reward_type: null, is_covered: true } : row;

function coverEvent(event: LogEvent): LogEvent {
  switch (event.kind) {
    case 'episode.started':
      return { ...event, is_covered: true };
    case 'environment.reset':
      return { ...event, frame: COVERED, reward: null };
    case 'tools.listed':
    case 'frame.passed':
      return { ...event, frame: COVERED };
    case 'call.returned':
      return { ...event, frame: COVERED, reward: null, reward_type: toolLabel(event.reward_type) };
    case 'verifier.ran':
      return { ...event, frame: COVERED, reward: null, reward_type: null, verify_result: null, error: null };
    case 'environment.finished':
      return { ...event, frame: COVERED, reward_type: null };
    case 'episode.ended':
      return { ...event, reward: null, reward_type: null };
    case 'preview.ran':
      return { ...event, verdict: null };
    default:
      return event;
  }
}

/** Labels of a call that could not be carried out are no verdict; any other may be one. */
export const toolLabel = (label: string | null): string | null =>
  label !== null && (label === 'tool_call_ok' || RewardType.toolErrors.has(label)) ? label : null;
