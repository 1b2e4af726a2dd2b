// The two functions a desktop window has towards main, as the preload exposes them on `window.interject`. Values cross as
// JSON texts, as they do over a socket: a copy of an object would lose the digits of numbers that are kept exactly.
import type { FailureShape } from '../failure.ts';
import type { Push, Topic } from './envelope.ts';

/** The reply to a request; a failure is a value here, because errors lose their fields on the way over IPC. */
export type BridgeReply = { ok: true; value: unknown } | { ok: false; failure: FailureShape };

/** News of one subscription: a push, or the reason why there will be none. */
export type BridgeNews = { type: 'push'; push: Push } | { type: 'failure'; failure: FailureShape };

export type Bridge = {
  /** Takes the input as JSON, and resolves with a `BridgeReply` as JSON. */
  request: (method: string, input: string, seat: string) => Promise<string>;
  /** Calls `onNews` with each `BridgeNews` as JSON until the returned function is called. */
  subscribe: (topic: Topic, seat: string, onNews: (news: string) => void) => () => void;
};

/** The name the preload exposes the bridge under. */
export const BRIDGE_NAME = 'interject';
