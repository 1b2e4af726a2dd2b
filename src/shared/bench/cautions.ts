// Cautions for a reader who quotes a number of a bench. Pure.
import { countText } from '../countText.ts';
import { taskNames } from '../splitFaults.ts';
import type { BenchSummary } from './summary.ts';

/** Fewer seats than this tell nothing of experts in general. */
const FEW_SEATS = 10;

type Known = Omit<BenchSummary, 'cautions'>;

export function cautionsOf(summary: Known): string[] {
  const { arms, plan, prompts, seats } = summary;
  const names = (is: (arm: (typeof arms)[number]) => boolean): string =>
    arms
      .filter(is)
      .map(({ label }) => label)
      .join(', ');
  const rehearsals = names((arm) => arm.is_rehearsal);
  const privileged = names((arm) => arm.is_privileged);
  const unlike = names(({ label, arm }) => label !== arm);
  const left = arms.reduce((sum, { episodes, counted }) => sum + episodes - counted, 0);
  const seatCount = new Set(seats.map(({ seat }) => seat)).size;
  return [
    ...(summary.is_complete
      ? []
      : [
          `This bench is not over: ${String(summary.finished)} of ${countText(summary.planned, 'episode')} ${summary.finished === 1 ? 'is' : 'are'}.`,
        ]),
    ...(rehearsals === ''
      ? []
      : [
          `REHEARSAL: in ${rehearsals} the agent followed a script, and no model acted. The figures say nothing of a model.`,
        ]),
    ...(privileged === ''
      ? []
      : [
          `PRIVILEGED: who advised in ${privileged} had seen what the verifier checks or the answer. The figures say nothing of help on a task whose answer nobody knows.`,
        ]),
    ...(unlike === ''
      ? []
      : [`In ${unlike}, not everybody who answered is who the arm is named after: its label says who did.`]),
    ...(arms.some(({ kind }) => kind === 'assisted') && arms.some(({ kind }) => kind === 'solo')
      ? ['Assisted arms show what help does while it is given, not what an agent has learnt from it.']
      : []),
    ...(prompts.is_only_tool
      ? []
      : [
          'The prompts of the arms differ in more than the tool that asks an expert: the difference may come from that.',
        ]),
    ...(left === 0
      ? []
      : [
          `${countText(left, 'episode')} ${left === 1 ? 'is' : 'are'} left out of every figure; each arm says why.`,
        ]),
    ...(seatCount > 0 && seatCount < FEW_SEATS
      ? [
          `${countText(seatCount, 'seat')} answered: too few to say anything of experts in general, so each stands alone.`,
        ]
      : []),
    ...(plan.also_in_train === undefined
      ? []
      : [
          `LEAKING SPLIT: ${String(plan.also_in_train.length)} of ${countText(plan.tasks.length, 'task')} ${plan.also_in_train.length === 1 ? 'is' : 'are'} in the training list too (${taskNames(plan.also_in_train)}). The figures say nothing of tasks that were held out.`,
        ]),
    ...(plan.section === 'train'
      ? ['The tasks are of the training list: nothing is said of held-out tasks.']
      : []),
  ];
}
