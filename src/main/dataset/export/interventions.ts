// The acts of people and the advisor in an episode, one object each, for formats without fields for it. Proposed,
// drafted, decided and effective are kept apart, with what each author had seen.
import { isAtSeat } from '../../../shared/events/actor.ts';
import type { Consultation, EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import type { Text } from '../../../shared/events/text.ts';
import type { InterventionLift } from '../../../shared/lift/intervention.ts';
import type { Leak } from '../../../shared/leak.ts';
import { safeText } from './json.ts';

const COPIED_CONTEXT = { is_copied: true };

type LoadText = (text: Text) => string;
type Intervention = Record<string, unknown> & { type: string; turn: number | null };

/** In the order of turns; what was done in the episode this one branched off says so. People stand there by opaque ids. */
export function interventionsOf(
  record: EpisodeRecord,
  loadText: LoadText,
  lifts: readonly InterventionLift[] = [],
): Intervention[] {
  const read = (text: Text): string => safeText(loadText(text));
  const copiedNotes = new Set(
    record.timeline.flatMap((item) => (item.type === 'note' && item.n <= record.copiedN ? [item.note] : [])),
  );
  const found = [
    ...record.consultations.map((one) => ({
      ...consulted(one, read),
      ...effectShownField(record, one),
      ...liftField(one, lifts),
      ...(one.askedN <= record.copiedN ? COPIED_CONTEXT : {}),
    })),
    ...record.notes.map(({ id, actor, text, privilege, deliveredTurn }) => ({
      type: 'note',
      turn: deliveredTurn,
      actor: actor.type,
      actor_id: actor.id,
      text: read(text),
      privilege,
      ...(copiedNotes.has(id) ? COPIED_CONTEXT : {}),
    })),
    ...record.turns.flatMap((turn) =>
      onTurn(turn, read).map((one) => (turn.isCopied ? { ...one, ...COPIED_CONTEXT } : one)),
    ),
  ];
  return found.toSorted((a, b) => (a.turn ?? 0) - (b.turn ?? 0));
}

/** The measured lift of the answer: the last causal figure, else that of most continuations. */
function liftField({ id }: Consultation, lifts: readonly InterventionLift[]): Record<string, unknown> {
  const own = lifts.filter(({ consultation, estimate }) => consultation === id && estimate !== null);
  const found = exportedLift(own);
  if (found === undefined) return {};
  const { estimate, low, high, kind, with: aided, without } = found;
  return { lift: { estimate, low, high, k_with: aided.counted, k_without: without.counted, kind } };
}

/** Of several measurements of one answer the one that is exported. */
export const exportedLift = (lifts: readonly InterventionLift[]): InterventionLift | undefined =>
  lifts.findLast(({ kind }) => kind === 'causal') ?? mostContinued(lifts);

/** Of equal ones the last: a measurement with fewer does not take its place. */
function mostContinued(lifts: readonly InterventionLift[]): InterventionLift | undefined {
  const countOf = (one: InterventionLift): number => one.with.counted + one.without.counted;
  const most = Math.max(...lifts.map(countOf));
  return lifts.findLast((one) => countOf(one) === most);
}

function consulted(one: Consultation, read: LoadText): Intervention {
  const { id, turn, question, draft, decision, delivered, trigger } = one;
  return {
    type: 'consultation',
    turn,
    consultation: id,
    trigger,
    ...routedFields(one),
    ...(one.baseline === null ? {} : { baseline: one.baseline }),
    question: question === null ? null : read(question),
    draft:
      draft === null
        ? null
        : {
            text: read(draft.text),
            generator: draft.generator,
            privilege: draft.privilege,
            ...expertField(draft),
            ...leakFields(draft),
          },
    decision: decision === null ? null : decisionFields(decision, read),
    delivered:
      delivered === null
        ? null
        : { as: delivered.as, text: read(delivered.text), privilege: delivered.privilege },
  };
}

/** The expert it went to, by which rule and why; nothing where no roster was set. */
const routedFields = ({ routed }: Consultation): Record<string, unknown> =>
  routed === null
    ? {}
    : {
        expert: routed.expert,
        routed: {
          by: routed.by,
          question: routed.question,
          skill: routed.skill,
          reason: routed.reason,
        },
      };

/** The expert of the roster who wrote it; nothing where it was nobody of it. */
const expertField = ({ expert }: { expert?: string }): Record<string, unknown> =>
  expert === undefined ? {} : { expert };

/** The values that the agent could not know, with their number; nothing if not measured. */
const leakFields = ({ leak }: { leak?: Leak }): Record<string, unknown> =>
  leak === undefined ? {} : { leak };

function decisionFields(
  decision: NonNullable<Consultation['decision']>,
  read: LoadText,
): Record<string, unknown> {
  switch (decision.type) {
    case 'approved':
      return {
        type: decision.act,
        actor: decision.actor.type,
        actor_id: decision.actor.id,
        text: read(decision.text),
        ...expertField(decision),
        ...(decision.draftFrom === null ? {} : { draft_from: decision.draftFrom }),
        privilege: decision.privilege,
        ...leakFields(decision),
      };
    case 'declined':
      return {
        type: 'declined',
        actor: decision.actor.type,
        actor_id: decision.actor.id,
        ...expertField(decision),
        reason: decision.reason,
      };
    case 'expired':
      return { type: 'expired', fallback: decision.fallback, reason: decision.reason };
    case 'cancelled':
      return { type: 'cancelled', reason: decision.reason };
  }
}

function onTurn(turn: Turn, read: LoadText): Intervention[] {
  const { label, actor, call, isDiscarded, touched } = turn;
  const by = { turn: turn.turn, actor: actor.type, actor_id: actor.id };
  return [
    ...(isAtSeat(actor)
      ? [
          {
            type: 'take_over',
            ...by,
            move: turn.move,
            is_discarded: isDiscarded,
            privilege: turn.privilege ?? 'unknown',
          },
        ]
      : []),
    ...(call?.decision ? [callDecided(turn, call.decision, read)] : []),
    ...(touched === null ? [] : [{ type: 'touched', turn: turn.turn, touch: touched }]),
    ...(label === null
      ? []
      : [
          {
            type: 'label',
            turn: turn.turn,
            actor: label.actor.type,
            actor_id: label.actor.id,
            move: label.move,
            agrees: label.agrees,
            privilege: label.privilege,
          },
        ]),
  ];
}

function callDecided(
  { turn, move, call }: Turn,
  decision: NonNullable<NonNullable<Turn['call']>['decision']>,
  read: LoadText,
): Intervention {
  const { actor, type } = decision;
  const sent = call?.sent ?? null;
  return {
    type: `call_${type}`,
    turn,
    actor: actor.type,
    actor_id: actor.id,
    proposed: move,
    effective: sent === null ? null : { tool_name: sent.toolName, arguments: sent.arguments },
    ...('privilege' in decision ? { privilege: decision.privilege } : {}),
    ...('reason' in decision ? { reason: decision.reason } : {}),
    ...(decision.type === 'edited'
      ? { decided: { tool_name: decision.toolName, arguments: decision.arguments } }
      : {}),
    ...(decision.type === 'answered' ? { text: read(decision.text), is_error: decision.isError } : {}),
    ...(decision.type === 'expired' ? { fallback: decision.fallback } : {}),
  };
}

/** The possible advisors; that experts saw no effect of their calls, or no outcome, only where it was so. */
export const conditionFields = ({ started }: EpisodeRecord): Record<string, unknown> => ({
  condition: started?.condition ?? null,
  ...(started?.effect === undefined ? {} : { effect: started.effect }),
  ...(started?.is_blinded === true ? { blinded: true } : {}),
});

/** The times somebody previewed calls, without asking, while a question waited; nothing if never. */
function effectShownField(
  { previews }: EpisodeRecord,
  { askedAt, decision }: Consultation,
): Record<string, unknown> {
  const shown = previews.filter(
    ({ at, call, shown_to: seat }) =>
      seat !== undefined && call === null && at >= askedAt && (decision === null || at <= decision.at),
  );
  return shown.length === 0 ? {} : { effect_shown: shown.length };
}
