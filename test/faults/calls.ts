// Whether the product sent a call more often than it may: the log says what it meant to send, and the environment what
// came. Replays in a new session are meant; a call in doubt is sent again by a person's word alone.
import { isRecord, tryJson } from '../../src/shared/json.ts';
import type { EventRow } from './checks.ts';

export type CallFindings = {
  /** In words, each a call that should not have been sent. */
  twice: string[];
  /** Calls that came again because their episode went on in a new session. */
  replayed: number;
  /** Calls in doubt that a person had sent again, and that were left unknown. */
  sentAgain: number;
  leftUnknown: number;
};

type SentCall = {
  nonce: string;
  stream: string;
  sent: number;
  replays: number;
  isBack: boolean;
  hasWord: boolean;
};

export function checkCalls(
  rows: readonly EventRow[],
  sessionsOf: ReadonlyMap<string, readonly number[]>,
): CallFindings {
  const found: CallFindings = { twice: [], replayed: 0, sentAgain: 0, leftUnknown: 0 };
  const byNonce = callsInLog(rows, found);
  for (const [nonce, sessions] of sessionsOf) {
    const call = byNonce.get(nonce);
    const may = call === undefined ? 0 : call.sent + call.replays;
    if (sessions.length > may)
      found.twice.push(
        `call ${nonce} came ${String(sessions.length)} times, and the log knows of ${String(may)}`,
      );
    if (new Set(sessions).size < sessions.length) found.twice.push(`call ${nonce} came twice in one session`);
    found.replayed += Math.max(0, sessions.length - (call?.sent ?? 0));
  }
  return found;
}

function callsInLog(rows: readonly EventRow[], found: CallFindings): Map<string, SentCall> {
  const byNonce = new Map<string, SentCall>();
  const byCall = new Map<string, SentCall>();
  const byStream = new Map<string, SentCall[]>();
  for (const { stream, kind, body } of rows) {
    // A session of its own: what had come back before may be made again in it.
    if (kind === 'connection.changed' && body.includes('"open"'))
      for (const call of byStream.get(stream) ?? []) if (call.isBack) call.replays += 1;
    if (kind !== 'call.sent' && kind !== 'call.returned' && kind !== 'doubt.settled') continue;
    const event: unknown = tryJson(body);
    if (!isRecord(event)) continue;
    const id = `${stream} ${String(event['call'])}`;
    const known = byCall.get(id);
    if (kind === 'call.returned' && known !== undefined) known.isBack = true;
    if (kind === 'doubt.settled' && known !== undefined) {
      known.hasWord = event['act'] === 'send_again';
      found[known.hasWord ? 'sentAgain' : 'leftUnknown'] += 1;
    }
    if (kind !== 'call.sent') continue;
    if (known !== undefined) {
      if (!known.hasWord) found.twice.push(`call ${known.nonce} was sent again without anyone’s word`);
      Object.assign(known, { sent: known.sent + 1, hasWord: false });
      continue;
    }
    const nonce = isRecord(event['arguments']) ? event['arguments']['nonce'] : undefined;
    if (typeof nonce !== 'string') continue;
    const call = { nonce, stream, sent: 1, replays: 0, isBack: false, hasWord: false };
    byNonce.set(nonce, call);
    byCall.set(id, call);
    byStream.set(stream, [...(byStream.get(stream) ?? []), call]);
  }
  return byNonce;
}
