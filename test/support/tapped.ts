// Episodes as the tap records them, written straight into a log: what the wire of an environment shows, and no words.
import { AGENT, ENVIRONMENT, SYSTEM } from '../../src/shared/events/actor.ts';
import type { EventLog } from '../../src/main/log/eventLog.ts';
import { reset, started, proposed, returned } from './log.ts';

type Tapped = { id: string; name?: string | null; task?: string; key?: string };

/** A live tapped episode whose client calls itself `name`. */
export function openTapped(
  log: EventLog,
  { id, name = null, task = 'Rename the second workflow.', key = 'k1' }: Tapped,
) {
  const trainer = name === null ? null : { run: 'r1', step: 1, checkpoint: null, episode: name };
  log.append(
    id,
    SYSTEM,
    started({
      source: 'tap',
      condition: null,
      agent: { policy: 'foreign', protocol: null, model: null },
      trainer,
    }),
  );
  log.append(id, SYSTEM, {
    kind: 'tap.opened',
    key: 'default',
    key_id: key,
    user_agent: null,
    may_act: false,
    on_touch: 'mark',
    hold_limit_ms: 50_000,
  });
  log.append(id, ENVIRONMENT, reset({ task }));
}

/** A call of the client's agent and what came back. */
export function tappedCall(
  log: EventLog,
  id: string,
  turn: number,
  tool: string,
  error: string | null = null,
  failedAs = 'invalid_args',
) {
  const call = `t${String(turn)}`;
  log.append(
    id,
    AGENT,
    proposed({ turn, call, move: { type: 'call_tool', tool_name: tool, arguments: {} } }),
  );
  log.append(id, AGENT, { kind: 'call.sent', call, tool_name: tool, arguments: {} });
  log.append(
    id,
    ENVIRONMENT,
    returned({
      call,
      reward_type: error === null ? 'tool_call_ok' : failedAs,
      text: error === null ? 'ok' : null,
      error,
    }),
  );
}
