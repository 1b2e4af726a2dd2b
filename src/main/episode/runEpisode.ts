// The only loop. Reset, tools, turns, verify once, done: each step in the log before the next is taken.
import { keepUsedTime } from './usedTime.ts';
import { endedWithoutVerdict } from '../../shared/episode/endedWithoutVerdict.ts';
import { type Actor, ENVIRONMENT, SYSTEM } from '../../shared/events/actor.ts';
import { closing, isClosing } from '../../shared/episode/restarts.ts';
import { startingOf } from '../../shared/episode/starting.ts';
import { secretsOf } from '../../shared/redact/redact.ts';
import type { LogEvent } from '../../shared/events/vocabulary.ts';
import { Failure, failureShape, type FailureShape } from '../../shared/failure.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { Policy } from '../agent/policy.ts';
import type { RetryEdges } from '../agent/retry.ts';
import type { Desk } from '../desk/desk.ts';
import type { EventLog } from '../log/eventLog.ts';
import { sumRewards } from '../environments/actions.ts';
import type { EnvironmentOf } from '../environments/port.ts';
import type { Consult } from './consult.ts';
import { beginEpisode, conversationOf, reopenEpisode, type PickUp } from './beginEpisode.ts';
import { hitter } from './budget.ts';
import { createEpisodeTime, type EpisodeTime } from './episodeTime.ts';
import { giveBrief } from './giveBrief.ts';
import { breakOff, interrupt } from './interrupted.ts';
import { openingOf, type OpeningDependencies } from './openingEvents.ts';
import { limited, playTurns, type Ending } from './playTurns.ts';
import { environmentText } from './environmentText.ts';
import { isPassing, startDelay } from './startRetries.ts';
import { reset, verifyAndFinish } from './environment.ts';
import { append, messageEvent, recordOf, type RunSpec, type EpisodeStage } from './stage.ts';

export type { RunSpec } from './stage.ts';
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
    hits: hitsOf(log.record(id)),
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

/** Breakpoints that have stopped it before the program was killed. */
const hitsOf = ({ timeline }: EpisodeRecord): Set<string> =>
  new Set(
    timeline.flatMap((item) =>
      item.type === 'breakpoint_hit' ? [`${item.breakpoint}:${String(item.turn)}`] : [],
    ),
  );

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

/** What the steps of an episode without a verifier come to: their sum, or the last reward there is. */
function rewardOfSteps(turns: EpisodeRecord['turns'], isSum: boolean): number | null {
  if (!isSum) return turns.findLast(({ call }) => call?.returned)?.call?.returned?.reward ?? null;
  return sumRewards(turns.flatMap(({ call }) => call?.returned?.reward ?? []));
}

const stopReason = (record: EpisodeRecord): string =>
  startingOf(record)?.awaits === 'reset' ? 'cancelled during the reset' : 'stopped';

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
    ? endedWithoutVerdict('stopped', stopReason(log.record(id)))
    : endedWithoutVerdict('error', null, failure);
  log.append(id, SYSTEM, ended);
}
