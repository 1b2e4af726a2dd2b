// The review room as its commands see it: projects, queues, judgements and a model's suggestions, built together.
import type { EventLog } from '../log/eventLog.ts';
import type { Llm } from '../llm/port.ts';
import type { Prompts } from '../settings/prompts.ts';
import { createJudge, type Judge } from './judge.ts';
import { createProjects, type Projects } from './projects.ts';
import { createQueues, type Queues } from './queues.ts';
import { createSuggest, type Suggest } from './suggest.ts';
import { createSuggestJobs, type SuggestJobs } from './suggestJobs.ts';

export type ReviewRoom = {
  projects: Projects;
  queues: Queues;
  judge: Judge;
  suggest: Suggest;
  suggestJobs: SuggestJobs;
  close(): void;
};

type ReviewDependencies = {
  log: EventLog;
  clock: () => number;
  newId: () => string;
  llm: () => Llm | null;
  prompts: Prompts;
};

export function createReview(parts: ReviewDependencies): ReviewRoom {
  const projects = createProjects(parts);
  const suggest = createSuggest({ ...parts, projects });
  const suggestJobs = createSuggestJobs({ projects, suggest });
  return {
    projects,
    queues: createQueues({ ...parts, projects }),
    judge: createJudge({ ...parts, projects }),
    suggest,
    suggestJobs,
    close: () => {
      suggestJobs.close();
      projects.close();
    },
  };
}
