import type { Push, Topic } from '../../src/shared/contract/envelope.ts';
import type { DeskItem } from '../../src/shared/contract/rows.ts';

type Subscribe = (topic: Topic, onPush: (push: Push) => void) => () => void;

/** What waits for a person now, as a console is told of it. */
export const deskItems = (subscribe: Subscribe): Promise<DeskItem[]> =>
  new Promise((done) => {
    const stop = subscribe({ topic: 'desk' }, (push) => {
      if (push.topic !== 'desk') return;
      stop();
      done(push.items);
    });
  });
