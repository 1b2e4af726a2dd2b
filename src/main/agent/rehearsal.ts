// The agent that needs no model: it tries what its script says, asks, and does what the advice says. Its state is the
// conversation and nothing else, so a resumed or replayed episode goes on the same way.
import type { RehearsalScript } from '../../shared/pack.ts';
import { isMadeAgain, parsePlan, type PlannedCall } from '../../shared/plan.ts';
import { exampleArguments } from '../../shared/schema/exampleValue.ts';
import { RESPONSE_PREFIX, type JsonObject } from '../../shared/events/turns.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import { NO_ADVICE } from '../../shared/wire.ts';
import type { ChatMessage, LlmReply } from '../llm/port.ts';
import { ERROR_PREFIX } from './conversation.ts';
import type { Policy, TurnRequest } from './policy.ts';
import { readMove } from './readMove.ts';
import { ASK_EXPERT, isVirtual } from './toolNames.ts';
import { writeMove } from './writeMove.ts';

type Protocol = 'native' | 'xml';
type RehearsalStep = { type: 'call' | 'ask' | 'other'; answer: string };
type RehearsalTurn = { say: string; call: { name: string; args: Record<string, unknown> } | null };

const ANSWER_HEAD = 300;

/** With a script it errs as scripted; without one it tries the first tool and asks. */
export const createRehearsal = ({
  script,
  protocol,
}: {
  script: RehearsalScript | null;
  protocol: Protocol;
}): Policy => ({
  next: (request, signal) => {
    signal.throwIfAborted();
    const steps = pastSteps(request);
    const turn = decideTurn(script ?? plainScript(request, steps), steps, request.canAsk);
    return Promise.resolve(rehearsalReply(turn, protocol, steps.length));
  },
});

function decideTurn(
  script: RehearsalScript,
  steps: readonly RehearsalStep[],
  canAsk: boolean,
): RehearsalTurn {
  const asks = steps.filter((step) => step.type === 'ask').length;
  const lastAsk = steps.findLastIndex((step) => step.type === 'ask');
  if (lastAsk === -1) {
    const attempt = script.attempts[steps.length];
    if (attempt !== undefined) return { say: attempt.say, call: { name: attempt.tool, args: attempt.args } };
    return canAsk ? askTurn('I am stuck and need advice.', script.ask) : finishTurn(`${tried(steps)}.`);
  }
  const answer = steps[lastAsk]?.answer ?? '';
  if (answer.startsWith(NO_ADVICE)) return finishTurn(unaided(steps));
  const calls = callsIn(answer);
  const followed = steps.slice(lastAsk + 1);
  const next = calls[followed.length];
  if (next !== undefined) {
    return { say: next.purpose ?? 'Following the advice.', call: { name: next.tool, args: next.args } };
  }
  if (calls.length > 0) return finishTurn(aided(script, followed, calls));
  if (asks === 1 && canAsk)
    return askTurn('I cannot find a call in this advice.', { ...script.ask, context: UNCLEAR });
  return finishTurn(`The advice named no call that I can carry out, so I stop here. ${unaided(steps)}`);
}

const finishTurn = (say: string): RehearsalTurn => ({ say, call: null });
const askTurn = (say: string, args: { task: string; context: string }): RehearsalTurn => ({
  say,
  call: { name: ASK_EXPERT, args },
});

/** The calls an advice asks for; what is not a call of the environment is not carried out. */
const callsIn = (advice: string): PlannedCall[] =>
  parsePlan(advice).calls.filter((call) => !isVirtual(call.tool));

const UNCLEAR =
  'I could not read a call in the advice. Which tools should I call, in which order, with which arguments?';

const isErrorAnswer = (step: RehearsalStep): boolean => step.answer.startsWith(ERROR_PREFIX);

/** The scripted ending is true only when every advised call went through, at the latest when it was made again. */
function aided(
  script: RehearsalScript,
  followed: readonly RehearsalStep[],
  calls: readonly PlannedCall[],
): string {
  const failed = followed.filter((step, at) => isErrorAnswer(step) && !isMadeAgain(calls, at));
  const last = failed.at(-1);
  if (last === undefined) return script.final;
  return `I followed the advice, but ${String(failed.length)} of ${String(followed.length)} calls failed. Last error: ${last.answer.slice(ERROR_PREFIX.length, ANSWER_HEAD)}`;
}

/** Final words of one that asked in vain. */
const unaided = (steps: readonly RehearsalStep[]): string =>
  `${tried(steps)}, and I have no advice to go by.`;

function tried(steps: readonly RehearsalStep[]): string {
  const calls = steps.filter((step) => step.type === 'call');
  const failed = calls.filter(isErrorAnswer).length;
  return `I could not finish the task: I made ${String(calls.length)} calls, ${String(failed)} of them failed`;
}

/** The agent's calls so far and their results, read from the conversation as anybody would. */
function pastSteps({ messages, tools, protocol }: TurnRequest): RehearsalStep[] {
  const steps: RehearsalStep[] = [];
  for (const message of messages) {
    const last = steps.at(-1);
    if (message.role === 'assistant') steps.push({ type: stepType(message, tools, protocol), answer: '' });
    else if (last !== undefined) last.answer += (last.answer === '' ? '' : '\n\n') + responseText(message);
  }
  return steps;
}

const responseText = ({ content }: ChatMessage): string =>
  content.startsWith(RESPONSE_PREFIX) ? content.slice(RESPONSE_PREFIX.length) : content;

function stepType(
  { content, toolCalls }: Extract<ChatMessage, { role: 'assistant' }>,
  tools: ToolSpec[],
  protocol: Protocol,
): RehearsalStep['type'] {
  const reply: LlmReply = { content, toolCalls, reasoning: null, model: null, stopReason: null, usage: null };
  const { move } = readMove(reply, { protocol, tools });
  if (move.type === 'ask_expert') return 'ask';
  return move.type === 'call_tool' ? 'call' : 'other';
}

/** For an environment nobody wrote a script for. */
function plainScript({ messages, tools }: TurnRequest, steps: readonly RehearsalStep[]): RehearsalScript {
  const task = messages.find((message) => message.role === 'user')?.content ?? '';
  const first = tools.find((tool) => !isVirtual(tool.name));
  const args = (first === undefined ? {} : exampleArguments(first.input_schema)) as JsonObject;
  const how = Object.keys(args).length === 0 ? 'without arguments' : `with ${JSON.stringify(args)}`;
  const seen = steps[0] === undefined ? '' : ` It answered: ${steps[0].answer.slice(0, ANSWER_HEAD)}`;
  return {
    attempts: first === undefined ? [] : [{ say: 'Looking at what there is.', tool: first.name, args }],
    ask: {
      task,
      context: first === undefined ? 'I have no tools.' : `I called ${first.name} ${how}.${seen}`,
    },
    final: 'I made the calls that the advice asked for, and none of them failed.',
  };
}

const rehearsalReply = ({ say, call }: RehearsalTurn, protocol: Protocol, turn: number): LlmReply =>
  writeMove(say, call === null ? null : { id: `rehearsal_${String(turn)}`, ...call }, protocol);
