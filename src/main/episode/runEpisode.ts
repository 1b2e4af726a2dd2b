// Owns: the only loop. Reset, tools, turns, verify once, done: each step in the log before the next is taken.
import { AGENT, ENVIRONMENT, SYSTEM, type Actor } from '../../shared/events/actor.ts';
import type { Outcome } from '../../shared/events/lifecycle.ts';
import type { LogEvent } from '../../shared/events/vocabulary.ts';
import { Failure, failureShape } from '../../shared/failure.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { createConversation } from '../agent/conversation.ts';
import type { Policy } from '../agent/policy.ts';
import { readMove } from '../agent/readMove.ts';
import { nextTurn, type RetryEdges } from '../agent/retry.ts';
import { toChat } from '../agent/toChat.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { Session } from '../openenv/session.ts';
import type { Prompts } from '../settings/prompts.ts';
import type { Consult } from './consult.ts';
import { play, type Played } from './play.ts';
import { finish, reset, verify } from './environment.ts';
import { append, canAsk, messageEvent, recordOf, type RunSpec, type Stage } from './stage.ts';

export type { RunSpec } from './stage.ts';
export type RunEpisode = (id: string, spec: RunSpec, signal: AbortSignal) => Promise<EpisodeRecord>;

type Parts = {
  log: EventLog;
  consult: Consult;
  prompts: Prompts;
  /** Throws `model_not_configured` when the policy needs a model there is none of. */
  policyFor: (spec: RunSpec) => Policy;
  openSession: (url: string, signal: AbortSignal) => Promise<Session>;
  clock: () => number;
  retry: Pick<RetryEdges, 'sleep' | 'random'>;
};

/** How the turns ended, before the verifier has spoken. */
type Ending = { outcome: Outcome; reason: string | null; finalAnswer: string | null };

/** Runs one episode from `episode.started` to `episode.ended`. Rejects only when the log itself cannot be written. */
export const createRunEpisode =
  (parts: Parts): RunEpisode =>
  async (id, spec, stop) => {
    const { log } = parts;
    log.append(id, SYSTEM, startedEvent(spec, parts.prompts.sha256));
    const gone = new AbortController();
    const signal = AbortSignal.any([stop, gone.signal]);
    try {
      const session = await connect(parts, id, spec, stop);
      session.onClosed((failure) => gone.abort(failure));
      const stage = stageOf(parts, { id, spec, session, signal });
      try {
        end(stage, await drive(stage));
      } finally {
        session.close();
      }
    } catch (thrown) {
      endBroken(log, id, stop.aborted, gone.signal.aborted ? gone.signal.reason : thrown);
    }
    return log.record(id);
  };

const startedEvent = (spec: RunSpec, promptSha256: string): LogEvent => ({
  kind: 'episode.started',
  environment: spec.environment,
  scenario: spec.scenario,
  task_idx: spec.taskIdx,
  condition: spec.condition,
  agent: spec.agent,
  limits: spec.limits,
  deadline_ms: spec.deadlineMs,
  fallback: spec.fallback,
  seed: spec.seed,
  repeat: spec.repeat,
  group: spec.group,
  prompt_sha256: promptSha256,
});

async function connect(parts: Parts, id: string, spec: RunSpec, signal: AbortSignal): Promise<Session> {
  try {
    const session = await parts.openSession(spec.environment.url, signal);
    parts.log.append(id, SYSTEM, { kind: 'connection.changed', state: 'open', failure: null });
    return session;
  } catch (thrown) {
    const failure = failureShape(thrown);
    parts.log.append(id, SYSTEM, { kind: 'connection.changed', state: 'failed', failure });
    throw thrown;
  }
}

const stageOf = (
  { log, consult, prompts, policyFor, clock, retry }: Parts,
  { id, spec, session, signal }: Pick<Stage, 'id' | 'spec' | 'session' | 'signal'>,
): Stage => ({
  id,
  spec,
  log,
  session,
  signal,
  consult,
  clock,
  retry,
  policy: policyFor(spec),
  conversation: createConversation({
    prompts,
    protocol: spec.agent.protocol,
    canAsk: spec.condition !== 'none',
    deliveredChars: spec.limits.delivered_chars,
  }),
});

async function drive(stage: Stage): Promise<Ending> {
  await reset(stage);
  const { reset: opened, tools } = recordOf(stage);
  const task = opened?.task ?? null;
  const opening = stage.conversation.opening({
    task: task === null ? '' : stage.log.texts.whole(task),
    tools,
  });
  const isNative = stage.spec.agent.protocol === 'native';
  const events: LogEvent[] = [
    { kind: 'tools.offered', tools: isNative ? stage.conversation.offered(tools) : [] },
    ...opening.map((delivery) => messageEvent(delivery, 0)),
  ];
  stage.log.appendAll(
    stage.id,
    events.map((event) => ({ actor: SYSTEM, event })),
  );
  const ending = await turns(stage);
  if (opened?.reward_type !== null) {
    await verify(stage, ending.finalAnswer);
    await finish(stage);
  }
  return ending;
}

async function turns(stage: Stage): Promise<Ending> {
  const { limits } = stage.spec;
  const startedAt = stage.clock();
  for (let turn = 1; turn <= limits.turns; turn += 1) {
    stage.signal.throwIfAborted();
    if (stage.clock() - startedAt - waitedMs(recordOf(stage)) > limits.time_ms) return limited('time');
    const played = await takeTurn(stage, turn);
    if (played.type === 'final') return { outcome: 'done', reason: null, finalAnswer: played.text };
    if (played.type === 'environment_done') {
      return { outcome: 'done', reason: 'the environment ended the episode', finalAnswer: null };
    }
  }
  return limited('turns');
}

const limited = (reason: 'turns' | 'time'): Ending => ({ outcome: 'limit', reason, finalAnswer: null });

/** Time spent waiting for an expert is not the agent's. */
const waitedMs = (record: EpisodeRecord): number =>
  record.consultations.reduce((sum, { askedAt, decision }) => sum + ((decision?.at ?? askedAt) - askedAt), 0);

async function takeTurn(stage: Stage, turn: number): Promise<Played> {
  const { agent } = stage.spec;
  const record = recordOf(stage);
  const tools = stage.conversation.offered(record.tools);
  const asksLeft = stage.spec.limits.consultations - record.counts.consultations;
  const startedAt = performance.now();
  const reply = await nextTurn(
    stage.policy,
    {
      messages: toChat(record.messages, (text) => stage.log.texts.whole(text)),
      tools,
      protocol: agent.protocol,
      canAsk: canAsk(stage) && asksLeft > 0,
    },
    {
      ...stage.retry,
      failed: ({ code, message }, retryInMs) =>
        append(stage, SYSTEM, { kind: 'model.failed', turn, code, message, retry_in_ms: retryInMs }),
    },
    stage.signal,
  );
  const call = `t${String(turn)}`;
  const reading = readMove(reply, { protocol: agent.protocol, tools: record.tools });
  const author: Actor = reply.model === null ? AGENT : { type: 'agent', id: reply.model };
  stage.log.appendAll(stage.id, [
    {
      actor: author,
      event: {
        kind: 'turn.generated',
        turn,
        content: reply.content,
        reasoning: reply.reasoning,
        tool_calls: reply.toolCalls,
        model: reply.model,
        stop_reason: reply.stopReason,
        usage: reply.usage,
        latency_ms: performance.now() - startedAt,
      },
    },
    {
      actor: author,
      event: {
        kind: 'move.proposed',
        turn,
        call,
        move: reading.move,
        repairs: reading.repairs,
        ignored_calls: reading.ignoredCalls,
      },
    },
  ]);
  return play(stage, { turn, call, reading });
}

function end(stage: Stage, { outcome, reason, finalAnswer }: Ending): void {
  const { verified, turns: played } = recordOf(stage);
  append(stage, SYSTEM, {
    kind: 'episode.ended',
    outcome,
    reason,
    failure: null,
    final_answer: finalAnswer,
    reward_type: verified?.reward_type ?? null,
    // Without a verifier the environment's last reward stands.
    reward:
      verified === null
        ? (played.findLast((t) => t.call?.returned)?.call?.returned?.reward ?? null)
        : verified.reward,
  });
}

/** An episode that did not come through: stopped by someone, or broken by something that has a name. */
function endBroken(log: EventLog, id: string, isStopped: boolean, thrown: unknown): void {
  const failure = failureShape(thrown);
  if (!isStopped && thrown instanceof Failure && thrown.code.startsWith('env_')) {
    log.append(id, ENVIRONMENT, { kind: 'connection.changed', state: 'closed', failure });
  }
  log.append(id, SYSTEM, {
    kind: 'episode.ended',
    outcome: isStopped ? 'stopped' : 'error',
    reason: isStopped ? 'stopped' : null,
    failure: isStopped ? null : failure,
    final_answer: null,
    reward_type: null,
    reward: null,
  });
}
