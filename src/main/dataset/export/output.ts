// Opens the files of an export that rows, events and feedback are written to, and sums them up when they close.
import type { ExportRules } from '../../../shared/contract/export.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { dataName, splitName, type Files } from './dataFiles.ts';
import { addEvents, bundleHead } from './evidence.ts';
import { humanFeedback } from './formats/humanFeedback.ts';
import type { FolderStage } from './folderStage.ts';
import type { Format, MadeRow } from './format.ts';
import { jsonLine, openLineWriter, type FileSum, type LineWriter } from './lineWriter.ts';
import { outcomeFields } from './pairSides.ts';
import type { LoadedEpisode } from './loadEpisode.ts';

/** Whether the rows themselves, or the lines they are made of, do not say which episode they come from. */
export const lacksPlace = ({ columns, cardColumns }: Pick<Format, 'columns' | 'cardColumns'>): boolean =>
  !((columns ?? cardColumns)?.some(({ name }) => name === 'episode') ?? false);

/**
 * What lies beside the rows, where they are not just that. Where what an expert said is taken out of the rows it does not
 * come along in whole beside them.
 */
export const hasSideFiles = (
  { id }: Pick<Format, 'id'>,
  { privilege }: Pick<ExportRules, 'privilege'>,
): { feedback: boolean; events: boolean } => ({
  feedback: id !== 'human_feedback',
  events: id !== 'events' && privilege !== 'strip',
});

/** A row's place: its split, and its number there. */
type RowAt = { isValidation: boolean; number: number };

export type ExportOutput = {
  /** Adds a row to its split; returns the bytes of its line. */
  row: (line: string, at: RowAt) => number;
  bytes: (bytes: Uint8Array, isValidation: boolean) => void;
  /** Where this row comes from, as the fields of an object. */
  place: (fields: string, at: RowAt) => void;
  /** What lies beside the rows of an episode that gave some. */
  episode: (read: LoadedEpisode) => void;
  /** Closes every file; by name, what is in each. */
  close: () => Map<string, FileSum>;
};

type OutputDependencies = {
  log: EventLog;
  stage: FolderStage;
  format: Format;
  rules: ExportRules;
  files: Files;
};

export function openOutput({ log, stage, format, rules, files }: OutputDependencies): ExportOutput {
  const open = new Map<string, LineWriter>();
  const lines = (name: string): LineWriter => {
    const known = open.get(name);
    if (known !== undefined) return known;
    const made = openLineWriter(stage.path(name));
    open.set(name, made);
    return made;
  };
  // A set without rows still has a file to be read from.
  if (files === 'jsonl') lines(dataName(format, 'train', files));
  const { feedback, events } = hasSideFiles(format, rules);
  if (feedback) lines('feedback.jsonl');
  if (events) lines('events.jsonl').add(bundleHead());
  if (lacksPlace(format)) lines('provenance.jsonl');
  const data = (isValidation: boolean): string => dataName(format, splitName(isValidation), files);
  return {
    row: (line, { isValidation }) => lines(data(isValidation)).add(line),
    bytes: (bytes, isValidation) => lines(data(isValidation)).addBytes(bytes),
    place: (fields, at) => {
      const file = data(at.isValidation);
      lines('provenance.jsonl').add(
        `{"file":${JSON.stringify(file)},"row":${String(at.number)},${fields.slice(1)}`,
      );
    },
    episode: (read) => {
      if (feedback)
        for (const { row } of humanFeedback.rows(read, rules).rows)
          lines('feedback.jsonl').add(jsonLine(row));
      if (events) addEvents(log.texts, read, lines('events.jsonl'));
    },
    close: () => new Map([...open].map(([name, one]) => [name, one.close()])),
  };
}

/** Where a row comes from, for formats that have no room for it. */
export const placeFields = ({ facts }: MadeRow, episode: string): string =>
  jsonLine({
    episode,
    scenario: facts.task[0],
    task_idx: facts.task[1],
    n: facts.n ?? -1,
    turn: facts.turn ?? -1,
    consultation: facts.consultation ?? '',
    actor: facts.actor,
    privilege:
      facts.privilege === 'unknown'
        ? 'unknown'
        : facts.privilege.length === 0
          ? 'none'
          : facts.privilege.join('+'),
    ...(facts.sides === undefined ? {} : outcomeFields(facts.sides)),
  });
