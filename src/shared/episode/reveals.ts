// Tells how much of the task's answer an event, or a line of a list, reveals to its reader. Pure.
import type { EpisodeRow } from './rowShapes.ts';
import type { Saw } from '../events/actor.ts';
import { verdictIn } from '../events/outcome.ts';
import { KINDS, type LogEvent } from '../events/vocabulary.ts';

/** Parts of the answer that an event reveals as sent. */
export const revealedBy = (event: LogEvent): readonly Saw[] => KINDS[event.kind].reveals(event);

/** Parts of the answer that a line of the list reveals. */
export const revealedByRow = (row: EpisodeRow): readonly Saw[] => verdictIn(row);
