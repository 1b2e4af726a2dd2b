// The review room as its commands see it: projects, queues and judgements, built together.
import type { EventLog } from '../log/eventLog.ts';
import { createJudge, type Judge } from './judge.ts';
import { createProjects, type Projects } from './projects.ts';
import { createQueues, type Queues } from './queues.ts';

export type ReviewRoom = {
  projects: Projects;
  queues: Queues;
  judge: Judge;
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
};

export function createReview(parts: ReviewDependencies): ReviewRoom {
  // Leases neither end nor last longer because somebody sets the wall clock.
  const apart = parts.clock() - parts.monotonic();
  const clock = (): number => apart + parts.monotonic();
  const projects = createProjects(parts);
  return {
    projects,
    queues: createQueues({ ...parts, projects, clock }),
    judge: createJudge({ ...parts, projects, clock }),
    clock,
    close: () => projects.close(),
  };
}
