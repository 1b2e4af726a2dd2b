// The two functions a desktop window has towards main, as the preload exposes them on `window.interject`. Both sides
// parse what they get: a preload is a door like any other.
import { z } from 'zod';
import { FailureShape } from '../failure.ts';
import { Push, type Topic } from './envelope.ts';

/** What a request comes back as; a failure is a value here, because errors lose their fields on the way over IPC. */
export const BridgeReply = z.discriminatedUnion('ok', [
  z.strictObject({ ok: z.literal(true), value: z.unknown() }),
  z.strictObject({ ok: z.literal(false), failure: FailureShape }),
]);
export type BridgeReply = z.infer<typeof BridgeReply>;

/** News of one subscription: a push, or the reason why there will be none. */
export const BridgeNews = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('push'), push: Push }),
  z.strictObject({ type: z.literal('failure'), failure: FailureShape }),
]);
export type BridgeNews = z.infer<typeof BridgeNews>;

export type Bridge = {
  request: (method: string, input: unknown, seat: string) => Promise<BridgeReply>;
  /** Calls `onNews` with a `BridgeNews` until the returned function is called. */
  subscribe: (topic: Topic, seat: string, onNews: (news: unknown) => void) => () => void;
};

/** The name the preload exposes the bridge under. */
export const BRIDGE_NAME = 'interject';
