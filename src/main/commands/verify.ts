// Asking a verifier again: the world's own, or a Python one in the sandbox, over the state an episode ended in.
import type { Handlers } from '../../shared/contract/contract.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { taskRef } from '../../shared/episode/taskRef.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import type { EnvironmentOf } from '../environments/port.ts';
import type { createImages } from '../episode/images.ts';
import type { EventLog } from '../log/eventLog.ts';
import { verdictAgreement } from '../verifier/agreement.ts';

type VerifyDependencies = {
  log: EventLog;
  environmentOf: EnvironmentOf;
  images: ReturnType<typeof createImages>;
};

export function verifyCommands({
  log,
  environmentOf,
  images,
}: VerifyDependencies): Pick<Handlers, 'episode.verify'> {
  return {
    'episode.verify': async ({ episode, awm_data: dataFolder }) => {
      const record = log.record(episode);
      const { environment, scenario, taskIdx } = verifiedTask(record);
      const state = await images(episode, null);
      if (state === null) throw new Failure('not_found', 'the state this episode ended in cannot be read');
      const answer = record.ended?.finalAnswer ?? null;
      const verdict = await environmentOf(environment).verdict({
        scenario,
        taskIdx,
        images: state,
        finalAnswer: answer === null ? null : log.texts.loadText(answer),
        at: verifiedAt(record),
        dataFolder,
      });
      if (verdict === null) throw noVerifier(scenario, taskIdx);
      const logged = record.verified?.reward_type ?? null;
      return {
        ...verdict,
        logged,
        agreement: verdictAgreement(verdict, logged),
        source: state.source,
        drift: state.drift,
      };
    },
  };
}

/** When the logged verdict was given; null where that is not known: an imported record is dated by its import. */
const verifiedAt = ({ verified, started }: EpisodeRecord): number | null =>
  verified === null || started?.source === 'import' ? null : verified.at;

function verifiedTask({ id, started, reset }: EpisodeRecord): {
  environment: EnvironmentSpec;
  scenario: string;
  taskIdx: number;
} {
  if (started === null) throw new Failure('not_found', `there is no episode ${id}`);
  const { scenario, task_idx: taskIdx } = taskRef({ started, reset });
  if (scenario === null || taskIdx === null) {
    throw new Failure('not_found', 'this episode has no task number, so there is no verifier for it');
  }
  return { environment: started.environment, scenario, taskIdx };
}

const noVerifier = (scenario: string, taskIdx: number): Failure =>
  new Failure('not_found', `there is no verifier for task ${String(taskIdx)} of ${scenario}`, {
    next: 'Give the folder of the Agent World Model data that has it with --awm-data DIR.',
  });
