// Which formats are written as lines alone: records of another tool's schema, whose keys vary from row to row.
import type { ExportFormat } from '../contract/export.ts';

const LINES_ONLY: ReadonlySet<ExportFormat> = new Set<ExportFormat>(['atif', 'awm', 'scores', 'events']);

export const isLinesOnly = (format: ExportFormat): boolean => LINES_ONLY.has(format);
