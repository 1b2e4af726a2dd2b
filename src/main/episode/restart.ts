// Sorts the episodes that a killed or closed program left open: they go on as the same episodes, wait for a person's
// word, or end as interrupted and say why.
import { hasHeldCall } from '../../shared/episode/calls.ts';
import { endedWithoutVerdict } from '../../shared/episode/phase.ts';
import { lostSecrets, markedNames } from '../../shared/episode/lostSecrets.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import {
  ATTEMPTS_MAX,
  CAME_WITH_FOLDER,
  cameWithFolder,
  effectsText,
  ownAttempts,
  wasClosed,
} from '../../shared/episode/restarts.ts';
import { type Actor, SYSTEM } from '../../shared/events/actor.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { isBriefed } from '../../shared/conditions.ts';
import { Failure, failureShape, type FailureShape } from '../../shared/failure.ts';
import type { EventLog } from '../log/eventLog.ts';
import { forgetUsedTimes } from './episodeTime.ts';
import { promptDigest } from './openingEvents.ts';

export type AfterCrash = 'go_on' | 'interrupt' | 'leave';

/** A model by its name and where it is asked, without anything secret. */
export type AgentNow = { model: string; base_url: string; reasoning?: 'off' };

export type RestartDependencies = {
  log: EventLog;
  /** Of every text that agents are told now. */
  promptSha256: string;
  /** `go_on`: by themselves, where they may. `interrupt`: none does. `leave`: they wait for a program that goes on with them. */
  mode: AfterCrash;
  /** Whether somebody else made the data folder, or this user on another machine: none goes on by itself. */
  cameWithFolder?: boolean;
  /** The model that is set for the agent now; null where there is none. */
  agentNow: (profile?: string) => AgentNow | null;
  /** Whether its calls may be made again without a person's word: nothing outside an episode hears of them. */
  isFreeOfEffects: (environment: EnvironmentSpec) => boolean;
};

/** The reason not to go on, in words; with a failure if something can be mended. */
export type Hindrance = { reason?: string; failure?: FailureShape };

type OpenEpisodes = {
  goingOn: string[];
  interrupted: string[];
  /** They were stopped when Interject was closed, or came with a folder, and wait for a person's word. */
  closed: string[];
  /** How many of both were started and waited for a place: the log had no word of them. */
  queued: number;
};

/**
 * Ends what cannot go on, and gives the ids of the others: of them some wait for a person's word (`continueEpisode.ts`), which is
 * known once the flags of this start are. Clients' episodes go on without us: the tap says what became
 * of them.
 */
export function sortOpenEpisodes(parts: RestartDependencies): OpenEpisodes {
  const { log, mode } = parts;
  forgetUsedTimes(log);
  const running = log.projections.open();
  const isLeft = mode === 'leave' && parts.cameWithFolder !== true;
  const queued = isLeft ? log.queue.all().map(({ id }) => id) : beginQueued(log);
  if (!isLeft) return { ...sortOpen(parts, [...running, ...queued]), queued: queued.length };
  const { goingOn, ...others } = sortOpen(parts, running);
  return { goingOn: [...goingOn, ...queued], ...others, queued: queued.length };
}

/** Puts episodes that waited for a place into the log, to be treated as begun. */
function beginQueued(log: EventLog): string[] {
  const queued = log.queue.all();
  for (const { id, opening } of queued) log.appendAll(id, opening);
  return queued.map(({ id }) => id);
}

function sortOpen(parts: RestartDependencies, open: readonly string[]): Omit<OpenEpisodes, 'queued'> {
  const { log, mode, cameWithFolder: isForeign = false } = parts;
  const goingOn: string[] = [];
  const interrupted: string[] = [];
  const closed: string[] = [];
  for (const id of open) {
    const record = log.record(id);
    const isOurs = record.started?.source === 'run';
    if (record.started?.source === 'tap') continue;
    if (mode !== 'interrupt' && isClientAwaited(record)) continue;
    if (mode !== 'interrupt' && isOurs && isForeign && !wasStopped(record)) {
      breakOff(log, id, { ranUntil: ranUntilOf(record), reason: CAME_WITH_FOLDER });
      closed.push(id);
      continue;
    }
    if (mode !== 'interrupt' && needsWord(record)) {
      closed.push(id);
      continue;
    }
    if (mode === 'leave' && isOurs) {
      goingOn.push(id);
      continue;
    }
    if (wasStopped(record)) {
      cancelOpen(log, id, 'the episode was stopped');
      log.append(id, SYSTEM, endedWithoutVerdict('stopped', 'stopped'));
      continue;
    }
    const hindrance =
      mode === 'interrupt'
        ? {}
        : record.started?.source === 'run'
          ? runHindrance(parts, record, record.started)
          : {};
    if (hindrance === null) goingOn.push(id);
    else {
      interrupted.push(id);
      interrupt(log, id, hindrance);
    }
  }
  return { goingOn, interrupted, closed };
}

/** Up to when the program ran that played it, as the log says. */
export const ranUntilOf = ({ brokeOff, updatedAt }: EpisodeRecord): number =>
  brokeOff?.ran_until ?? updatedAt ?? 0;

/** A client may come back for what it asked (`gateway/expert/rejoin.ts`); the gateway ends it where none does. */
const isClientAwaited = ({ started, consultations }: EpisodeRecord): boolean =>
  started?.source === 'ask' &&
  consultations.some(
    ({ client, decision, delivered }) =>
      client !== null && delivered === null && decision?.type !== 'cancelled',
  );

/**
 * True if it goes on only with a person's word: the folder came from elsewhere, or Interject was closed in order. One
 * with a held call is taken up again after that, since it does nothing but wait for the person's word on the call.
 */
const needsWord = (record: EpisodeRecord): boolean =>
  record.brokeOff !== null &&
  (cameWithFolder(record.brokeOff) || (wasClosed(record.brokeOff) && !hasHeldCall(record)));

export const wasStopped = ({ timeline }: EpisodeRecord): boolean =>
  timeline.some(({ type }) => type === 'stop_requested');

/** The reason to wait for a person's word; null if it goes on by itself. */
export function waitsBecause(
  { isFreeOfEffects, agentNow }: Pick<RestartDependencies, 'isFreeOfEffects' | 'agentNow'>,
  record: EpisodeRecord,
): { reason: string | null } | null {
  const { started } = record;
  const lost = lostSecrets(record);
  if (lost !== null) return { reason: lost };
  const isFree = started !== null && isFreeOfEffects(started.environment);
  const moved = started === null ? null : movedAgent(started, agentNow);
  if (moved !== null)
    return { reason: isFree || started === null ? moved : `${moved}. ${effectsText(started)}` };
  if (!isFree) return { reason: null };
  if (ownAttempts(record) < ATTEMPTS_MAX) return null;
  return {
    reason: `Interject ended again while the episode went on, ${String(ATTEMPTS_MAX)} times: it is not tried once more by itself`,
  };
}

/** The model has its name, and is asked elsewhere: it may be another one. */
function movedAgent(
  { agent: { policy, profile, model, base_url: was } }: NonNullable<EpisodeRecord['started']>,
  agentNow: RestartDependencies['agentNow'],
): string | null {
  const now = policy === 'chat' && was !== undefined ? agentNow(profile) : null;
  if (now === null || now.base_url === was) return null;
  return `the agent was ${model ?? now.model} at ${was ?? ''}, and ${now.model} at ${now.base_url} is set now: whether it is the same one is a person’s to say`;
}

/** The obstacle to the same run now. */
export function runHindrance(
  { promptSha256, agentNow }: Pick<RestartDependencies, 'promptSha256' | 'agentNow'>,
  record: EpisodeRecord,
  { agent, ...started }: NonNullable<EpisodeRecord['started']>,
): Hindrance | null {
  const isBriefLost = isBriefed(started.condition ?? 'none') && record.consultations.length === 0;
  // It was to begin with a copy of another episode, and has none yet.
  if (isBriefLost || (record.started?.continues === true && record.forked === null))
    return { reason: 'Interject ended before the episode had begun' };
  if (record.reset === null && markedNames(started.reset ?? {}).length > 0)
    return { reason: 'Interject ended before the reset, whose secrets no log holds' };
  const text = started.environment_text ?? null;
  const now = text === null ? promptSha256 : promptDigest(promptSha256, text);
  if (started.prompt_sha256 !== null && started.prompt_sha256 !== now) {
    return {
      reason: 'what agents are told has changed since the episode began: it would go on as another agent',
    };
  }
  if (agent.policy !== 'chat') return null;
  const model = agentNow(agent.profile)?.model ?? null;
  if (model !== null && (agent.model === null || agent.model === model)) return null;
  const was = agent.model ?? 'a model';
  const failure = new Failure(
    'model_not_configured',
    model === null
      ? `the agent was ${was}, and no model is set for it now`
      : `the agent was ${was}, and ${model} is set now`,
    { next: 'Set the model under Setup, then resume the episode.' },
  );
  return { failure: failureShape(failure) };
}

/** Nobody waits for its questions any more. */
export function cancelOpen(log: EventLog, id: string, reason: string): void {
  for (const { id: consultation, decision } of log.record(id).consultations) {
    if (decision === null) log.append(id, SYSTEM, { kind: 'consultation.cancelled', consultation, reason });
  }
}

export function interrupt(
  log: EventLog,
  id: string,
  { reason, failure, by = SYSTEM }: { reason?: string; failure?: FailureShape; by?: Actor } = {},
): void {
  cancelOpen(log, id, by.type === 'human' ? 'the owner ended the episode' : 'Interject was interrupted');
  const why = reason ?? 'Interject ended before the episode did';
  log.append(id, by, endedWithoutVerdict('interrupted', why, failure ?? null));
}

/** Leaves it to a person whether it goes on. What waits in it goes on waiting. */
export function breakOff(
  log: EventLog,
  id: string,
  {
    ranUntil,
    reason = null,
    failure = null,
  }: { ranUntil: number; reason?: string | null; failure?: FailureShape | null },
): void {
  log.append(id, SYSTEM, { kind: 'episode.broke_off', ran_until: ranUntil, reason, failure });
}
