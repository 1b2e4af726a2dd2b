// Requests to a model's server whose answers have a limit in bytes: what is longer is broken off while it comes.
import type { Failure } from '../../shared/failure.ts';

/** A whole answer is parsed at once. */
const REPLY_BYTES_MAX = 8 * 1024 * 1024;
/** A stream is parsed line by line: one that names each token takes some 300 bytes a token. */
const STREAM_BYTES_MAX = 64 * 1024 * 1024;

/** `fetch`, but an answer over its limit fails with what `tooLong` says of the limit in words. */
export const boundedFetch =
  (tooLong: (limit: string) => Failure) =>
  async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const answer = await fetch(input, init);
    if (answer.body === null) return answer;
    const isStream = (answer.headers.get('content-type') ?? '').includes('event-stream');
    const body = answer.body.pipeThrough(bounded(isStream, tooLong));
    return new Response(body, answer);
  };

function bounded(
  isStream: boolean,
  tooLong: (limit: string) => Failure,
): TransformStream<Uint8Array, Uint8Array> {
  const most = isStream ? STREAM_BYTES_MAX : REPLY_BYTES_MAX;
  const mib = (bytes: number): string => `${String(bytes / 1024 / 1024)} MiB`;
  let size = 0;
  let lineSize = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      size += chunk.byteLength;
      const lineEnd = isStream ? chunk.lastIndexOf(0x0a) : -1;
      lineSize = lineEnd === -1 ? lineSize + chunk.byteLength : chunk.byteLength - lineEnd - 1;
      if (size > most) throw tooLong(mib(most));
      if (lineSize > REPLY_BYTES_MAX) throw tooLong(`${mib(REPLY_BYTES_MAX)} in one line`);
      controller.enqueue(chunk);
    },
  });
}
