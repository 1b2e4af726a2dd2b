// The protocol between the main process and the tap's process: records of what passed, and control messages.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { HoldFallback } from '../../../shared/events/gateway.ts';
import { readNote, writeFresh } from '../../log/knock.ts';

export const PROTOCOL = 3;

/** Kinds of record. Frames are kept byte for byte, but for the values of secret reset keys. */
export const RecordKind = {
  /** JSON: who plays the episode. The first record of every episode. */
  began: 1,
  /** A frame of the client, as it came. */
  request: 2,
  /** An answer that reached the client, with the request it answers. */
  reply: 3,
  /** JSON-RPC over HTTP: a tool used in a session, and its answer. */
  rpcRequest: 4,
  rpcReply: 5,
  /** A frame of the environment that answers nothing. */
  unasked: 6,
  /** JSON: what the tap itself did; see `TapAction`. */
  tapAction: 7,
  /** JSON: the end. */
  ended: 8,
  /** JSON: frames that went through unrecorded. */
  gap: 9,
  /** A person's own call, sent between the client's frames, and its answer. */
  ownReply: 10,
} as const;
export type RecordKind = (typeof RecordKind)[keyof typeof RecordKind];

/** The request waits for a word from main before it goes on. */
export const HELD_FLAG = 1;
/** The answer is the tap's own, not the environment's. */
export const LOCAL = 2;
export const BINARY = 4;

export type TapRecord = {
  kind: RecordKind;
  flags: number;
  /** Counts the records of one run of the tap's process, from 1. */
  seq: number;
  /** UTC ms. */
  at: number;
  episode: string;
  /** The request a reply answers; 0 for none. */
  ref: number;
  /** Length of the request that stands before the reply in the payload. */
  lead: number;
  payload: Buffer;
};

const ID_LENGTH = 19;
/** kind, flags, seq, at, id, ref, lead. */
const RECORD_HEAD_BYTES = 1 + 1 + 8 + 8 + ID_LENGTH + 8 + 4;
/** A record's own length stands before it. */
export const RECORD_OVERHEAD = 4 + RECORD_HEAD_BYTES;

/** Writes a record at an offset; the buffer has room for it. Returns where it ends. */
export function writeRecord(
  into: Buffer,
  offset: number,
  record: Omit<TapRecord, 'payload' | 'lead'>,
  lead: Buffer | null,
  payload: Buffer,
): number {
  const leadLength = lead?.length ?? 0;
  let at = into.writeUInt32LE(RECORD_HEAD_BYTES + leadLength + payload.length, offset);
  at = into.writeUInt8(record.kind, at);
  at = into.writeUInt8(record.flags, at);
  at = into.writeDoubleLE(record.seq, at);
  at = into.writeDoubleLE(record.at, at);
  into.fill(0x20, at, at + ID_LENGTH);
  into.write(record.episode, at, ID_LENGTH, 'latin1');
  at = into.writeDoubleLE(record.ref, at + ID_LENGTH);
  at = into.writeUInt32LE(leadLength, at);
  if (lead !== null) at += lead.copy(into, at);
  return at + payload.copy(into, at);
}

/** Reads the records of a batch. What is torn at its end (a crash while it was written) is left out. */
export function readRecords(batch: Buffer): { records: TapRecord[]; read: number } {
  const records: TapRecord[] = [];
  let offset = 0;
  while (offset + 4 <= batch.length) {
    const length = batch.readUInt32LE(offset);
    const end = offset + 4 + length;
    if (length < RECORD_HEAD_BYTES || end > batch.length) break;
    records.push(readOne(batch, offset + 4, end));
    offset = end;
  }
  return { records, read: offset };
}

function readOne(batch: Buffer, start: number, end: number): TapRecord {
  const id = start + 18;
  const after = id + ID_LENGTH;
  return {
    kind: batch.readUInt8(start) as RecordKind,
    flags: batch.readUInt8(start + 1),
    seq: batch.readDoubleLE(start + 2),
    at: batch.readDoubleLE(start + 10),
    episode: batch.toString('latin1', id, after).trimEnd(),
    ref: batch.readDoubleLE(after),
    lead: batch.readUInt32LE(after + 8),
    payload: batch.subarray(start + RECORD_HEAD_BYTES, end),
  };
}

export type Began = {
  /** Name and id of the client's key. */
  key: string;
  key_id: string;
  environment: string;
  user_agent: string | null;
  /** Reset kwargs `interject_*`, which never reach the environment; a name behind the key is an `interject_episode`. */
  trainer: Record<string, unknown>;
  scenario: string | null;
  task_idx: number | null;
  may_act: boolean;
  on_touch: 'mark' | 'discard';
  hold_limit_ms: number;
  hold_fallback: HoldFallback;
};

export type EndedPlay = {
  by: 'client' | 'environment' | 'reset' | 'person' | 'tap';
  /** Close code of the socket, where one was closed. */
  code: number | null;
  reason: string;
};

export type Gap = { from_at: number; to_at: number; frames: number; reason: string };

/** The tap's act on a held request, or on an answer. `ref` of its record names the request. */
export type TapAction =
  | { did: 'passed' | 'edited' | 'answered' | 'rejected' | 'discarded'; by: 'person' }
  /** Nobody decided: executed all the same, where the key says so, or refused. */
  | { did: 'passed' | 'expired'; by: 'deadline' }
  /** The client left before anybody decided: nobody reads an answer any more. */
  | { did: 'left' }
  | { did: 'refused'; tool: string; text: string }
  | { did: 'noted'; notes: string[]; in_result: boolean }
  | { did: 'own_failed'; id: string; reason: string };

export type TapLinkKey = {
  id: string;
  sha256: string;
  name: string;
  environment: string;
  url: string;
  /** Sent to the environment with every request; absent for none. */
  headers?: Readonly<Record<string, string>>;
  /** The authorities that are trusted for it, in PEM; absent for the usual ones. */
  ca?: readonly string[];
  at_once: number | null;
  /** New connections and steps together. */
  per_minute: number | null;
  /** The limits of the keys that made it, against which it counts too; absent for none. */
  within?: readonly Pick<TapLinkKey, 'sha256' | 'at_once' | 'per_minute'>[];
  /** How long a call may wait for a person, and what becomes of it when nobody decides. */
  hold_limit_ms: number;
  hold_fallback: HoldFallback;
};
/** A key that opens other doors than this. */
export type Stranger = { sha256: string; name: string };
export type TapRules = {
  may_act: boolean;
  on_touch: 'mark' | 'discard';
  reserved_tools: 'pass' | 'refuse';
  note_in_result: boolean;
};

/** The decision of main on a held request. `touched` are the episode's changed turns, this one included. */
export type HeldVerdict =
  | { do: 'pass' }
  | {
      do: 'edit';
      tool_name: string;
      arguments: Record<string, unknown>;
      /** What goes to an environment without tools in place of the call. */
      action?: Record<string, unknown>;
      touched: number[];
    }
  | { do: 'answer'; text: string; is_error: boolean; touched: number[] }
  | { do: 'reject'; reason: string; touched: number[] }
  /** Nobody decided in time. */
  | { do: 'expire' };

export type ToTap =
  | { type: 'config'; keys: TapLinkKey[]; strangers: Stranger[]; rules: TapRules }
  | { type: 'ack'; seq: number }
  | { type: 'arm'; episode: string; is_armed: boolean; touched: number[] }
  | { type: 'note'; episode: string; note: string; text: string }
  | { type: 'verdict'; ask: number; verdict: HeldVerdict }
  | { type: 'own'; episode: string; id: string; frame: string }
  | { type: 'stop'; episode: string; reason: string }
  | { type: 'ping'; id: number }
  /** Main closes once the clients that play have left: new ones of these environments are refused, null for all. */
  | { type: 'closing'; environments: string[] | null }
  | { type: 'quit' };

/** A request that waits for main's word; `at` (UTC ms) is that of its record. */
export type OpenHold = { ask: number; episode: string; at: number };

/** To main, beside the batches of records. */
export type FromTap =
  | {
      type: 'hello';
      protocol: number;
      run: string;
      seq: number;
      port: number;
      live: string[];
      asks: OpenHold[];
    }
  | { type: 'status'; sockets: number; backlog: number; lost: number }
  /** `seq`: the last record that was sent before it. */
  | { type: 'pong'; id: number; seq?: number }
  /** A connection with the key of this name was refused for its limits. */
  | { type: 'limited'; key: string }
  | { type: 'bye' };

/** The room that a tap takes for what follows, before the disk can be full; a shorter file says that there was none. */
export const UNSAVED_BYTES = 128 << 10;
/** The content of the file beside the journal: records that it could not take. */
export type Unsaved = {
  /** Number, UTC ms and episode of each. */
  records: [number, number, string][];
  /** Beyond those, by episode: how many frames, from when, to when (UTC ms), and the number of the last. */
  more: Record<string, [number, number, number, number]>;
  /** Beyond those too: frames of clients that there was no room to name. */
  rest: number;
};

// The tap's own file in the data folder: its process and port.
const TapFile = z.object({ pid: z.number().int(), port: z.number().int() });
type TapFile = z.infer<typeof TapFile>;

/** The tap process's file on itself; null where there is none. */
export const readTapFile = (folder: string): TapFile | null => readNote(folder, 'tap.json', TapFile);

/** Removes what a process left that is not there any more, or one itself. */
export const removeTapFile = (folder: string): void => rmSync(join(folder, 'tap.json'), { force: true });

export const writeTapFile = (folder: string, file: TapFile): void => writeFresh(folder, 'tap.json', file);
