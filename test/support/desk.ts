import type { DeskPush, Push, Topic } from '../../src/shared/contract/envelope.ts';
import { DeskItem } from '../../src/shared/episode/rowShapes.ts';

type Subscribe = (topic: Topic, onPush: (push: Push) => void) => () => void;

/** What waits for a person now, as a console is told of it. */
export const deskItems = async (subscribe: Subscribe): Promise<DeskItem[]> => (await deskOf(subscribe)).items;

/** The whole desk: questions, and calls that wait. */
export const deskOf = (subscribe: Subscribe): Promise<DeskPush> =>
  new Promise((done) => {
    const stop = subscribe({ topic: 'desk' }, (push) => {
      if (push.topic !== 'desk') return;
      stop();
      done(push);
    });
  });

/** A question of the episode `id` that waits, asked at 940,000. */
export const deskItem = (id: string, over: Partial<DeskItem> = {}): DeskItem =>
  DeskItem.parse({
    episode: id,
    via: 'loop',
    link: null,
    consultation: `${id}:c1`,
    seq: 1,
    scenario: 's',
    task_idx: 0,
    task: null,
    condition: 'human',
    turn: 1,
    turn_limit: 15,
    ask: 1,
    ask_limit: 3,
    asked_task: null,
    question: 'Which?',
    asked_at: 940_000,
    deadline_at: null,
    fallback: 'wait',
    draft: null,
    draft_failure: null,
    attempts: [],
    tool_names: [],
    claim: null,
    passed_by: [],
    error_streak: 0,
    repeated_calls: 0,
    turns_left: 10,
    group: JSON.stringify(['builtin', 's', 0, null, null]),
    ...over,
  });
