// Tells which episodes are of a world with a database and a verifier. Pure.
import { kindOf } from '../../../shared/environmentKinds.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';

/**
 * Built-in worlds and those of Agent World Model have both; an environment of actions and one of plain tools has
 * neither, and its reset carries no label. While that is not known, and of a file, nothing is ruled out.
 */
export const isDatabaseWorld = ({ started, reset }: Pick<EpisodeRecord, 'started' | 'reset'>): boolean =>
  started === null ||
  reset === null ||
  started.source === 'import' ||
  kindOf(started.environment).isPartOfProduct ||
  reset.reward_type !== null;
