// What is said about an answer of the practice round, and which asks a seat has answered. Nothing of it reaches an
// agent; what the feedback gives away about a task is recorded as seen.
import type { PracticeFeedback, PracticePoint } from '../../shared/contract/seat.ts';
import { type Actor, seatActor } from '../../shared/events/actor.ts';
import { BUILT_IN_NAME } from '../../shared/environmentKinds.ts';
import { parsePlan, type PlannedCall } from '../../shared/plan.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { PracticeItem } from '../settings/practice.ts';

const streamOf = (seat: string): string => `seat/${seat}`;

/** The ids of the asks this seat has answered. */
export const practised = (log: EventLog, seat: string): Set<string> =>
  new Set(
    log.read(streamOf(seat)).flatMap(({ event }) => (event.kind === 'practice.answered' ? [event.ask] : [])),
  );

/** Notes the answer and what the feedback shows, then says how it went. */
export function answerPractice(
  log: EventLog,
  seat: string,
  item: PracticeItem,
  text: string,
): PracticeFeedback {
  const feedback = feedbackOn(item, text);
  const actor: Actor = seatActor(seat);
  const { scenario, task_idx } = item;
  log.appendAll(streamOf(seat), [
    { actor, event: { kind: 'practice.answered', seat, ask: item.id, text, is_good: feedback.is_good } },
    {
      actor,
      event: {
        kind: 'answer.seen',
        seat,
        environment: BUILT_IN_NAME,
        scenario,
        task_idx,
        saw: ['reference'],
        episode: null,
      },
    },
  ]);
  return feedback;
}

/** How an answer reads: as calls or as words, with tools that exist or not, naming the right records or wrong ones. */
export function feedbackOn(
  item: Pick<PracticeItem, 'tool_names' | 'expects' | 'avoids' | 'good'>,
  text: string,
): PracticeFeedback {
  const { calls } = parsePlan(text);
  const known = new Set(item.tool_names);
  const unknown = calls.filter(({ tool }) => !known.has(tool));
  const points: PracticePoint[] = [
    readsAs(calls),
    ...unknown.map(({ tool }) => ({
      is_ok: false,
      text: `No tool is called ${tool}; the agent would be refused.`,
    })),
    ...item.expects.map(({ tool, args, why }) => {
      const isThere = calls.length > 0 ? calls.some((call) => isCall(call, tool, args)) : isNamed(text, args);
      return { is_ok: isThere, text: isThere ? why : `Not found: ${tool} with ${namesOf(args)}.` };
    }),
    ...item.avoids
      .filter(({ argument, value }) => calls.some(({ args }) => args[argument] === value))
      .map(({ why }) => ({ is_ok: false, text: why })),
  ];
  const isGood = points.every(({ is_ok: isOk }, index) => isOk || (index === 0 && calls.length === 0));
  return { is_good: isGood, points, good: item.good };
}

function readsAs(calls: readonly PlannedCall[]): PracticePoint {
  if (calls.length === 0) {
    return {
      is_ok: false,
      text: 'It reads as plain words. They are welcome; a line such as tool_name({"id": 1}) is harder to misread.',
    };
  }
  const names = calls.map(({ tool }) => tool).join(' → ');
  return {
    is_ok: true,
    text: `It reads as ${calls.length === 1 ? '1 call' : `${String(calls.length)} calls`}: ${names}.`,
  };
}

type Args = Readonly<Record<string, unknown>>;

const isCall = (call: PlannedCall, tool: string, args: Args): boolean =>
  call.tool === tool && Object.entries(args).every(([name, value]) => call.args[name] === value);

/** In plain words the values that could be told wrong must be there: numbers, and texts that are no plain word. */
const isNamed = (text: string, args: Args): boolean =>
  Object.values(args).every((value) =>
    typeof value === 'number'
      ? new RegExp(`(?<![0-9])${String(value)}(?![0-9])`).test(text)
      : typeof value !== 'string' || /^[a-z]+$/.test(value) || text.includes(value),
  );

const namesOf = (args: Args): string =>
  Object.entries(args)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(', ');
