// Knowledge of an episode's task for the advisor and the expert: asked of its environment, put into words once, and
// written to the episode's log without the words. The agent never reads any of it.
import { join } from 'node:path';
import { type EpisodeRecord, taskRef } from '../../shared/episode/record.ts';
import { type Actor, SYSTEM } from '../../shared/events/actor.ts';
import { VerifierMode } from '../../shared/events/lifecycle.ts';
import { Failure, failureShape } from '../../shared/failure.ts';
import type { TaskKnowledge, TaskOfEpisode, TaskSecretsResult } from '../../shared/taskSecrets.ts';
import {
  createDistilCriteria,
  type DistilCriteria,
  type DistilledTask,
  folderTextCache,
} from '../advisor/distilCriteria.ts';
import type { MeasureLeak } from '../advisor/leakMeter.ts';
import type { EnvironmentOf } from '../environments/port.ts';
import type { Llm } from '../llm/port.ts';
import type { EventLog } from '../log/eventLog.ts';
import { readPrompts } from '../settings/prompts.ts';

export type TaskKnowledgeOf = {
  /** What is known without asking a model. Never throws: what went wrong is why nothing is known. */
  secrets: (episode: string) => Promise<TaskSecretsResult>;
  /** The same with criteria in words; null where nothing is known. Rejects only when the signal ends the wait. */
  knowledge: (episode: string, signal: AbortSignal) => Promise<TaskKnowledge | null>;
};

type KnowledgeDependencies = {
  log: EventLog;
  environmentOf: EnvironmentOf;
  distil: DistilCriteria;
  /** Takes what is learnt of each episode's task, and measures how much of it is told. */
  measureLeak?: MeasureLeak;
};

const NOTHING_STARTED: TaskSecretsResult = {
  secrets: null,
  missing: {
    message: 'This episode names no environment, so nothing is known of what its task checks.',
    next: null,
  },
};

const WITHHELD: TaskSecretsResult = {
  secrets: null,
  missing: {
    message: 'This episode belongs to a bench in which nobody who advises sees what is checked.',
    next: 'The answer key opens when the episode is over.',
  },
};

function createTaskKnowledge(parts: KnowledgeDependencies): TaskKnowledgeOf {
  const { log, environmentOf, distil } = parts;
  const secrets = async (episode: string): Promise<TaskSecretsResult> => {
    const record = log.record(episode);
    if (record.started === null) return NOTHING_STARTED;
    if (record.started.bench?.is_key_withheld === true && record.ended === null) return WITHHELD;
    try {
      return await environmentOf(record.started.environment).taskSecrets(taskOfEpisode(log, record));
    } catch (thrown) {
      const { message, next } = failureShape(thrown);
      return { secrets: null, missing: { message, next } };
    }
  };
  const learn = async (episode: string): Promise<TaskKnowledge | null> => {
    const found = await secrets(episode);
    if (found.secrets === null) return null;
    const { distillation, ...known } = await distil(
      found.secrets,
      taskOfEpisode(log, log.record(episode)).task,
    );
    parts.measureLeak?.learn?.(episode, textsOf(known));
    if (distillation !== null) note(log, episode, known, distillation);
    return known;
  };
  // The start of an episode and its first question ask at the same time.
  const underway = new Map<string, Promise<TaskKnowledge | null>>();
  const learnOnce = (episode: string): Promise<TaskKnowledge | null> => {
    const known = underway.get(episode);
    if (known !== undefined) return known;
    const learning = learn(episode).finally(() => underway.delete(episode));
    underway.set(episode, learning);
    return learning;
  };
  return {
    secrets,
    knowledge: (episode, signal) =>
      unlessAborted(
        learnOnce(episode),
        signal,
        () => new Failure('cancelled', 'the wait for the criteria was cancelled'),
      ),
  };
}

/** The same, with the words of models kept in the data folder. */
export const openTaskKnowledge = ({
  log,
  environmentOf,
  llm,
  resources,
  folder,
  measureLeak,
}: {
  measureLeak: MeasureLeak;
  log: EventLog;
  environmentOf: EnvironmentOf;
  llm: (role: 'expert') => Llm | null;
  resources: string;
  folder: { file(name: string): string };
}): TaskKnowledgeOf => {
  const cache = folderTextCache(folder.file('criteria'));
  const prompts = readPrompts(join(resources, 'prompts'));
  const distil = createDistilCriteria({ llm: () => llm('expert'), prompts, cache });
  return createTaskKnowledge({ log, environmentOf, distil, measureLeak });
};

/** As it is played: a task whose text was given at the reset is checked by its number's verifier all the same. */
export function taskOfEpisode(log: EventLog, record: EpisodeRecord): TaskOfEpisode {
  const text = record.reset?.task ?? null;
  const isReplaced = typeof record.reset?.request['task'] === 'string';
  const { scenario, task_idx } = taskRef(record);
  // What a client's verify asked for is known once it has; our own loop says it at the start.
  const verified = VerifierMode.safeParse(record.verified?.verifier_mode).data;
  const verifier_mode = verified ?? record.started?.verifier_mode;
  const task = text === null || isReplaced ? null : log.texts.loadText(text);
  return { scenario, task_idx, task, verifier_mode };
}

/** The verifier's own texts. A pack's secrets are measured by its briefing. */
const textsOf = ({ criteria, secrets: { verifier } }: TaskKnowledge): string[] =>
  verifier === null ? [] : [verifier.code, ...(criteria === null ? [] : [criteria])];

/** Once for each episode, and never after its end. */
function note(
  log: EventLog,
  episode: string,
  { criteriaFrom }: TaskKnowledge,
  distillation: NonNullable<DistilledTask['distillation']>,
): void {
  const { ended, criteria } = log.record(episode);
  if (ended !== null || criteria !== null) return;
  const actor: Actor = distillation.is_cached ? SYSTEM : { type: 'model', id: distillation.model };
  log.append(episode, actor, { kind: 'criteria.prepared', from: criteriaFrom, ...distillation });
}

/** The outcome of `work`, or `givenUp` once `signal` is aborted; the work itself goes on. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, givenUp: () => Failure): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(givenUp());
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
