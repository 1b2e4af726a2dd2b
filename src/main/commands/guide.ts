// Whether a seat is led through its first question, and that it was. The guide itself is the console's: nothing of it
// reaches an agent.
import type { Caller, Handlers } from '../../shared/contract/contract.ts';
import { seatActor } from '../../shared/events/actor.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { SettingsStore } from '../settings/settings.ts';

type GuideDependencies = { log: EventLog; settings: Pick<SettingsStore, 'invites'> };

const streamOf = (seat: string): string => `seat/${seat}`;

export const guideCommands = ({
  log,
  settings,
}: GuideDependencies): Pick<Handlers, 'guide.read' | 'guide.end'> => ({
  'guide.read': async (_input, caller) => ({
    is_required: isAsked(settings, caller) && !isIntroduced(log, caller.seat),
  }),
  'guide.end': async ({ outcome }, { seat }) => {
    log.append(streamOf(seat), seatActor(seat), { kind: 'guide.ended', seat, outcome });
    return {};
  },
});

/** The invite says whether its seat is led; the owner never has to be. */
const isAsked = (settings: GuideDependencies['settings'], { invite }: Caller): boolean =>
  settings.invites().some(({ id, practice }) => id === invite && practice);

const isIntroduced = (log: EventLog, seat: string): boolean =>
  log.read(streamOf(seat)).some(({ event }) => event.kind === 'guide.ended');
