// Folding what people did to phases, notes, rules and labels.
import type { z } from 'zod';
import type { stepInEvents } from '../events/stepIns.ts';
import type { EventOf } from '../events/vocabulary.ts';
import { changeTurn, countHuman, withItem, type FoldStep } from './change.ts';
import type { EpisodeRecord, Turn } from './record.ts';
import { foldCall } from './calls.ts';

export type StepInEvent = z.infer<(typeof stepInEvents)[number]>;

export function foldStepIn(record: EpisodeRecord, step: FoldStep, event: StepInEvent): EpisodeRecord {
  switch (event.kind) {
    case 'phase.changed': {
      const { from, to, cause, reason } = event;
      const { n, at } = step.recorded;
      const changed = { ...record, phase: to, phaseCause: cause, phaseN: n, phaseAt: at };
      return withItem(countHuman(changed, step), step, { type: 'phase', from, to, cause, reason });
    }
    case 'breakpoint.set':
      return { ...record, breakpoints: [...record.breakpoints, { id: event.breakpoint, at: event.at }] };
    case 'breakpoint.cleared':
      return { ...record, breakpoints: record.breakpoints.filter(({ id }) => id !== event.breakpoint) };
    case 'breakpoint.hit': {
      const { breakpoint, turn } = event;
      return withItem(record, step, { type: 'breakpoint_hit', breakpoint, turn });
    }
    case 'suggestion.shown': {
      const { suggested } = record;
      return { ...record, suggested: { ...suggested, shown: Math.max(suggested.shown, event.level) } };
    }
    case 'suggestion.answered': {
      const { suggested } = record;
      const level = event.act === 'watch' ? 0 : event.level;
      return { ...record, suggested: { ...suggested, answered: Math.max(suggested.answered, level) } };
    }
    case 'policy.changed':
      return withItem({ ...record, rules: event.rules }, step, { type: 'rules', count: event.rules.length });
    case 'note.interjected':
    case 'note.delivered':
      return foldNote(record, step, event);
    case 'correction.discarded': {
      const { from_turn: fromTurn, to_turn: toTurn, reason } = event;
      const marked = { ...record, turns: record.turns.map((turn) => discarded(turn, event)) };
      return withItem(countHuman(marked, step), step, { type: 'discarded', fromTurn, toTurn, reason });
    }
    case 'label.given':
      return withGivenLabel(countHuman(record, step), step, event);
    default:
      return foldCall(record, step, event);
  }
}

const discarded = (turn: Turn, { from_turn, to_turn }: EventOf<'correction.discarded'>): Turn =>
  turn.turn >= from_turn && turn.turn <= to_turn ? { ...turn, isDiscarded: true } : turn;

function foldNote(
  record: EpisodeRecord,
  step: FoldStep,
  event: EventOf<'note.interjected' | 'note.delivered'>,
): EpisodeRecord {
  if (event.kind === 'note.delivered') {
    const notes = record.notes.map((note) =>
      note.id === event.note ? { ...note, deliveredTurn: event.turn } : note,
    );
    return { ...record, notes };
  }
  const { at, actor } = step.recorded;
  const note = {
    id: event.note,
    at,
    actor,
    text: event.text,
    privilege: event.privilege,
    deliveredTurn: null,
  };
  const noted = countHuman({ ...record, notes: [...record.notes, note] }, step);
  return withItem(noted, step, { type: 'note', note: event.note });
}

function withGivenLabel(record: EpisodeRecord, step: FoldStep, event: EventOf<'label.given'>): EpisodeRecord {
  const { at, actor } = step.recorded;
  const { move, agrees, privilege, beta } = event;
  return changeTurn(
    record,
    step,
    ({ turn }) => turn === event.turn,
    (turn) => ({
      ...turn,
      label: { at, actor, move, agrees, privilege, beta },
    }),
  );
}
