// The turns of an episode, one after the other: who acts next, what they ask for, and what ends it.
import { isAtSeat } from '../../shared/events/actor.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { isBegun, unplayedTurn } from '../../shared/episode/restarts.ts';
import type { Outcome } from '../../shared/events/lifecycle.ts';
import { boundary, stopBeforeMove } from './boundary.ts';
import { episodeBudget, hitter, type LimitHit } from './budget.ts';
import type { EpisodeTime } from './episodeTime.ts';
import { playMove, type MoveResult } from './playMove.ts';
import { recordOf, type EpisodeStage } from './stage.ts';
import { openCall, readTurn, takeTurn, turnAgain } from './takeTurn.ts';

/** How the turns ended, before the verifier has spoken. */
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
    const next = isOver ? AGENT_NEXT : await time.whileWaiting(boundary(stage, played));
    const record = recordOf(stage);
    if (next.who === 'agent' && record.turns.filter(({ actor }) => !isAtSeat(actor)).length >= limits.turns) {
      return limited(hit('turns', 'turns'));
    }
    if (time.isUp()) return limited(hit('time_ms', 'time'));
    const budget = next.who === 'agent' ? budgetOf(stage, record) : null;
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

const AGENT_NEXT = { who: 'agent' } as const;

/** Carries the turn out to its end in which the program was killed. A person's that nothing came of yet waits in the loop. */
async function goOnWithTurn(
  stage: EpisodeStage,
  time: EpisodeTime,
): Promise<{ played: number; ending: Ending | null }> {
  const record = recordOf(stage);
  const open = unplayedTurn(record);
  const last = open === null ? record.turns.at(-1) : record.turns[record.turns.indexOf(open) - 1];
  const played = last?.turn ?? 0;
  if (open === null || (isAtSeat(open.actor) && !isBegun(open))) return { played, ending: null };
  const turn = turnAgain(stage, open);
  const mayStop = !turn.byHuman && !isBegun(open) && record.verified === null;
  if (mayStop) await time.whileWaiting(stopBeforeMove(stage, turn));
  return { played: turn.turn, ending: endingOf(await playMove(stage, turn)) };
}

/** A call that was asked for already costs nothing more. */
const budgetOf = ({ spec }: EpisodeStage, record: EpisodeRecord): LimitHit | null =>
  openCall(record) === null ? episodeBudget(record, spec) : null;

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
