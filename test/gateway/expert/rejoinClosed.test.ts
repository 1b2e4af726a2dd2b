import { expect, it } from 'vitest';
import { createRejoin } from '../../../src/main/gateway/expert/rejoin.ts';

it('leaves a question open for the next start where its client goes while Interject closes', () => {
  const timers = new Set<() => void>();
  const abandoned: string[] = [];
  const rejoin = createRejoin({
    schedule: (_ms, run) => {
      timers.add(run);
      return () => timers.delete(run);
    },
  });
  const client = { request: 'r', idempotency: null, isRetry: false, isShared: false };
  const place = rejoin.enter(client, () => ({
    episode: 'e',
    consultation: 'c',
    link: null,
    purpose: 'advice',
    advice: new Promise(() => undefined),
    isDelivered: false,
    rejoin: () => true,
    deliver: () => undefined,
    abandon: (why) => abandoned.push(why),
  }));

  rejoin.close();
  place.leave(false);
  for (const run of timers) run();

  expect(abandoned).toEqual([]);
});
