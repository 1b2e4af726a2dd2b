// The messages between the log's thread and the reading thread; both are always of one build.
import type { FileReport } from '../../../shared/contract/import.ts';
import type { ImportFormat } from '../../../shared/events/import.ts';
import type { ImportPiece } from '../../log/importPieces.ts';
import type { FileToImport, KnownEpisodes, EpisodeHeader } from './readFile.ts';

/** They go in batches: what was said in one breath is one message, since each wakes the other thread. */
export type ToReader =
  | { type: 'read'; job: number; file: FileToImport; now: number }
  | { type: 'cancel'; job: number }
  | { type: 'known'; job: number; known: KnownEpisodes }
  | { type: 'there'; job: number; isThere: boolean }
  /** So much of what was told is written. */
  | { type: 'room'; size: number };

export type FromReader =
  | { type: 'known'; job: number; sha256: string; format: ImportFormat }
  | { type: 'there'; job: number; episode: string }
  | { type: 'piece'; job: number; piece: ImportPiece; told: EpisodeHeader | null }
  | { type: 'bytes'; job: number; bytes: number }
  | { type: 'done'; job: number; report: FileReport };
