// Cuts a conversation at every step-in and around replies that must not be trained on. The lines between two cuts are
// what a row teaches; everything before them is its prompt.
import {
  isAtSeat,
  type Actor,
  seatActor,
  inheritPrivilege,
  type Privilege,
} from '../../../shared/events/actor.ts';
import { helpOf, unseenPrivilege } from '../../../shared/episode/help.ts';
import type { Consultation, EpisodeRecord } from '../../../shared/episode/record.ts';
import { askedElsewhere, turnPrivilege } from './rowFacts.ts';
import type { TranscriptLine } from './transcriptLine.ts';

/** The act before a row. */
type SpanAct =
  | 'solo'
  /** Somebody helped, and no line of the conversation says where. */
  | 'advised'
  /** Nobody stepped in as far as the log tells, and somebody may have. */
  | 'unknown'
  | 'accept'
  | 'edit'
  | 'send'
  | 'draft'
  /** The call as a person changed it, and what followed. */
  | 'edited_call'
  | 'answered'
  | 'rejected'
  | 'note'
  /** The moves of the person who had taken over. */
  | 'take_over'
  | 'hand_back';

export type TaughtSpan = {
  /** The first line that is taught, and the one after the last. */
  from: number;
  to: number;
  act: SpanAct;
  actor: Actor;
  consultation: Consultation | null;
  /** Of everything the conversation had of others by then. */
  privilege: Privilege;
  turn: number;
  /** Which cut it follows: replies that must not train part what follows one. */
  cut: number;
};

type Cut = Pick<TaughtSpan, 'act' | 'actor' | 'consultation' | 'privilege'> & { at: number };

/**
 * The stretches that may be taught, in order; an episode nobody stepped into is one. Where a cut leads to nothing, it is
 * said why: `nothing_follows`, or what keeps the replies after it from being taught.
 */
export function taughtSpans(
  record: EpisodeRecord,
  lines: readonly TranscriptLine[],
): { stretches: TaughtSpan[]; empty: string[] } {
  const cuts = cutsOf(record, lines);
  const begin = lines.findIndex(({ kind }) => kind === 'reply');
  if (begin === -1) return { stretches: [], empty: ['nothing_follows'] };
  const actor: Actor = { type: 'agent', id: null };
  const all: Cut[] =
    cuts.length === 0
      ? [
          {
            at: begin,
            act: actOfEpisode(record),
            actor,
            consultation: null,
            privilege: unseenPrivilege(record),
          },
        ]
      : cuts;
  const empty: string[] = [];
  let privilege = inheritPrivilege(unseenPrivilege(record), askedElsewhere(record));
  const stretches = all.flatMap((cut, i) => {
    privilege = inheritPrivilege(privilege, cut.privilege);
    const to = all[i + 1]?.at ?? lines.length;
    const runs = trainableRuns(lines, cut, to);
    const first = lines.slice(cut.at, to).find(({ kind }) => kind === 'reply');
    // Calls that failed are counted each by itself.
    if (runs.length === 0 && first?.untrainable !== 'failed')
      empty.push(first?.untrainable ?? 'nothing_follows');
    const { act, actor: by, consultation } = cut;
    return runs.map((run) => ({
      ...run,
      act,
      actor: by,
      consultation,
      privilege,
      turn: lines[run.from]?.turn ?? 0,
      cut: i,
    }));
  });
  return { stretches, empty };
}

/** The act of a conversation that nobody is seen to have stepped into. */
export function actOfEpisode(record: EpisodeRecord): 'solo' | 'advised' | 'unknown' {
  const { known } = helpOf(record);
  return known === 'none' ? 'solo' : known;
}

/** Runs of lines without a reply that must not train; each begins and ends with a reply. */
function trainableRuns(
  lines: readonly TranscriptLine[],
  { at, act }: Cut,
  to: number,
): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  let from: number | null = null;
  let last = at;
  for (let i = at; i <= to; i += 1) {
    const line = lines[i];
    const isBad = line === undefined || i === to || (line.kind === 'reply' && !mayTrain(line, act));
    if (isBad && from !== null) {
      runs.push({ from, to: last + 1 });
      from = null;
    } else if (!isBad && line.kind === 'reply') {
      from ??= i;
      last = i;
    }
  }
  return runs;
}

/** A person's own moves are taught as what they are, in rows of their own. */
const mayTrain = ({ untrainable }: TranscriptLine, act: SpanAct): boolean =>
  untrainable === null || (untrainable === 'person' && act === 'take_over');

const isPersonsReply = ({ by }: TranscriptLine): boolean => by !== null && isAtSeat(by);

function cutsOf(record: EpisodeRecord, lines: readonly TranscriptLine[]): Cut[] {
  const cuts: Cut[] = [];
  let wasPerson = false;
  lines.forEach((line, i) => {
    if (line.kind !== 'reply') {
      const read = readCut(record, lines, i);
      if (read !== null) cuts.push({ ...read, at: i + 1 });
      return;
    }
    const isPerson = isPersonsReply(line) || line.untrainable === 'discarded';
    const decision = line.of?.call?.decision;
    if (line.proposed !== null && decision?.type === 'edited') {
      const { actor, privilege } = decision;
      cuts.push({ at: i, act: 'edited_call', actor, consultation: null, privilege });
    } else if (isPerson !== wasPerson) {
      const act = isPerson ? 'take_over' : 'hand_back';
      // What follows on a hand-back inherits from the moves before it.
      const privilege = isPerson ? movesPrivilege(lines.slice(i)) : [];
      const actor = lines.slice(0, i + 1).findLast(isPersonsReply)?.by ?? seatActor(null);
      cuts.push({ at: i, act, actor, consultation: null, privilege });
    }
    wasPerson = isPerson;
  });
  return cuts;
}

/** The privilege of the moves that the person made before the agent's next reply. */
function movesPrivilege(lines: readonly TranscriptLine[]): Privilege {
  const back = lines.findIndex(({ kind, by }) => kind === 'reply' && (by === null || !isAtSeat(by)));
  const moves = (back === -1 ? lines : lines.slice(0, back)).flatMap(({ of }) => of ?? []);
  return inheritPrivilege(...moves.map(turnPrivilege));
}

/** The cut after a line by a person or the advisor. */
function readCut(
  record: EpisodeRecord,
  lines: readonly TranscriptLine[],
  at: number,
): Omit<Cut, 'at'> | null {
  const line = lines[at];
  if (line?.kind === 'advice') return adviceCut(record, line);
  if (line?.kind === 'note') {
    const note = record.notes.find(
      ({ deliveredTurn, text }) =>
        deliveredTurn === line.turn || (typeof text === 'string' && line.content.includes(text)),
    );
    const { actor = seatActor(null), privilege = 'unknown' } = note ?? {};
    return { act: 'note', actor, consultation: null, privilege };
  }
  const reply = lines[at - 1];
  const isItsResult = reply?.kind === 'reply' && reply.turn === line?.turn;
  const decision = isItsResult ? reply.of?.call?.decision : undefined;
  if (decision?.type !== 'rejected' && decision?.type !== 'answered') return null;
  return { act: decision.type, actor: decision.actor, consultation: null, privilege: decision.privilege };
}

function adviceCut(record: EpisodeRecord, { consultation: id }: TranscriptLine): Omit<Cut, 'at'> {
  const consultation = record.consultations.find((one) => one.id === id) ?? null;
  const decision = consultation?.decision ?? null;
  if (decision?.type === 'approved') {
    const { act, actor, privilege } = decision;
    return { act, actor, consultation, privilege };
  }
  // Advice of another tool's log, or a draft that went out when nobody decided in time.
  const draft = consultation?.draft ?? null;
  return {
    act: draft === null ? 'send' : 'draft',
    actor: { type: draft === null ? 'unknown' : 'model', id: draft?.model ?? null },
    consultation,
    privilege: consultation?.delivered?.privilege ?? 'unknown',
  };
}
