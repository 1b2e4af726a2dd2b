// Tells how much of the task's answer an event, or a line of a list, reveals to its reader. Pure.
import type { EpisodeRow } from './rowShapes.ts';
import type { Saw } from '../events/actor.ts';
import { verdictIn } from '../events/outcome.ts';
import { KINDS, type LogEvent } from '../events/vocabulary.ts';

/** Secrets revealed by an event as sent. */
export const revealedBy = (event: LogEvent): readonly Saw[] => KINDS[event.kind].reveals(event);

/** Secrets revealed by a line of the list. */
export const revealedByRow = (row: EpisodeRow): readonly Saw[] => verdictIn(row);
