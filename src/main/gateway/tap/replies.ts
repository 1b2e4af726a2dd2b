// What an answer becomes in the log, by what was asked. Pure.
import { ENVIRONMENT, SYSTEM, UNKNOWN } from '../../../shared/events/actor.ts';
import type { Json } from '../../../shared/events/lifecycle.ts';
import { firstTask, sumRewards } from '../../environments/actions.ts';
import { observationText } from '../../openenv/observationText.ts';
import { errorText, resultLabel, resultText } from '../../openenv/session.ts';
import { readSaid, textOr, observedTools, wholeOr, type FrameRequest, type FrameReply } from './reading.ts';
import { by, frame, type NewEvent, type Pending, type OpenEpisodeState } from './openEpisode.ts';

type ReplyContext = {
  /** The tap's own words, not the environment's. */
  isLocal: boolean;
  at: number;
  /** Set for a listing that a person asked for. */
  ownCall?: string;
};

type ObservationReply = Extract<FrameReply, { type: 'observation' }>;

/** The events of one answer. */
export function replyEvents(
  under: OpenEpisodeState,
  pending: Pending,
  text: string,
  how: ReplyContext,
): NewEvent[] {
  if (how.isLocal) return [by(SYSTEM, { kind: 'frame.passed', direction: 'to_client', frame: text })];
  const said = readSaid(text);
  const { asked } = pending;
  const latency = Math.max(0, how.at - pending.at);
  if (asked.type === 'call') return [callReturned(under, pending, said, text, latency)];
  if (asked.type === 'other') return [frame('to_client', text)];
  if (said.type !== 'observation') return unread(pending, text);
  switch (asked.type) {
    case 'reset':
      return resetEvents(under, asked, said, text, latency);
    case 'list': {
      const call = how.ownCall ?? null;
      const tools = observedTools(said.observation);
      return [by(ENVIRONMENT, { kind: 'tools.listed', call, tools, frame: text, latency_ms: latency })];
    }
    case 'verify':
      return [verifierRan(under, asked, said, text, latency)];
    case 'done':
      return [finished(under, said, text, latency)];
    default:
      asked satisfies never;
      return [];
  }
}

/** Something else than an observation came: both frames are kept as they were. */
const unread = (pending: Pending, text: string): NewEvent[] => [
  ...(pending.text === '' ? [] : [frame('to_environment', pending.text)]),
  frame('to_client', text),
];

/** Texts of an answer; a server that nests without end is kept as its frame alone. */
function observationTexts(
  { observation }: ObservationReply,
  hasActions: boolean,
): {
  text: string | null;
  error: string | null;
  label: string | null;
} {
  try {
    return {
      text: hasActions ? observationText(observation) : resultText(observation),
      error: errorText(observation),
      label: resultLabel(observation),
    };
  } catch {
    return { text: null, error: null, label: null };
  }
}

function callReturned(
  under: OpenEpisodeState,
  { call }: Pending,
  said: FrameReply,
  text: string,
  latency: number,
): NewEvent {
  const observed = said.type === 'observation' ? said : null;
  const hasActions = under.server.actions !== null;
  const texts = observed === null ? null : observationTexts(observed, hasActions);
  if (hasActions && typeof observed?.reward === 'number') under.rewards.push(observed.reward);
  if (observed?.done === true) {
    under.isDone = true;
    const reward = hasActions ? sumRewards(under.rewards) : observed.reward;
    under.verdict ??= { reward_type: texts?.label ?? null, reward, final_answer: null };
  }
  return by(ENVIRONMENT, {
    kind: 'call.returned',
    call,
    frame: text,
    reward_type: texts?.label ?? null,
    reward: observed?.reward ?? null,
    done: observed?.done ?? false,
    text: texts?.text ?? null,
    error: said.type === 'error' ? (hasActions ? said.refusal : said.text) : (texts?.error ?? null),
    latency_ms: latency,
  });
}

function resetEvents(
  { server }: OpenEpisodeState,
  { request }: Extract<FrameRequest, { type: 'reset' }>,
  { observation, reward, done }: ObservationReply,
  text: string,
  latency: number,
): NewEvent[] {
  const { actions, about, schema } = server;
  const reset = by(ENVIRONMENT, {
    kind: 'environment.reset',
    request,
    frame: text,
    reward_type: textOr(observation.reward_type),
    reward,
    done,
    scenario: textOr(observation.scenario) ?? textOr(request['scenario']),
    task:
      actions === null
        ? (textOr(observation.task) ?? textOr(request['task']))
        : firstTask(about, observation),
    task_idx: wholeOr(observation.task_idx) ?? wholeOr(request['task_idx']),
    num_tools: actions?.types.length ?? wholeOr(observation.num_tools),
    warning: textOr(observation.warning),
    latency_ms: latency,
  });
  if (actions === null) return [reset];
  const tools = actions.types.map(({ tool }) => tool);
  return [reset, by(ENVIRONMENT, { kind: 'tools.listed', call: null, tools, frame: schema, latency_ms: 0 })];
}

/** Whether an agent or its orchestrator asked is not to be seen on the wire. */
function verifierRan(
  under: OpenEpisodeState,
  { mode, final_answer }: Extract<FrameRequest, { type: 'verify' }>,
  said: ObservationReply,
  text: string,
  latency: number,
): NewEvent {
  const { label, error } = observationTexts(said, false);
  under.verdict = { reward_type: label, reward: said.reward, final_answer };
  under.isDone = true;
  return by(UNKNOWN, {
    kind: 'verifier.ran',
    verifier_mode: mode,
    final_answer,
    frame: text,
    reward_type: label,
    reward: said.reward,
    verify_result: (said.observation.verify_result ?? null) as Json,
    error,
    latency_ms: latency,
  });
}

function finished(under: OpenEpisodeState, said: ObservationReply, text: string, latency: number): NewEvent {
  under.isDone = true;
  return by(UNKNOWN, {
    kind: 'environment.finished',
    frame: text,
    reward_type: observationTexts(said, false).label,
    steps_taken: wholeOr(said.observation.steps_taken),
    latency_ms: latency,
  });
}
