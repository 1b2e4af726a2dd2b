import type { ExportRules } from '../../../shared/contract/export.ts';
import type { EpisodeInput } from './format.ts';
import { humanFeedback } from './formats/humanFeedback.ts';
import { jsonLine } from './lineWriter.ts';

/** OpenEnv's HumanFeedback, one line each. */
export const feedbackLines = (input: EpisodeInput, rules: ExportRules): string[] =>
  humanFeedback.rows(input, rules).rows.map(({ row }) => jsonLine(row));
