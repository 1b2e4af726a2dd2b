// Owns: an episode of many steps with heavy results, written straight into a log.
import { ENVIRONMENT, type Actor } from '../../src/shared/events/actor.ts';
import type { LogEvent } from '../../src/shared/events/vocabulary.ts';
import { AGENT, openLog, reset, started, SYSTEM, generated, proposed, returned, ended } from './log.ts';

/** A result of some 3 kB, as a listing of a world's rows is; each one its own. */
function resultOf(step: number): string {
  const rows = Array.from({ length: 24 }, (_, i) => ({
    id: step * 24 + i,
    name: `Order ${String(step)}-${String(i)}`,
    note: 'Delivered to the front desk, signed for; the customer asked for an invoice by mail.',
  }));
  return JSON.stringify({ rows, next: step + 1 });
}

const entry = (actor: Actor, event: LogEvent) => ({
  actor,
  at: null,
  event,
});

function stepEvents(turn: number) {
  const call = `c${String(turn)}`;
  const args = { page: turn, limit: 24, order: 'newest first' };
  const text = resultOf(turn);
  const frame = JSON.stringify({ observation: { done: false, reward: 0, result: text } });
  return [
    entry(
      AGENT,
      generated({
        turn,
        content:
          `I read page ${String(turn)} of the orders and look for the one that was signed for twice. `.repeat(
            4,
          ),
        model: 'm',
        stop_reason: 'stop',
        latency_ms: 1,
      }),
    ),
    entry(
      AGENT,
      proposed({ turn, call, move: { type: 'call_tool', tool_name: 'list_orders', arguments: args } }),
    ),
    entry(SYSTEM, { kind: 'call.sent', call, tool_name: 'list_orders', arguments: args }),
    entry(ENVIRONMENT, returned({ call, frame, text, latency_ms: 2 })),
  ];
}

/** Writes it; how many bytes of events it holds. */
export function fillHeavy(path: string, id: string, steps: number): number {
  const log = openLog(path, Date.now);
  const end: LogEvent = ended({ final_answer: 'done' });
  const entries = [
    entry(SYSTEM, started({ task_idx: 3 })),
    entry(SYSTEM, reset({ task_idx: 3 })),
    ...Array.from({ length: steps }, (_, i) => stepEvents(i + 1)).flat(),
    entry(SYSTEM, end),
  ];
  log.importStreams([{ stream: id, entries }]);
  log.close();
  return entries.reduce((sum, { event }) => sum + JSON.stringify(event).length, 0);
}
