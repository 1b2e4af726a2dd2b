// Owns: the desk's commands.
import type { Handlers } from '../../shared/contract/contract.ts';
import type { Desk } from '../desk/desk.ts';
import type { EventLog } from '../log/eventLog.ts';

type DeskHandlers = Pick<Handlers, 'desk.page' | 'desk.answer' | 'desk.decline'>;

export function deskCommands({ log, desk }: { log: EventLog; desk: Desk }): DeskHandlers {
  return {
    'desk.page': async ({ offset, limit }) => log.projections.desk(offset, limit),
    'desk.answer': async ({ episode, consultation, text, draft, seen_seq, timing }, { seat }) => {
      const { recorded, act } = desk.answer(
        { episode, consultation, text, draft, seenSeq: seen_seq, timing },
        { type: 'human', id: seat },
      );
      return { seq: recorded.seq, act };
    },
    'desk.decline': async ({ episode, consultation, reason, seen_seq, timing }, { seat }) => {
      const recorded = desk.decline(
        { episode, consultation, reason, seenSeq: seen_seq, timing },
        { type: 'human', id: seat },
      );
      return { seq: recorded.seq };
    },
  };
}
