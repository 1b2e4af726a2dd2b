// Going on from a turn in a new episode, and going there.
import { lastAnsweredTurn, notRunHere } from '../../../shared/episode/branch.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { carriedText } from '../../../shared/timeline/stepInRow.ts';
import type { TimelineRow } from '../../../shared/timeline/timelineRow.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { episodeRoute, navigate } from '../../state/route.ts';

/** Says what a fork leaves out, and what it takes along. */
export function forkText(
  { turns, rules, breakpoints }: EpisodeRecord,
  wanted: number,
  turn: number,
): { title: string; text: string } {
  const isFinal = turns.find((one) => one.turn === wanted)?.move?.type === 'final';
  const carried = carriedText({ carried: { rules: rules.length, breakpoints: breakpoints.length } });
  const where = turn === 0 ? 'from the start' : `after turn ${String(turn)}`;
  return {
    title: isFinal ? 'Forked before the final answer' : `Forked ${where}`,
    text: [
      ...(isFinal ? ['Without the final answer: the agent gives a new one.'] : []),
      'The state is rebuilt by replaying the calls; differences are shown in the timeline.',
      ...(carried === '' ? [] : [`${carried}.`]),
    ].join(' '),
  };
}

export function useFork(record: EpisodeRecord): { fork: (turn: number) => Promise<void>; isBusy: boolean } {
  const { call } = useSession();
  const toast = useToast();
  const { isBusy, run } = useAct(async (wanted: number, turn: number) => {
    const { episode } = await call('episode.fork', { episode: record.id, turn });
    toast({ tone: 'ok', ...forkText(record, wanted, turn) });
    navigate(episodeRoute(episode));
  }, 'Could not fork');
  const fork = async (wanted: number): Promise<void> => {
    const turn = forkTurn(record, wanted);
    if (turn === null) return;
    const problem = notRunHere(record.started?.source);
    if (problem !== null) return toast({ tone: 'error', title: problem.why, text: problem.next });
    await run(wanted, turn);
  };
  return { fork, isBusy };
}

/** The turn after which a branch would begin when `turn` is chosen; null before there is anything to go on from. */
export const forkTurn = (record: EpisodeRecord, turn: number): number | null =>
  record.reset === null ? null : lastAnsweredTurn(record, turn);

/** The turn a line of the timeline belongs to: its own, or the last one before it. */
export function turnOfRow({ subject, n }: TimelineRow, { turns }: EpisodeRecord): number {
  if ('turn' in subject) return subject.turn.turn;
  return turns.findLast((turn) => turn.n <= n)?.turn ?? 0;
}
