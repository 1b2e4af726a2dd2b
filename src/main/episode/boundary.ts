// The moment between turns: notes are delivered, breakpoints and single steps stop, and it is decided who acts.
// Everything it waits for is an event in the log; a command only appends.
import { isAtSeat, SYSTEM } from '../../shared/events/actor.ts';
import type { Breakpoint } from '../../shared/events/stepIns.ts';
import type { Move } from '../../shared/events/turns.ts';
import type { EpisodeRecord, Turn } from '../../shared/episode/record.ts';
import { waitFor } from '../log/waitFor.ts';
import { append, messageEvent, recordOf, type EpisodeStage } from './stage.ts';

/** Who acts next. A person's turn is in the log already and waits to be carried out. */
type Next = { who: 'agent' } | { who: 'human'; turn: Turn };

/** Waits through pauses and take-overs. `played` is the number of the last turn that was carried out. */
export async function boundary(stage: EpisodeStage, played: number): Promise<Next> {
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
  return at.on === 'tokens' && tokensOf(record) > at.above;
}

/** Input and output tokens of all turns; turns that did not say count as none. */
const tokensOf = (record: EpisodeRecord): number =>
  record.turns.reduce((sum, { usage }) => sum + (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0), 0);

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
export async function stopBeforeMove(
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
