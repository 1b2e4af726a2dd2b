// Whether a seat is led through its first question, and that it was. The guide itself is the console's: nothing of it
// reaches an agent.
import type { Handlers } from '../../shared/contract/contract.ts';
import { seatActor } from '../../shared/events/actor.ts';
import type { EventLog } from '../log/eventLog.ts';

type GuideDependencies = { log: EventLog };

const streamOf = (seat: string): string => `seat/${seat}`;

export const guideCommands = ({ log }: GuideDependencies): Pick<Handlers, 'guide.read' | 'guide.end'> => ({
  'guide.read': async (_input, caller) => ({
    // The owner never has to be.
    is_required: caller.invite !== undefined && !isIntroduced(log, caller.seat),
  }),
  'guide.end': async ({ outcome }, { seat }) => {
    log.append(streamOf(seat), seatActor(seat), { kind: 'guide.ended', seat, outcome });
    return {};
  },
});

const isIntroduced = (log: EventLog, seat: string): boolean =>
  log.read(streamOf(seat)).some(({ event }) => event.kind === 'guide.ended');
