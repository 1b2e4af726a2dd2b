// The review room as its commands see it: projects, queues, judgements and a model's suggestions, built together.
import type { EventLog } from '../log/eventLog.ts';
import type { Llm } from '../llm/port.ts';
import type { Prompts } from '../settings/prompts.ts';
import { createJudge, type Judge } from './judge.ts';
import { createProjects, type Projects } from './projects.ts';
import { createQueues, type Queues } from './queues.ts';
import { steadyClock } from './steadyClock.ts';
import { createSuggest, type Suggest } from './suggest.ts';
import { createSuggestJobs, type SuggestJobs } from './suggestJobs.ts';

export type ReviewRoom = {
  projects: Projects;
  queues: Queues;
  judge: Judge;
  suggest: Suggest;
  suggestJobs: SuggestJobs;
  /** What leases run on. */
  clock: () => number;
  close(): void;
};

type ReviewDependencies = {
  log: EventLog;
  /** UTC ms. It jumps when somebody sets it. */
  clock: () => number;
  /** ms on a clock that never jumps. */
  monotonic: () => number;
  newId: () => string;
  llm: () => Llm | null;
  prompts: Prompts;
};

export function createReview(parts: ReviewDependencies): ReviewRoom {
  const clock = steadyClock(parts);
  const projects = createProjects(parts);
  const suggest = createSuggest({ ...parts, projects });
  const suggestJobs = createSuggestJobs({ projects, suggest });
  return {
    projects,
    queues: createQueues({ ...parts, projects, clock }),
    judge: createJudge({ ...parts, projects, clock }),
    suggest,
    suggestJobs,
    clock,
    close: () => {
      suggestJobs.close();
      projects.close();
    },
  };
}
