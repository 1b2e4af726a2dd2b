// Acts of seats around a question that do not decide it: claim it, pass it on, advise after it is over.
import { type Actor, seatActor, inheritPrivilege, type Timing } from '../../shared/events/actor.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import type { Consultation } from '../../shared/episode/record.ts';
import type { EventLog } from '../log/eventLog.ts';
import { deadlineName } from './waiting.ts';
import type { Desk } from './desk.ts';
import { seenBy } from './seen.ts';

type ConsultationPlace = { episode: string; consultation: string };
type SeatClaim = { until: number; deadline_at: number | null };

export type Room = {
  /** Marks a question as being answered by a seat. Typing extends a near deadline, where the asker can wait. */
  claim(at: ConsultationPlace, seat: string, isTyping: boolean): SeatClaim;
  /** Leaves it for another seat; no outcome. */
  pass(at: ConsultationPlace, seat: string): void;
  /** Keeps advice for an ask that is over. Throws `bad_input` while it is open. */
  adviseLate(late: ConsultationPlace & { text: string; timing: Timing }, actor: Actor): Recorded;
};

/** A claim that is not renewed lapses; the words on the seat's screen stay. */
const CLAIM_MS = 60_000;
/** A claim this fresh is not written again. */
const RENEW_AFTER_MS = 20_000;
/** Typing this close to a deadline moves it on by as much. */
const EXTEND_MS = 30_000;

type DeskActsDependencies = {
  log: EventLog;
  clock: () => number;
  desk: Pick<Desk, 'leftMs' | 'arm'>;
};

export function createDeskActs({ log, clock, desk }: DeskActsDependencies): Room {
  const claims = createClaims(log, desk);
  const find = ({ episode, consultation }: ConsultationPlace): Consultation => {
    const found = findConsultation(log.record(episode), consultation);
    if (found === undefined)
      throw new Failure('not_found', `episode ${episode} has no consultation ${consultation}`);
    return found;
  };
  return {
    claim: (at, seat, isTyping) => {
      const { claim, decision, deadline_at } = find(at);
      const actor: Actor = seatActor(seat);
      const now = clock();
      if (decision !== null) return { until: now, deadline_at };
      const isOwn = claim?.seat === seat && claims.leftMs(at) > CLAIM_MS - RENEW_AFTER_MS;
      const until = isOwn ? claim.until : now + CLAIM_MS;
      if (!isOwn) {
        const { consultation } = at;
        log.append(at.episode, actor, { kind: 'consultation.claimed', consultation, seat, until });
        claims.count(at);
      }
      const left = desk.leftMs(at.episode, at.consultation);
      const isNear = isTyping && left !== null && left > 0 && left < EXTEND_MS;
      if (!isNear) return { until, deadline_at };
      const extended = now + EXTEND_MS * 2;
      log.append(at.episode, actor, {
        kind: 'consultation.extended',
        consultation: at.consultation,
        deadline_at: extended,
      });
      return { until, deadline_at: extended };
    },
    pass: (at, seat) => {
      if (find(at).decision !== null) return;
      const { consultation } = at;
      log.append(at.episode, seatActor(seat), { kind: 'consultation.passed', consultation, seat });
    },
    adviseLate: ({ episode, consultation, text, timing }, actor) => {
      const { decision, draft } = find({ episode, consultation });
      if (decision === null) {
        throw new Failure('bad_input', 'this ask is still open: answer it instead');
      }
      return log.append(`late/${episode}`, actor, {
        kind: 'advice.late',
        episode,
        consultation,
        text,
        privilege: inheritPrivilege(seenBy(log, episode, actor), draft?.privilege ?? []),
        timing,
      });
    },
  };
}

const claimId = ({ consultation }: ConsultationPlace): string => `${consultation} claim`;

/** Counts claims down, and says until when they hold once the wall clock has jumped. */
function createClaims(log: EventLog, desk: DeskActsDependencies['desk']) {
  const armed = new Map<string, ReturnType<Desk['arm']>>();
  const openClaim = ({ episode, consultation }: ConsultationPlace): Consultation['claim'] => {
    const found = findConsultation(log.record(episode), consultation);
    return found?.decision === null ? found.claim : null;
  };
  return {
    /** How long the claim still holds; 0 for one that was made in another process. */
    leftMs: (at: ConsultationPlace): number => desk.leftMs(at.episode, claimId(at)) ?? 0,
    /** Counts the newest claim of a question down. */
    count: (at: ConsultationPlace): void => {
      const name = deadlineName(at.episode, claimId(at));
      const known = armed.get(name);
      if (known !== undefined) return known.changed();
      const wait = desk.arm({
        name,
        isFresh: true,
        deadline_at: () => openClaim(at)?.until ?? null,
        expire: () => {
          armed.delete(name);
          wait.end(true);
        },
        restate: (until) => {
          const claim = openClaim(at);
          if (claim === null) return;
          const { consultation } = at;
          const { seat } = claim;
          log.append(at.episode, seatActor(seat), {
            kind: 'consultation.claimed',
            consultation,
            seat,
            until,
          });
          wait.changed();
        },
      });
      armed.set(name, wait);
    },
  };
}
