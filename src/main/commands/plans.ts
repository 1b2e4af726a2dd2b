// The command that turns a person's plain words into calls.
import type { Handlers } from '../../shared/contract/contract.ts';
import { Failure } from '../../shared/failure.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import type { MakePlan } from '../advisor/makePlan.ts';
import type { EventLog } from '../log/eventLog.ts';

/** A person waits for it. */
const DEADLINE_MS = 60_000;

type PlansDependencies = { log: EventLog; makePlan: MakePlan };

export const planCommands = ({ log, makePlan }: PlansDependencies): Pick<Handlers, 'advice.make_plan'> => ({
  'advice.make_plan': async ({ episode, consultation, text }) => {
    const record = log.record(episode);
    const asked = findConsultation(record, consultation);
    if (asked === undefined) {
      throw new Failure('not_found', `episode ${episode} has no consultation ${consultation}`);
    }
    const task = record.reset?.task ?? null;
    return makePlan(
      {
        task: task === null ? '' : log.texts.loadText(task),
        question: asked.question === null ? '' : log.texts.loadText(asked.question),
        words: text,
        tools: record.tools,
      },
      AbortSignal.timeout(DEADLINE_MS),
    );
  },
});
