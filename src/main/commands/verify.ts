// Owns: asking a verifier again: the world's own, or a Python one in the sandbox, over the state an episode ended in.
import type { Handlers } from '../../shared/contract/contract.ts';
import type { VerifyResult } from '../../shared/contract/verify.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { Failure } from '../../shared/failure.ts';
import type { createImages } from '../episode/images.ts';
import type { EventLog } from '../log/eventLog.ts';
import { createAwmData, type AwmData } from '../verifier/awmData.ts';
import type { Sandbox } from '../verifier/sandbox.ts';
import { verdictOf } from '../verifier/verdict.ts';
import type { Worlds } from '../worlds/worlds.ts';

type Parts = {
  log: EventLog;
  worlds: Worlds;
  images: ReturnType<typeof createImages>;
  /** Throws `sandbox_unavailable` where verifier code cannot be locked up. */
  sandbox: () => Sandbox;
  /** Where the Agent World Model data lies unless the caller says otherwise. */
  awmData: string;
};

export function verifyCommands(parts: Parts): Pick<Handlers, 'episode.verify'> {
  // The files are large: a folder is read once.
  let data = { folder: '', read: createAwmData('') };
  const dataOf = (folder: string): AwmData => {
    if (data.folder !== folder) data = { folder, read: createAwmData(folder) };
    return data.read;
  };
  return {
    'episode.verify': async ({ episode, awm_data: folder }) => {
      const record = parts.log.record(episode);
      const { scenario, taskIdx } = taskOf(record);
      const state = await parts.images(episode, null);
      if (state === null) throw new Failure('not_found', 'the state this episode ended in cannot be read');
      const answer = record.ended?.finalAnswer ?? null;
      const finalAnswer = answer === null ? null : parts.log.texts.whole(answer);
      const startedAt = performance.now();
      const common = {
        logged: record.verified?.reward_type ?? null,
        source: state.source,
        drift: state.drift,
      };
      if (record.started?.environment.builtin === true) {
        const result = parts.worlds.verdict(scenario, taskIdx, state, finalAnswer);
        if (result === null) throw noVerifier(scenario, taskIdx);
        const ms = performance.now() - startedAt;
        return {
          ...common,
          result,
          reward_type: result,
          verifier: 'built_in',
          evidence: null,
          problem: null,
          ms,
        } satisfies VerifyResult;
      }
      const [verifier] = await dataOf(folder ?? parts.awmData).find(scenario, taskIdx);
      if (verifier === undefined) throw noVerifier(scenario, taskIdx);
      const { form, ...verdict } = await verdictOf(parts.sandbox(), verifier.code, state, finalAnswer);
      return { ...common, ...verdict, verifier: form };
    },
  };
}

function taskOf({ id, started, reset }: EpisodeRecord): { scenario: string; taskIdx: number } {
  if (started === null) throw new Failure('not_found', `there is no episode ${id}`);
  const scenario = reset?.scenario ?? started.scenario;
  const taskIdx = reset?.task_idx ?? started.task_idx;
  if (scenario === null || taskIdx === null) {
    throw new Failure('not_found', 'this episode has no task number, so there is no verifier for it');
  }
  return { scenario, taskIdx };
}

const noVerifier = (scenario: string, taskIdx: number): Failure =>
  new Failure('not_found', `there is no verifier for task ${String(taskIdx)} of ${scenario}`, {
    next: 'Give the folder of the Agent World Model data that has it with --awm-data DIR.',
  });
