// Selects the interventions of an episode that a measurement can go on from, and says why others cannot. Pure.
import { environmentKey } from '../environmentKinds.ts';
import { isAtSeat, isLeakFree } from '../events/actor.ts';
import { lostSecrets } from '../episode/lostSecrets.ts';
import { agentModel } from '../episode/phase.ts';
import { type Consultation, type EpisodeRecord, taskRef, type Turn } from '../episode/record.ts';
import type { LiftPoint, NotEligible } from './plan.ts';

export type Interventions = { eligible: LiftPoint[]; not: NotEligible[] };

/** Each intervention of an episode once: as a point to go on from, or as the reason why it is none. */
export function interventionsIn(record: EpisodeRecord): Interventions {
  const asked = record.consultations.filter(({ purpose }) => purpose === 'advice');
  const others = record.turns.filter(isStepIn).length + record.notes.length;
  const ofEpisode = episodeReason(record);
  if (ofEpisode !== null)
    return { eligible: [], not: Array<NotEligible>(asked.length + others).fill(ofEpisode) };
  const found: Interventions = { eligible: [], not: Array<NotEligible>(others).fill('no_question') };
  for (const one of asked) {
    const reason = reasonAgainst(record, one);
    if (reason === null) found.eligible.push(pointOf(record, one));
    else found.not.push(reason);
  }
  return found;
}

const isStepIn = ({ actor, isCopied, call }: Turn): boolean =>
  !isCopied && (isAtSeat(actor) || (call?.decision ?? null) !== null);

function episodeReason(record: EpisodeRecord): NotEligible | null {
  const { started, ended, verified, erased } = record;
  const isOurs =
    started !== null &&
    ended !== null &&
    started.source === 'run' &&
    started.probe === undefined &&
    started.lift === undefined &&
    started.limits !== null &&
    started.agent.policy !== 'human' &&
    started.agent.policy !== 'foreign';
  if (!isOurs) return 'other_episode';
  if (erased !== null) return 'erased';
  if (lostSecrets(record) !== null) return 'lost_secret';
  return (ended.reward_type ?? verified?.reward_type ?? null) === null ? 'no_verdict' : null;
}

function reasonAgainst(record: EpisodeRecord, one: Consultation): NotEligible | null {
  const { delivered, trigger, askedN, turn } = one;
  if (askedN <= record.copiedN) return 'copied';
  if (trigger === 'brief') return 'brief';
  if (trigger === 'confidence') return 'confidence';
  if (delivered === null || (delivered.as !== 'advice' && delivered.as !== 'draft')) return 'no_advice';
  const asking = record.turns.find((each) => each.turn === turn);
  const isAsk = asking?.move?.type === 'ask_expert' && one.via === 'loop';
  if (asking === undefined || !isAsk) return 'no_question';
  const isOneOfSeveral = asking.replyOf !== undefined || asking.toolCalls.length > 1;
  return isOneOfSeveral && asking.ignoredCalls === 0 ? 'several_calls' : null;
}

function pointOf(record: EpisodeRecord, { id, turn, draft, decision, delivered }: Consultation): LiftPoint {
  const unseen = draft?.generator === 'rule' ? 'scripted' : 'model';
  const { started } = record;
  return {
    episode: record.id,
    consultation: id,
    turn,
    environment: started === null ? '' : environmentKey(started.environment),
    ...taskRef(record),
    advised_by: decision?.type === 'approved' ? decision.actor.type : unseen,
    is_privileged: !isLeakFree(delivered?.privilege ?? 'unknown'),
    model: agentModel(record),
  };
}
