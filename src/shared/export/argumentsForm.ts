// In which formats it is a choice how the agent's messages are written: arguments of calls as an object or as a string of
// JSON, and whether the reasoning stands beside them.
import type { ExportFormat } from '../contract/export.ts';

/** Messages with calls for templates that want one or the other. Other formats fix the form, or hold no call. */
const CHOSEN: ReadonlySet<ExportFormat> = new Set<ExportFormat>([
  'sft',
  'sft_messages',
  'preference',
  'kto',
  'demonstrations',
  'when_to_ask',
]);

/** The same formats may hold what the agent thought: another tool's messages have a place for it, or none. */
export const hasReasoning = (format: ExportFormat): boolean => CHOSEN.has(format);

export const hasArgumentsForm = (format: ExportFormat): boolean => CHOSEN.has(format);
