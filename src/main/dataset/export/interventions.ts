// Owns: what people and the advisor did in an episode, one object each, for formats that have no place of their own for
// it: proposed, drafted, decided and effective kept apart, and what each author had seen.
import type { Consultation, EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import type { Text } from '../../../shared/events/text.ts';
import { safeText } from './json.ts';

const COPIED = { is_copied: true };

type Whole = (text: Text) => string;
export type Intervention = Record<string, unknown> & { type: string; turn: number | null };

/** In the order of turns; what was done in the episode this one branched off says so. People stand there by opaque ids. */
export function interventionsOf(record: EpisodeRecord, whole: Whole): Intervention[] {
  const read = (text: Text): string => safeText(whole(text));
  const copiedNotes = new Set(
    record.timeline.flatMap((item) => (item.type === 'note' && item.n <= record.copiedN ? [item.note] : [])),
  );
  const found = [
    ...record.consultations.map((one) => ({
      ...consulted(one, read),
      ...(one.askedN <= record.copiedN ? COPIED : {}),
    })),
    ...record.notes.map(({ id, actor, text, privilege, deliveredTurn }) => ({
      type: 'note',
      turn: deliveredTurn,
      actor: actor.type,
      actor_id: actor.id,
      text: read(text),
      privilege,
      ...(copiedNotes.has(id) ? COPIED : {}),
    })),
    ...record.turns.flatMap((turn) =>
      onTurn(turn, read).map((one) => (turn.isCopied ? { ...one, ...COPIED } : one)),
    ),
  ];
  return found.toSorted((a, b) => (a.turn ?? 0) - (b.turn ?? 0));
}

function consulted(one: Consultation, read: Whole): Intervention {
  const { id, turn, question, draft, decision, delivered, trigger } = one;
  return {
    type: 'consultation',
    turn,
    consultation: id,
    trigger,
    question: question === null ? null : read(question),
    draft:
      draft === null
        ? null
        : { text: read(draft.text), generator: draft.generator, privilege: draft.privilege },
    decision: decision === null ? null : decided(decision, read),
    delivered:
      delivered === null
        ? null
        : { as: delivered.as, text: read(delivered.text), privilege: delivered.privilege },
  };
}

function decided(decision: NonNullable<Consultation['decision']>, read: Whole): Record<string, unknown> {
  switch (decision.type) {
    case 'approved':
      return {
        type: decision.act,
        actor: decision.actor.type,
        actor_id: decision.actor.id,
        text: read(decision.text),
        privilege: decision.privilege,
      };
    case 'declined':
      return {
        type: 'declined',
        actor: decision.actor.type,
        actor_id: decision.actor.id,
        reason: decision.reason,
      };
    case 'expired':
      return { type: 'expired', fallback: decision.fallback, reason: decision.reason };
    case 'cancelled':
      return { type: 'cancelled', reason: decision.reason };
  }
}

function onTurn(turn: Turn, read: Whole): Intervention[] {
  const { label, actor, call, isDiscarded, touched } = turn;
  const by = { turn: turn.turn, actor: actor.type, actor_id: actor.id };
  return [
    ...(actor.type === 'human'
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
  read: Whole,
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
