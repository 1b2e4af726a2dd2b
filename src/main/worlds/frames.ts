// The frames a world sends, byte for byte: key order, absent keys, floats. Must not know: how an observation came
// about.
import type { ErrorCode } from '../../shared/wireFrames.ts';
import type { FrameProblem } from './problems.ts';

/** An environment's reply. `observation` keys that are undefined are absent on the wire. */
export type WorldReply =
  | { type: 'observation'; observation: Record<string, unknown>; reward: unknown; done: boolean }
  | { type: 'invalid'; problems: FrameProblem[] }
  | { type: 'raised'; message: string };

export function replyFrame(reply: WorldReply): string {
  switch (reply.type) {
    case 'observation': {
      const { observation, reward, done } = reply;
      const data = { observation: { metadata: {}, ...observation }, reward: reward ?? null, done };
      return JSON.stringify({ type: 'observation', data });
    }
    case 'invalid':
      return errorFrame('VALIDATION_ERROR', 'Invalid message', { errors: reply.problems });
    case 'raised':
      return errorFrame('EXECUTION_ERROR', reply.message);
    default:
      reply satisfies never;
      return '';
  }
}

export const errorFrame = (code: ErrorCode, message: string, extras: Record<string, unknown> = {}): string =>
  JSON.stringify({ type: 'error', data: { message, code, ...extras } });

export const stateFrame = (state: { episode_id: string | null; step_count: number }): string =>
  JSON.stringify({ type: 'state', data: state });

export const mcpFrame = (data: object): string => JSON.stringify({ type: 'mcp', data });
