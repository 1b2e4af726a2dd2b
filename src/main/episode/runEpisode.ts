// The only loop. Reset, tools, turns, verify once, done: each step in the log before the next is taken.
import { kindOf } from '../../shared/environmentKinds.ts';
import { endedWithoutVerdict } from '../../shared/episode/phase.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { closing, isClosing } from '../../shared/episode/restarts.ts';
import { startingOf } from '../../shared/episode/starting.ts';
import { type Actor, ENVIRONMENT, SYSTEM } from '../../shared/events/actor.ts';
import type { Baseline } from '../../shared/events/consultations.ts';
import { ADMIT_EVERYTHING, type Json } from '../../shared/events/lifecycle.ts';
import type { EventOf, LogEvent } from '../../shared/events/vocabulary.ts';
import { Failure, failureShape, type FailureShape } from '../../shared/failure.ts';
import { redactJson, secretsOf } from '../../shared/redact/redact.ts';
import type { Policy } from '../agent/policy.ts';
import type { Desk } from '../desk/desk.ts';
import { sumRewards } from '../environments/actions.ts';
import { isNamedAwm } from '../environments/awm.ts';
import type { EnvironmentOf } from '../environments/port.ts';
import type { RetryEdges } from '../llm/retry.ts';
import type { EventLog } from '../log/eventLog.ts';
import { fillPrompt, type Prompts } from '../settings/prompts.ts';
import { beginEpisode, conversationOf, type PickUp, reopenEpisode } from './beginEpisode.ts';
import { hitter } from './budget.ts';
import type { Consult } from './consult.ts';
import { createEpisodeTime, type EpisodeTime, keepUsedTime } from './episodeTime.ts';
import { type OpeningDependencies, openingOf } from './openingEvents.ts';
import { type Ending, limited, playTurns } from './playTurns.ts';
import { breakOff, interrupt } from './restart.ts';
import { append, appendSaid, type EpisodeStage, messageEvent, recordOf, type RunSpec } from './stage.ts';
import { isPassing, startDelay } from './startRetries.ts';

export type RunEpisode = (
  id: string,
  spec: RunSpec,
  signal: AbortSignal,
  /** It is in the log already, and goes on from there. */
  pickUp?: PickUp | null,
) => Promise<EpisodeRecord>;

type RunEpisodeDependencies = OpeningDependencies & {
  log: EventLog;
  consult: Consult;
  desk: Desk;
  /** Throws `model_not_configured` when the policy needs a model there is none of. */
  policyFor: (spec: RunSpec, task: () => string | null) => Policy;
  environmentOf: EnvironmentOf;
  /** Begins to put into words what the task's verifier checks, for whoever advises later. */
  prepareCriteria?: (episode: string, signal: AbortSignal) => void;
  clock: () => number;
  /** ms on a clock that never jumps: the episode's time runs on it. */
  monotonic: () => number;
  retry: Pick<RetryEdges, 'sleep' | 'random'>;
};

type TimedDependencies = RunEpisodeDependencies & { time: EpisodeTime };

/**
 * Runs one episode from `episode.started` to `episode.ended`, or until Interject is closed, which leaves it open. Rejects
 * only when the log itself cannot be written.
 */
export const createRunEpisode =
  (parts: RunEpisodeDependencies): RunEpisode =>
  async (id, spec, stop, pickUp = null) => {
    const { log } = parts;
    let isBack = pickUp === null;
    log.appendAll(id, pickUp === null ? openingOf(parts, spec) : [pickedUp(pickUp)]);
    const time = createEpisodeTime({
      limitMs: spec.limits.time_ms,
      environment: spec.environment.name,
      clock: parts.clock,
      monotonic: parts.monotonic,
      keepUsed: (usedMs) => keepUsedTime(log, id, usedMs),
    });
    try {
      const { stage, gone } = await beginStage({ ...parts, time }, id, spec, stop, pickUp);
      isBack = true;
      try {
        endEpisode(stage, await drive(stage, { ...parts, time, stop, pickUp }));
      } catch (thrown) {
        throw gone.aborted ? gone.reason : thrown;
      } finally {
        stage.session.close();
      }
    } catch (thrown) {
      if (isClosing(stop)) breakOff(log, id, { ranUntil: parts.clock(), failure: failureShape(closing()) });
      else if (!isBack && pickUp !== null && !stop.aborted) notBack(log, id, pickUp, failureShape(thrown));
      else if (stop.aborted || time.overrun() === null) endBroken(log, id, stop.aborted, thrown);
      else
        log.append(id, SYSTEM, { ...endedWithoutVerdict('limit', null), ...hungEnding(log, id, spec, time) });
    } finally {
      log.cover(id, null);
    }
    return log.record(id);
  };

/** A server that is down, full or slow may serve it later; anything else will not change by waiting. */
function notBack(log: EventLog, id: string, { mayWait, ran_until }: PickUp, failure: FailureShape): void {
  if (mayWait && isPassing(failure.code)) breakOff(log, id, { ranUntil: ran_until, failure });
  else interrupt(log, id, { failure });
}

const pickedUp = ({ by, mayWait: _mayWait, ...event }: PickUp): { actor: Actor; event: LogEvent } => ({
  actor: by,
  event: { kind: 'episode.picked_up', ...event },
});

/** `gone` aborts when the environment is gone. */
type BegunStage = { stage: EpisodeStage; gone: AbortSignal };

/** A stage whose environment is reset, tried again as often as the run allows. Throws the last failure. */
async function beginStage(
  parts: TimedDependencies,
  id: string,
  spec: RunSpec,
  stop: AbortSignal,
  pickUp: PickUp | null,
): Promise<BegunStage> {
  const { startRetries: retries } = spec;
  for (let tries = 1; ; tries += 1) {
    try {
      return await openStage(parts, id, spec, stop, pickUp);
    } catch (thrown) {
      const isOver = stop.aborted || parts.time.overrun() !== null;
      const wait = isOver ? null : startDelay(thrown, { tries, retries, random: parts.retry.random() });
      if (wait === null) throw thrown;
      const failure = failureShape(thrown);
      parts.log.append(id, SYSTEM, { kind: 'start.retried', tries, retries, wait_ms: wait, failure });
      await parts.retry.sleep(wait, stop);
    }
  }
}

async function openStage(
  parts: TimedDependencies,
  id: string,
  spec: RunSpec,
  stop: AbortSignal,
  pickUp: PickUp | null,
): Promise<BegunStage> {
  parts.time.restart();
  const timed = { ...parts, bound: parts.time.bound };
  const session = await (pickUp === null
    ? beginEpisode(timed, id, spec, stop)
    : reopenEpisode(timed, id, spec, pickUp, stop));
  const gone = new AbortController();
  session.onClosed((failure) => gone.abort(failure));
  const cover = parts.log.cover(id, [...secretsOf(spec.reset), ...session.secrets]);
  const signal = AbortSignal.any([stop, gone.signal]);
  try {
    const stage = stageOf(parts, { id, spec, session, signal, cover });
    if (spec.from === null) await openEpisode(stage, () => environmentText(parts, spec));
    return { stage, gone: gone.signal };
  } catch (thrown) {
    const reason: unknown = gone.signal.aborted ? gone.signal.reason : thrown;
    session.close();
    throw reason;
  }
}

function stageOf(
  { log, consult, desk, prompts, policyFor, environmentOf, clock, retry, time }: TimedDependencies,
  { id, spec, session, signal, cover }: Pick<EpisodeStage, 'id' | 'spec' | 'session' | 'signal' | 'cover'>,
): EpisodeStage {
  const environment = environmentOf(spec.environment);
  return {
    id,
    spec,
    log,
    session,
    signal,
    cover,
    consult,
    desk,
    hits: new Set(
      log
        .record(id)
        .timeline.flatMap((item) =>
          item.type === 'breakpoint_hit' ? [`${item.breakpoint}:${String(item.turn)}`] : [],
        ),
    ),
    reservedTools: environment.capabilities.reservedTools,
    image: () => environment.images(id)?.current ?? null,
    clock,
    whileWaiting: time.whileWaiting,
    retry,
    policy: policyFor(spec, () => {
      const task = log.record(id).reset?.task ?? null;
      return task === null ? null : log.texts.loadText(task);
    }),
    conversation: conversationOf(prompts, spec),
  };
}

/** Resets, and puts the opening messages to the agent, as far as the log does not have it yet. */
async function openEpisode(stage: EpisodeStage, textOf: () => Promise<string>): Promise<void> {
  const text = await textOf();
  await reset(stage);
  const { reset: opened, tools, messages } = recordOf(stage);
  if (messages.length > 0) return giveBrief(stage);
  const task = opened?.task ?? null;
  const opening = stage.conversation.opening({
    task: task === null ? '' : stage.log.texts.loadText(task),
    tools,
    environmentText: text,
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
  await giveBrief(stage);
}

async function drive(
  stage: EpisodeStage,
  {
    time,
    stop,
    pickUp,
    prepareCriteria,
  }: Pick<TimedDependencies, 'time' | 'prepareCriteria'> & { stop: AbortSignal; pickUp: PickUp | null },
): Promise<Ending> {
  const { phaseN, criteria } = recordOf(stage);
  if (stage.spec.agent.policy === 'human' && phaseN === 0) giveToPerson(stage);
  const { condition, lift } = stage.spec;
  // Where no draft is made nothing is spent; a person who opens the answer key asks for it then.
  const isDrafted = condition === 'model' || condition === 'human+draft';
  if (isDrafted && lift === undefined && criteria === null) prepareCriteria?.(stage.id, stage.signal);
  try {
    const ending = await playTurns(stage, time, pickUp?.used_ms ?? null);
    await verifyAndFinish(stage, ending.final_answer);
    return ending;
  } catch (thrown) {
    // With the session that hangs, what the verifier would look at is gone.
    if (stop.aborted || time.overrun() === null) throw thrown;
    return hungEnding(stage.log, stage.id, stage.spec, time);
  }
}

/** A person acts from the first move on, as one who took over does. */
function giveToPerson(stage: EpisodeStage): void {
  const { phase: from } = recordOf(stage);
  if (from === 'correcting') return;
  const reason = 'a person plays this episode';
  append(stage, SYSTEM, {
    kind: 'phase.changed',
    from,
    to: 'correcting',
    cause: 'person',
    reason,
    at_once: false,
  });
}

function endEpisode(stage: EpisodeStage, { outcome, reason, limit, final_answer }: Ending): void {
  const { verified, turns: played } = recordOf(stage);
  append(stage, SYSTEM, {
    kind: 'episode.ended',
    outcome,
    reason,
    ...(limit === undefined ? {} : { limit }),
    failure: null,
    final_answer,
    reward_type: verified?.reward_type ?? null,
    reward: verified === null ? rewardOfSteps(played, stage.session.addsRewards) : verified.reward,
  });
}

/** The reward of an episode without a verifier: the steps' sum, or the last one. */
function rewardOfSteps(turns: EpisodeRecord['turns'], isSum: boolean): number | null {
  if (!isSum) return turns.findLast(({ call }) => call?.returned)?.call?.returned?.reward ?? null;
  return sumRewards(turns.flatMap(({ call }) => call?.returned?.reward ?? []));
}

/** The end of an episode whose environment was given up on because its time was over. */
function hungEnding(
  log: EventLog,
  id: string,
  { limits, limitSources = {} }: RunSpec,
  time: EpisodeTime,
): Ending {
  const failure = failureShape(time.overrun());
  log.append(id, ENVIRONMENT, { kind: 'connection.changed', state: 'closed', failure });
  return limited(hitter(limits, 'episode', limitSources)('time_ms', 'time'));
}

/** An episode that did not come through: stopped by someone, or broken by something that has a name. */
function endBroken(log: EventLog, id: string, isStopped: boolean, thrown: unknown): void {
  const failure = failureShape(thrown);
  if (!isStopped && thrown instanceof Failure && thrown.code.startsWith('env_')) {
    log.append(id, ENVIRONMENT, { kind: 'connection.changed', state: 'closed', failure });
  }
  const ended = isStopped
    ? endedWithoutVerdict(
        'stopped',
        startingOf(log.record(id))?.awaits === 'reset' ? 'cancelled during the reset' : 'stopped',
      )
    : endedWithoutVerdict('error', null, failure);
  log.append(id, SYSTEM, ended);
}

/**
 * Resets and lists the tools, as far as the log does not have it yet. Throws `reset_failed`, `unknown_scenario` or
 * `task_out_of_range`.
 */
async function reset(stage: EpisodeStage): Promise<void> {
  const { reset: logged, timeline } = recordOf(stage);
  if (logged === null) await resetNow(stage);
  if (timeline.some(({ type }) => type === 'tools')) return;
  const listed = await stage.session.listTools(stage.signal);
  await appendSaid(stage, [{ actor: ENVIRONMENT, event: { kind: 'tools.listed', call: null, ...listed } }]);
}

async function resetNow(stage: EpisodeStage): Promise<void> {
  const { session, spec, signal } = stage;
  const task: Record<string, Json> = {
    ...(spec.scenario === null ? {} : { scenario: spec.scenario }),
    ...(spec.task_idx === null ? {} : { task_idx: spec.task_idx }),
  };
  const request: Record<string, Json> = {
    ...spec.reset,
    ...session.resetArguments({ ...spec.reset, ...task }),
    ...task,
    seed: spec.seed,
    // Ours becomes the server's, so that the two can be matched afterwards.
    episode_id: stage.id,
  };
  const { result, refusal } = await session.reset(request, signal);
  const event: LogEvent = {
    kind: 'environment.reset',
    request: redactJson(request),
    ...result,
    scenario: result.scenario ?? spec.scenario,
    task_idx: result.task_idx ?? spec.task_idx,
  };
  await appendSaid(stage, [{ actor: ENVIRONMENT, event }]);
  if (refusal !== null) throw resetFailure(stage, refusal);
}

function resetFailure({ spec }: EpisodeStage, said: string): Failure {
  if (/task_idx|task index|out of range/i.test(said)) {
    return new Failure(
      'task_out_of_range',
      `${spec.environment.name} has no task ${String(spec.task_idx)}: ${said}`,
      {
        next: 'Choose a task that the scenario lists.',
      },
    );
  }
  if (/scenario/i.test(said)) {
    return new Failure(
      'unknown_scenario',
      `${spec.environment.name} refused "${spec.scenario ?? ''}": ${said}`,
      {
        next: 'Choose a scenario that the environment lists.',
      },
    );
  }
  return new Failure('reset_failed', `${spec.environment.name} could not reset: ${said}`, {
    next: 'The message is the environment’s own; look at its log.',
  });
}

/** The verifier runs once, on what the episode left behind; then the environment is told that it is over. */
async function verifyAndFinish(stage: EpisodeStage, final_answer: string | null): Promise<void> {
  const { session, spec, signal } = stage;
  const { verified: known, finished: over } = recordOf(stage);
  if (over !== null) return;
  // A world that died with the program was verified then: the new one is brought to where that one was.
  const isOwed = known === null || kindOf(spec.environment).isPartOfProduct;
  const verified = isOwed ? await session.verifyOnce(final_answer, signal) : null;
  if (verified !== null && known === null)
    await appendSaid(stage, [{ actor: ENVIRONMENT, event: { kind: 'verifier.ran', ...verified } }]);
  const finished = await session.finishEnvironment(spec, signal);
  if (finished !== null)
    await appendSaid(stage, [{ actor: ENVIRONMENT, event: { kind: 'environment.finished', ...finished } }]);
}

/** A person's words where there are some, and none where they took them away. */
async function environmentText(
  { environmentOf, prompts }: { environmentOf: EnvironmentOf; prompts: Prompts },
  { environment, environmentText: given }: Pick<RunSpec, 'environment' | 'environmentText'>,
): Promise<string> {
  if (given !== null) return given.trim();
  return isNamedAwm(await environmentOf(environment).describe())
    ? fillPrompt(prompts.awmUser, {}).trim()
    : '';
}

/** Waits for the brief and puts it before the agent; nothing in a condition without one. */
async function giveBrief(stage: EpisodeStage): Promise<void> {
  const { spec, id, log } = stage;
  const baseline = spec.baseline ?? null;
  const consultation = `${id}:brief`;
  const record = recordOf(stage);
  const known = record.consultations.find((one) => one.id === consultation) ?? null;
  if (known !== null && (known.delivered !== null || record.turns.length > 0)) return;
  if (baseline === null && known === null) return;
  const gate = { admission: ADMIT_EVERYTHING, seed: id };
  const advice = await (baseline === null || known !== null
    ? stage.consult.resume(id, consultation, gate, stage.signal)
    : stage.consult.ask(id, briefAsked(stage, consultation, baseline), gate, stage.signal));
  stage.signal.throwIfAborted();
  // A decline or a deadline leaves the agent with its task alone.
  if (advice.as !== 'advice' && advice.as !== 'draft') return;
  const delivery = stage.conversation.brief(advice.text);
  const { text, full_length, deliveredLength } = delivery.body;
  const events: LogEvent[] = [
    {
      kind: 'advice.delivered',
      consultation,
      as: advice.as,
      text,
      full_length,
      delivered_length: deliveredLength,
      privilege: advice.privilege,
      to: 'agent',
    },
    messageEvent(delivery, 0),
  ];
  log.appendAll(
    id,
    events.map((event) => ({ actor: SYSTEM, event })),
  );
}

const briefAsked = (
  { spec, clock }: EpisodeStage,
  consultation: string,
  baseline: Baseline,
): EventOf<'consultation.asked'> => ({
  kind: 'consultation.asked',
  consultation,
  turn: 0,
  call: null,
  trigger: 'brief',
  task: null,
  available_tools: null,
  question: null,
  answered_by: spec.condition === 'brief+human' ? 'human' : 'model',
  deadline_at: spec.deadline_ms === null ? null : clock() + spec.deadline_ms,
  fallback: spec.fallback,
  via: 'loop',
  request: null,
  link: null,
  baseline,
});
