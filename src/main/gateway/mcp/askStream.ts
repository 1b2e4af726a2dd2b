// The response to a tool call that takes its time: progress while a person thinks, then the result.
import type { RunningAsk } from './askTool.ts';
import { failure, RPC, success, type RequestId } from './protocol.ts';

type StreamParts = {
  ask: RunningAsk;
  id: RequestId;
  /** What the client wants to hear progress under; null when it wants none. */
  progressToken: RequestId | null;
  /** Whole seconds after which the question is over. */
  totalS: number;
  /** Whether the client reads events; else it gets one JSON body. */
  isStream: boolean;
  everyMs: number;
  /** The response is complete, or nobody reads it any more. */
  ended: () => void;
};

/** A response that begins at once; the client that stops reading leaves its question. */
export function askResponse(parts: StreamParts): Response {
  const { ask, id, isStream, everyMs, ended } = parts;
  const bytes = new TextEncoder();
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(timer);
    ended();
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const say = (text: string): void => controller.enqueue(bytes.encode(text));
      const beat = (): void => say(isStream ? progressText(parts, performance.now() - startedAt) : ' ');
      if (isStream) beat();
      timer = setInterval(beat, everyMs);
      const close = (message: object | null): void => {
        stop();
        if (message !== null) say(isStream ? event(message) : JSON.stringify(message));
        controller.close();
      };
      ask.result
        .then((result) => close(result === null ? null : success(id, result)))
        .catch(() => close(failure(id, RPC.internal, 'Interject was closed while the question waited')))
        // The client had stopped reading: there is nobody to tell.
        .catch(() => undefined);
    },
    cancel: () => {
      stop();
      ask.leave(false);
    },
  });
  return new Response(body, {
    headers: {
      'content-type': isStream ? 'text/event-stream' : 'application/json',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  });
}

const event = (message: object): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

/** A notification for who asked for one, else a comment: both keep the connection. */
function progressText({ ask, progressToken, totalS }: StreamParts, passedMs: number): string {
  if (progressToken === null) return ': a person is being asked\n\n';
  // Progress must grow with every notification.
  const progress = Math.min(totalS, Math.round(passedMs) / 1000);
  return event({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken, progress, total: totalS, message: ask.state() },
  });
}
