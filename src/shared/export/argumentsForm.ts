// Owns: in which formats it is a choice how arguments of calls are written: as an object, or as a string of JSON.
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

export const hasArgumentsForm = (format: ExportFormat): boolean => CHOSEN.has(format);
