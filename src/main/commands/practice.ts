// The commands of the practice round.
import type { Caller, Handlers } from '../../shared/contract/contract.ts';
import { Failure } from '../../shared/failure.ts';
import { answerPractice, practised } from '../desk/practice.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { PracticeItem } from '../settings/practice.ts';
import type { SettingsStore } from '../settings/settings.ts';

type PracticeDependencies = { log: EventLog; settings: SettingsStore; practice: readonly PracticeItem[] };

export const practiceCommands = ({
  log,
  settings,
  practice,
}: PracticeDependencies): Pick<Handlers, 'practice.read' | 'practice.answer'> => ({
  'practice.read': async (_input, caller) => {
    const done = practised(log, caller.seat);
    const isOwed = isAsked(settings, caller) && practice.some(({ id }) => !done.has(id));
    return { is_required: isOwed, asks: practice.map((item) => practiceAsk(item, done.has(item.id))) };
  },
  'practice.answer': async ({ ask, text }, { seat }) => {
    const item = practice.find(({ id }) => id === ask);
    if (item === undefined) throw new Failure('not_found', `the practice round has no ask ${ask}`);
    return answerPractice(log, seat, item, text);
  },
});

/** The invite says whether its seat practises first; the owner never has to. */
const isAsked = (settings: SettingsStore, { invite }: Caller): boolean =>
  settings.invites().some(({ id, practice }) => id === invite && practice);

/** What a good answer holds stays here until there is one. */
const practiceAsk = (
  { id, title, task, question, attempts, draft, world, tool_names }: PracticeItem,
  isDone: boolean,
) => ({
  id,
  title,
  task,
  question,
  attempts,
  draft,
  world,
  tool_names,
  is_done: isDone,
});
