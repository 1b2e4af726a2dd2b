// What is added to an answer on its way to the client: notes, and which turns a person changed. Nothing is added
// while there is nothing to say, and `reward` and `done` are never touched.
import { stoppedReply, withExtras, withWordsInResult, type Channel } from './frames.ts';
import { extrasOf, finishPlay, keepAction, type TapPlayer, type TapShared } from './player.ts';

const OBSERVATION_KEY = Buffer.from('"observation"');

/** The answer as the client gets it. */
export function decorate(
  shared: TapShared,
  player: TapPlayer,
  channel: Channel,
  { seq, episode }: { seq: number; episode: string | null },
  bytes: Buffer,
): Buffer {
  if (player.notes.length === 0 && player.touched.length === 0) return bytes;
  if (episode === null || episode !== player.episode) return bytes;
  if (channel === 'ws' && !bytes.includes(OBSERVATION_KEY)) return bytes;
  const decorated = withExtras(bytes, channel, extrasOf(player));
  if (decorated === null || player.notes.length === 0) return decorated ?? bytes;
  return withNotes(shared, player, channel, seq, decorated);
}

function withNotes(
  shared: TapShared,
  player: TapPlayer,
  channel: Channel,
  seq: number,
  decorated: Buffer,
): Buffer {
  const { note_in_result, on_touch } = shared.rules();
  const words = player.notes.map(({ text }) => `[A person notes] ${text}`).join('\n');
  const inResult = note_in_result ? withWordsInResult(decorated, channel, words) : null;
  const notes = player.notes.map(({ note }) => note);
  keepAction(shared, player, seq, { did: 'noted', notes, in_result: inResult !== null });
  player.notes = [];
  if (inResult === null) return decorated;
  if (on_touch === 'mark') return inResult;
  const reason = 'A person stepped in; this episode is not to be learnt from.';
  player.stopped = reason;
  finishPlay(shared, player, { by: 'person', code: null, reason: 'discarded: a person changed it' });
  return stoppedReply(channel, reason, { extras: extrasOf(player), id: null, frame: decorated });
}
