// Owns: what the log's thread and the one that reads files say to each other. Both are ours and of one build.
import type { FileReport } from '../../../shared/contract/import.ts';
import type { ImportFormat } from '../../../shared/events/import.ts';
import type { Piece } from '../../log/pieces.ts';
import type { FileToImport, Told } from './readFile.ts';

/** They go in batches: what was said in one breath is one message, since each wakes the other thread. */
export type ToReader =
  | { type: 'read'; job: number; file: FileToImport; now: number }
  | { type: 'cancel'; job: number }
  | { type: 'known'; job: number; known: ReadonlyMap<number, string> }
  | { type: 'there'; job: number; isThere: boolean }
  /** So much of what was told is written. */
  | { type: 'room'; size: number };

export type FromReader =
  | { type: 'known'; job: number; sha256: string; format: ImportFormat }
  | { type: 'there'; job: number; episode: string }
  | { type: 'piece'; job: number; piece: Piece; told: Told | null }
  | { type: 'bytes'; job: number; bytes: number }
  | { type: 'done'; job: number; report: FileReport };
