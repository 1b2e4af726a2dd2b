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
      const { environment, scenario, task_idx } = verifiedTask(record);
      const state = await images(episode, null);
      const source = state?.source ?? 'seed';
      // The first state says nothing of how the episode ended.
      if (state === null || source === 'seed') {
        throw new Failure('not_found', 'the state this episode ended in cannot be read');
      }
      const answer = record.ended?.final_answer ?? null;
      const verdict = await environmentOf(environment).verdict({
        scenario,
        task_idx,
        images: state,
        final_answer: answer === null ? null : log.texts.loadText(answer),
        at: verifiedAt(record),
        dataFolder,
      });
      if (verdict === null) throw noVerifier(scenario, task_idx);
      const logged = record.verified?.reward_type ?? null;
      return {
        ...verdict,
        logged,
        agreement: verdictAgreement(verdict, logged),
        source,
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
  task_idx: number;
} {
  if (started === null) throw new Failure('not_found', `there is no episode ${id}`);
  const { scenario, task_idx } = taskRef({ started, reset });
  if (scenario === null || task_idx === null) {
    throw new Failure('not_found', 'this episode has no task number, so there is no verifier for it');
  }
  return { environment: started.environment, scenario, task_idx };
}

const noVerifier = (scenario: string, task_idx: number): Failure =>
  new Failure('not_found', `there is no verifier for task ${String(task_idx)} of ${scenario}`, {
    next: 'Give the folder of the Agent World Model data that has it with --awm-data DIR.',
  });
