// Owns: what people said of an episode, in the lines that lie beside every export.
import type { ExportRules } from '../../../shared/contract/export.ts';
import type { Told } from './format.ts';
import { humanFeedback } from './formats/humanFeedback.ts';
import { jsonLine } from './lines.ts';

/** OpenEnv's HumanFeedback, one line each. */
export const feedbackLines = (told: Told, rules: ExportRules): string[] =>
  humanFeedback.rows(told, rules).rows.map(({ row }) => jsonLine(row));
