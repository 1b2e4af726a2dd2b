// The only loop. Reset, tools, turns, verify once, done: each step in the log before the next is taken.
import { hash } from 'node:crypto';
import { endedWithoutVerdict } from '../../shared/episode/endedWithoutVerdict.ts';
import { isAtSeat, ENVIRONMENT, SYSTEM } from '../../shared/events/actor.ts';
import { startingOf } from '../../shared/episode/starting.ts';
import type { AgentSpec, Outcome } from '../../shared/events/lifecycle.ts';
import { createCover } from '../../shared/redact/cover.ts';
import { secretsOf } from '../../shared/redact/redact.ts';
import type { EventOf, LogEvent } from '../../shared/events/vocabulary.ts';
import { Failure, failureShape } from '../../shared/failure.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { Policy } from '../agent/policy.ts';
import type { RetryEdges } from '../agent/retry.ts';
import type { Desk } from '../desk/desk.ts';
import type { EventLog } from '../log/eventLog.ts';
import { sumRewards } from '../environments/actions.ts';
import type { EnvironmentOf } from '../environments/port.ts';
import type { Prompts } from '../settings/prompts.ts';
import type { Consult } from './consult.ts';
import { boundary, stopBeforeMove } from './boundary.ts';
import { episodeBudget, hitter, type LimitHit } from './budget.ts';
import { giveBrief } from './giveBrief.ts';
import { beginEpisode, conversationOf } from './beginEpisode.ts';
import { playMove, type MoveResult } from './playMove.ts';
import { openCall, readTurn, takeTurn } from './takeTurn.ts';
import { environmentText } from './environmentText.ts';
import { startDelay } from './startRetries.ts';
import { reset, verifyAndFinish } from './environment.ts';
import { append, messageEvent, recordOf, type RunSpec, type EpisodeStage } from './stage.ts';

export type { RunSpec } from './stage.ts';
export type RunEpisode = (id: string, spec: RunSpec, signal: AbortSignal) => Promise<EpisodeRecord>;

type RunEpisodeDependencies = {
  log: EventLog;
  consult: Consult;
  desk: Desk;
  prompts: Prompts;
  /** Throws `model_not_configured` when the policy needs a model there is none of. */
  policyFor: (spec: RunSpec, task: () => string | null) => Policy;
  environmentOf: EnvironmentOf;
  /** Begins to put into words what the task's verifier checks, for whoever advises later. */
  prepareCriteria?: (episode: string, signal: AbortSignal) => void;
  /** What the models of an episode cost now, as far as it is known. */
  pricesOf?: (spec: RunSpec) => EventOf<'episode.started'>['prices'];
  clock: () => number;
  retry: Pick<RetryEdges, 'sleep' | 'random'>;
};

/** How the turns ended, before the verifier has spoken. */
type Ending = {
  outcome: Outcome;
  reason: string | null;
  limit?: LimitHit['limit'];
  final_answer: string | null;
};

/** Runs one episode from `episode.started` to `episode.ended`. Rejects only when the log itself cannot be written. */
export const createRunEpisode =
  (parts: RunEpisodeDependencies): RunEpisode =>
  async (id, spec, stop) => {
    const { log } = parts;
    log.append(id, SYSTEM, episodeStarted(spec, parts.prompts.sha256, parts.pricesOf?.(spec)));
    const { rules } = spec.approval;
    if (rules.length > 0) log.append(id, SYSTEM, { kind: 'policy.changed', rules });
    try {
      const { stage, gone } = await beginStage(parts, id, spec, stop);
      try {
        endEpisode(stage, await drive(stage, parts.prepareCriteria));
      } catch (thrown) {
        throw gone.aborted ? gone.reason : thrown;
      } finally {
        stage.session.close();
      }
    } catch (thrown) {
      endBroken(log, id, stop.aborted, thrown);
    } finally {
      log.cover(id, null);
    }
    return log.record(id);
  };

/** Of everything the agent may read: our texts, and a person's on the environment. */
const promptDigest = (ours: string, text: string): string => hash('sha256', `${ours}\n${text}`, 'hex');

/** Where a person makes every move, no model acts, though one may be set for the agent. */
const actingAgent = ({ policy, protocol, ...agent }: AgentSpec): AgentSpec =>
  policy === 'human' ? { policy, protocol, model: null } : { policy, protocol, ...agent };

const limitsFrom = ({ limitSources = {} }: RunSpec): Pick<EventOf<'episode.started'>, 'limits_from'> =>
  Object.values(limitSources).includes('settings') ? { limits_from: limitSources } : {};

const episodeStarted = (
  spec: RunSpec,
  promptSha256: string,
  prices: EventOf<'episode.started'>['prices'],
): LogEvent => ({
  kind: 'episode.started',
  environment: spec.environment,
  scenario: spec.scenario,
  task_idx: spec.task_idx,
  condition: spec.condition,
  agent: actingAgent(spec.agent),
  limits: spec.limits,
  ...limitsFrom(spec),
  deadline_ms: spec.deadline_ms,
  fallback: spec.fallback,
  seed: spec.seed,
  repeat: spec.repeat,
  group: spec.group,
  prompt_sha256:
    spec.environmentText === null ? promptSha256 : promptDigest(promptSha256, spec.environmentText),
  ...(spec.environmentText === null ? {} : { environment_text: spec.environmentText }),
  source: 'run',
  trainer: spec.run === null ? null : { run: spec.run, step: null, checkpoint: null, episode: null },
  is_blinded: spec.isBlinded,
  is_key_open: spec.isKeyOpen,
  ...(spec.effect === 'not_shown' ? { effect: spec.effect } : {}),
  ...(spec.verifierMode === null ? {} : { verifier_mode: spec.verifierMode }),
  keeps_session: spec.keepsSession,
  admission: spec.admission,
  ...(spec.bench === undefined ? {} : { bench: spec.bench }),
  ...(spec.lift === undefined ? {} : { lift: spec.lift }),
  ...(spec.confidence ? { confidence: spec.confidence } : {}),
  ...(spec.experts ? { experts: spec.experts } : {}),
  ...(prices === undefined ? {} : { prices }),
  ...(spec.probe === undefined ? {} : { probe: spec.probe }),
  approval: { deadline_ms: spec.approval.deadline_ms, fallback: spec.approval.fallback },
});

/** `gone` aborts when the environment is gone. */
type BegunStage = { stage: EpisodeStage; gone: AbortSignal };

/** A stage whose environment is reset, tried again as often as the run allows. Throws the last failure. */
async function beginStage(
  parts: RunEpisodeDependencies,
  id: string,
  spec: RunSpec,
  stop: AbortSignal,
): Promise<BegunStage> {
  const { startRetries: retries } = spec;
  for (let tries = 1; ; tries += 1) {
    try {
      return await openStage(parts, id, spec, stop);
    } catch (thrown) {
      const wait = stop.aborted ? null : startDelay(thrown, { tries, retries, random: parts.retry.random() });
      if (wait === null) throw thrown;
      const failure = failureShape(thrown);
      parts.log.append(id, SYSTEM, { kind: 'start.retried', tries, retries, wait_ms: wait, failure });
      await parts.retry.sleep(wait, stop);
    }
  }
}

async function openStage(
  parts: RunEpisodeDependencies,
  id: string,
  spec: RunSpec,
  stop: AbortSignal,
): Promise<BegunStage> {
  const session = await beginEpisode(parts, id, spec, stop);
  const gone = new AbortController();
  session.onClosed((failure) => gone.abort(failure));
  const cover = createCover([...secretsOf(spec.reset), ...session.secrets]);
  parts.log.cover(id, cover);
  const signal = AbortSignal.any([stop, gone.signal]);
  try {
    const stage = stageOf(parts, { id, spec, session, signal, cover });
    if (spec.from === null) await openEpisode(stage, await environmentText(parts, spec));
    return { stage, gone: gone.signal };
  } catch (thrown) {
    const reason: unknown = gone.signal.aborted ? gone.signal.reason : thrown;
    session.close();
    throw reason;
  }
}

function stageOf(
  { log, consult, desk, prompts, policyFor, environmentOf, clock, retry }: RunEpisodeDependencies,
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
    hits: new Set(),
    reservedTools: environment.capabilities.reservedTools,
    image: () => environment.images(id)?.current ?? null,
    clock,
    retry,
    policy: policyFor(spec, () => {
      const task = log.record(id).reset?.task ?? null;
      return task === null ? null : log.texts.loadText(task);
    }),
    conversation: conversationOf(prompts, spec),
  };
}

/** Resets, and puts the opening messages to the agent. */
async function openEpisode(stage: EpisodeStage, text: string): Promise<void> {
  await reset(stage);
  const { reset: opened, tools } = recordOf(stage);
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
  prepareCriteria: RunEpisodeDependencies['prepareCriteria'],
): Promise<Ending> {
  if (stage.spec.agent.policy === 'human') giveToPerson(stage);
  const { condition, lift } = stage.spec;
  // Where no draft is made nothing is spent; a person who opens the answer key asks for it then.
  const isDrafted = condition === 'model' || condition === 'human+draft';
  if (isDrafted && lift === undefined) prepareCriteria?.(stage.id, stage.signal);
  const ending = await turns(stage);
  await verifyAndFinish(stage, ending.final_answer);
  return ending;
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

async function turns(stage: EpisodeStage): Promise<Ending> {
  if (stage.spec.probe === 'no_op')
    return { outcome: 'done', reason: 'nothing was done', final_answer: null };
  const { limits, limitSources = {} } = stage.spec;
  const hit = hitter(limits, 'episode', limitSources);
  const startedAt = stage.clock();
  let pausedMs = 0;
  // A person may have written the next turn while this one was under way: what was played is counted, not what is there.
  let played = stage.spec.from?.turn ?? 0;
  for (;;) {
    const isPlayed = stage.spec.agent.policy === 'human';
    if (isPlayed && played >= limits.turns) return limited(hit('turns', 'turns'));
    const arrivedAt = stage.clock();
    const next = await boundary(stage, played);
    pausedMs += stage.clock() - arrivedAt;
    const record = recordOf(stage);
    if (next.who === 'agent' && record.turns.filter(({ actor }) => !isAtSeat(actor)).length >= limits.turns) {
      return limited(hit('turns', 'turns'));
    }
    if (stage.clock() - startedAt - pausedMs - waitedMs(record) > limits.time_ms)
      return limited(hit('time_ms', 'time'));
    const budget = next.who === 'agent' ? budgetOf(stage, record) : null;
    if (budget !== null) return limited(budget);
    const turn =
      next.who === 'human' ? readTurn(stage, next.turn) : await takeTurn(stage, record.counts.turns + 1);
    if (turn === null) continue;
    played = turn.turn;
    if (!turn.byHuman) await stopBeforeMove(stage, turn);
    const ending = endingOf(await playMove(stage, turn));
    if (ending !== null) return ending;
  }
}

/** A call that was asked for already costs nothing more. */
const budgetOf = ({ spec }: EpisodeStage, record: EpisodeRecord): LimitHit | null =>
  openCall(record) === null ? episodeBudget(record, spec) : null;

function endingOf(played: MoveResult): Ending | null {
  if (played.type === 'final') return { outcome: 'done', reason: null, final_answer: played.text };
  if (played.type === 'goes_on') return null;
  return { outcome: 'done', reason: 'the environment ended the episode', final_answer: null };
}

const limited = ({ reason, limit }: LimitHit): Ending => ({
  outcome: 'limit',
  reason,
  limit,
  final_answer: null,
});

/** Time in which a person was waited for is not the agent's: questions and held calls. */
const waitedMs = ({ consultations, turns: played }: EpisodeRecord): number =>
  [
    ...consultations.map(({ askedAt, decision }) => ({ from: askedAt, to: decision?.at })),
    ...played.map(({ call }) => ({ from: call?.held?.at, to: call?.decision?.at })),
  ].reduce((sum, { from, to }) => sum + (from === undefined || to === undefined ? 0 : to - from), 0);

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
