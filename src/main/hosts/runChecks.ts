// What is wrong with the flags of `interject run` together: contradictions are refused before anything is opened, and
// flags that have no effect are named.
import { hasPerson } from '../../shared/conditions.ts';
import { Failure } from '../../shared/failure.ts';
import { checkPlayedAlone } from '../commands/episodes.ts';
import { chosenModelFlags, chosenPolicy } from './modelFlags.ts';
import type { RunOptions } from './runCommand.ts';

const flagList = (flags: readonly string[]): string => flags.join(', ');
const areFlags = (flags: readonly string[]): string =>
  `${flagList(flags)} ${flags.length === 1 ? 'has' : 'have'} no effect`;

/** Throws `bad_input` for flags that contradict each other. */
export function checkRunFlags(options: RunOptions): void {
  const { agent, condition } = options;
  checkPlayedAlone({ policy: chosenPolicy(options), condition });
  const models = chosenModelFlags('agent', options);
  if ((agent === 'rehearsal' || agent === 'human') && models.length > 0) {
    const who = agent === 'human' ? 'a person makes every move' : 'the rehearsal follows a script';
    throw new Failure('bad_input', `with --agent ${agent} no model is asked: ${who}`, {
      next: `Leave out ${flagList(models)}, or say --agent chat.`,
    });
  }
}

/** What the flags ask for that this run will not do; sweeps use the same flags for each condition, so it is no error. */
export function ignoredRunFlags(options: RunOptions): string[] {
  const { condition, deadline, fallback, asks, answers, list, tasks } = options;
  const given = (flags: Record<string, unknown>): string[] =>
    Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [flag]));
  const ofPerson = hasPerson(condition) ? [] : given({ '--deadline': deadline, '--fallback': fallback });
  const ofAdvice =
    condition === 'none'
      ? [...given({ '--asks': asks, '--answers': answers }), ...chosenModelFlags('expert', options)]
      : [];
  const noAdvice = [...ofPerson, ...ofAdvice];
  const isOwn = options.world !== undefined && options.env === undefined;
  const noServer = isOwn ? given({ '--env-header': options.envHeader }) : [];
  const noTasks = tasks === undefined ? given({ '--list': list }) : [];
  return [
    ...(noAdvice.length === 0 ? [] : [`With --condition ${condition}, ${areFlags(noAdvice)}.`]),
    ...(noServer.length === 0 ? [] : [`Without --env, ${areFlags(noServer)}.`]),
    ...(noTasks.length === 0 ? [] : [`Without --tasks, ${areFlags(noTasks)}.`]),
  ];
}
