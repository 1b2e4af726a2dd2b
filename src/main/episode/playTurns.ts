// The turns of an episode, one after the other: who acts next, what they ask for, and what ends it.
import type { EpisodeRecord, Turn } from '../../shared/episode/record.ts';
import { isUnderWay, unplayedTurn } from '../../shared/episode/restarts.ts';
import { isAtSeat, SYSTEM } from '../../shared/events/actor.ts';
import type { Outcome } from '../../shared/events/lifecycle.ts';
import type { Breakpoint } from '../../shared/events/stepIns.ts';
import type { Move } from '../../shared/events/turns.ts';
import { waitFor } from '../log/waitFor.ts';
import { episodeBudget, hitter, type LimitHit } from './budget.ts';
import type { EpisodeTime } from './episodeTime.ts';
import { type MoveResult, playMove } from './playMove.ts';
import { append, type EpisodeStage, messageEvent, recordOf } from './stage.ts';
import { openCall, readTurn, takeTurn, turnAgain } from './takeTurn.ts';

/** The end of the turns, before the verifier has spoken. */
export type Ending = {
  outcome: Outcome;
  reason: string | null;
  limit?: LimitHit['limit'];
  final_answer: string | null;
};

/**
 * Until somebody ends it. `usedMs`: how much of the time limit was used before the program was killed; null where it was
 * not.
 */
export async function playTurns(
  stage: EpisodeStage,
  time: EpisodeTime,
  usedMs: number | null,
): Promise<Ending> {
  if (stage.spec.probe === 'no_op')
    return { outcome: 'done', reason: 'nothing was done', final_answer: null };
  const { limits, limitSources = {} } = stage.spec;
  const hit = hitter(limits, 'episode', limitSources);
  time.beginTurns(usedMs ?? (stage.spec.from === null ? null : 0));
  // A person may have written the next turn while this one was under way: what was played is counted, not what is there.
  let played = stage.spec.from?.turn ?? 0;
  if (usedMs !== null) {
    const again = await goOnWithTurn(stage, time);
    if (again.ending !== null) return again.ending;
    played = again.played;
  }
  for (;;) {
    const isPlayed = stage.spec.agent.policy === 'human';
    if (isPlayed && played >= limits.turns) return limited(hit('turns', 'turns'));
    // What ended it is in the log where its verifier has run: nobody acts any more.
    const isOver = recordOf(stage).verified !== null;
    const next = isOver ? ({ who: 'agent' } as const) : await time.whileWaiting(boundary(stage, played));
    const record = recordOf(stage);
    if (next.who === 'agent' && record.turns.filter(({ actor }) => !isAtSeat(actor)).length >= limits.turns) {
      return limited(hit('turns', 'turns'));
    }
    if (time.isUp()) return limited(hit('time_ms', 'time'));
    // A call that was asked for already costs nothing more.
    const budget =
      next.who === 'agent' ? (openCall(record) === null ? episodeBudget(record, stage.spec) : null) : null;
    if (budget !== null) return limited(budget);
    if (isOver) return limited(hit('time_ms', 'time'));
    const turn =
      next.who === 'human' ? readTurn(stage, next.turn) : await takeTurn(stage, record.counts.turns + 1);
    if (turn === null) continue;
    played = turn.turn;
    if (!turn.byHuman) await time.whileWaiting(stopBeforeMove(stage, turn));
    const ending = endingOf(await playMove(stage, turn));
    if (ending !== null) return ending;
  }
}

/** Carries the turn out to its end in which the program was killed. A person's that nothing came of yet waits in the loop. */
async function goOnWithTurn(
  stage: EpisodeStage,
  time: EpisodeTime,
): Promise<{ played: number; ending: Ending | null }> {
  const record = recordOf(stage);
  const open = unplayedTurn(record);
  const last = open === null ? record.turns.at(-1) : record.turns[record.turns.indexOf(open) - 1];
  const played = last?.turn ?? 0;
  if (open === null || (isAtSeat(open.actor) && !isUnderWay(open))) return { played, ending: null };
  const turn = turnAgain(stage, open);
  const mayStop = !turn.byHuman && !isUnderWay(open) && record.verified === null;
  if (mayStop) await time.whileWaiting(stopBeforeMove(stage, turn));
  return { played: turn.turn, ending: endingOf(await playMove(stage, turn)) };
}

function endingOf(played: MoveResult): Ending | null {
  if (played.type === 'final') return { outcome: 'done', reason: null, final_answer: played.text };
  if (played.type === 'goes_on') return null;
  return { outcome: 'done', reason: 'the environment ended the episode', final_answer: null };
}

export const limited = ({ reason, limit }: LimitHit): Ending => ({
  outcome: 'limit',
  reason,
  limit,
  final_answer: null,
});

/** The next actor. A person's turn is in the log already and waits to be carried out. */
type Next = { who: 'agent' } | { who: 'human'; turn: Turn };

/** Waits through pauses and take-overs. `played` is the number of the last turn that was carried out. */
async function boundary(stage: EpisodeStage, played: number): Promise<Next> {
  for (;;) {
    stage.signal.throwIfAborted();
    deliverNotes(stage, played + 1);
    stopAtBreakpoints(stage, played);
    endStep(stage);
    const next = nextMove(recordOf(stage), played);
    if (next !== null) return next;
    const { phaseN } = recordOf(stage);
    await waitFor(
      stage.log,
      stage.id,
      (record) => (record.phaseN !== phaseN || nextMove(record, played) !== null ? true : null),
      stage.signal,
    );
  }
}

function nextMove(record: EpisodeRecord, played: number): Next | null {
  const newest = record.turns.at(-1);
  if (newest !== undefined && newest.turn > played && isAtSeat(newest.actor) && newest.move !== null) {
    return { who: 'human', turn: newest };
  }
  return record.phase === 'autonomous' ? { who: 'agent' } : null;
}

function deliverNotes(stage: EpisodeStage, turn: number): void {
  for (const note of recordOf(stage).notes) {
    if (note.deliveredTurn !== null) continue;
    const delivery = stage.conversation.note(stage.log.texts.loadText(note.text));
    stage.log.appendAll(stage.id, [
      { actor: SYSTEM, event: messageEvent(delivery, turn) },
      { actor: SYSTEM, event: { kind: 'note.delivered', note: note.id, turn } },
    ]);
  }
}

/** A single step ends after the turn it was for. */
function endStep(stage: EpisodeStage): void {
  const { phase, phaseCause, phaseN, turns } = recordOf(stage);
  const isOver = phase === 'autonomous' && phaseCause === 'step' && (turns.at(-1)?.n ?? 0) > phaseN;
  if (isOver) {
    append(stage, SYSTEM, {
      kind: 'phase.changed',
      from: phase,
      to: 'paused',
      cause: 'step',
      reason: null,
      at_once: false,
    });
  }
}

/** Breakpoints that concern what just happened: an error, or what the episode has cost so far. */
function stopAtBreakpoints(stage: EpisodeStage, played: number): void {
  const record = recordOf(stage);
  if (record.phase !== 'autonomous') return;
  const turn = record.turns.findLast(({ turn: number }) => number === played);
  const hit = record.breakpoints.find(
    ({ id, at }) => !stage.hits.has(`${id}:${String(played)}`) && isHit(record, turn, at),
  );
  if (hit === undefined) return;
  stage.hits.add(`${hit.id}:${String(played)}`);
  pauseAt(stage, hit.id, played, turn?.callId ?? null);
}

function isHit(record: EpisodeRecord, turn: Turn | undefined, at: Breakpoint): boolean {
  if (at.on === 'error')
    return (turn?.call?.returned?.error ?? null) !== null || turn?.move?.type === 'malformed';
  return (
    at.on === 'tokens' &&
    record.turns.reduce(
      (sum, { usage }) => sum + (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0),
      0,
    ) > at.above
  );
}

/** Records the hit and pauses, in one transaction. */
function pauseAt(stage: EpisodeStage, breakpoint: string, turn: number, call: string | null): void {
  const { phase } = recordOf(stage);
  stage.log.appendAll(stage.id, [
    { actor: SYSTEM, event: { kind: 'breakpoint.hit', breakpoint, turn, call } },
    {
      actor: SYSTEM,
      event: {
        kind: 'phase.changed',
        from: phase,
        to: 'paused',
        cause: 'breakpoint',
        reason: null,
        at_once: false,
      },
    },
  ]);
}

/** Pauses at a breakpoint on what the turn asks for, before anything is done about it, and waits until it may go on. */
async function stopBeforeMove(
  stage: EpisodeStage,
  { turn, call, reading: { move } }: { turn: number; call: string; reading: { move: Move } },
): Promise<void> {
  const on = move.type === 'ask_expert' ? 'consultation' : move.type === 'final' ? 'final' : null;
  if (on === null) return;
  const record = recordOf(stage);
  const hit = record.breakpoints.find(({ at }) => at.on === on);
  // It stopped here before the program was killed: whoever resumed it has had their say.
  const hasStopped = record.timeline.some((item) => item.type === 'breakpoint_hit' && item.turn === turn);
  if (hit === undefined && !hasStopped) return;
  if (hit !== undefined && !hasStopped) pauseAt(stage, hit.id, turn, call);
  await waitFor(stage.log, stage.id, ({ phase }) => (phase === 'paused' ? null : true), stage.signal);
}
