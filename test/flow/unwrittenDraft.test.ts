// The disk is full when a draft comes: what was asked goes on without it, or says what was wrong.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { databaseFailure } from '../../src/main/log/database.ts';
import type { LogEvent } from '../../src/shared/events/vocabulary.ts';
import { createFlow, serveEnvironment, spec } from '../support/flow.ts';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
beforeAll(async () => {
  environment = await serveEnvironment();
});
afterAll(() => environment.close());

/** The log takes no event of these kinds; resolves when one was refused. */
function refuse(
  { log }: Pick<ReturnType<typeof createFlow>, 'log'>,
  kinds: readonly LogEvent['kind'][],
): Promise<void> {
  const append = log.append.bind(log);
  return new Promise((refused) => {
    vi.spyOn(log, 'append').mockImplementation((stream, actor, event) => {
      if (typeof event === 'function' || !kinds.includes(event.kind)) return append(stream, actor, event);
      refused();
      throw databaseFailure(
        Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }),
        'log',
      );
    });
  });
}

it('a person still answers a question whose draft found no space', async () => {
  const flow = createFlow();
  const refused = refuse(flow, ['advice.drafted', 'advice.draft_failed']);
  const { id, ended } = flow.supervisor.start(spec(environment.url));
  const { consultation, seq } = await flow.waiting();
  await refused;
  flow.desk.answer(
    {
      episode: id,
      consultation,
      text: 'Rename the second one.',
      draft: null,
      seen_seq: seq,
      timing: { first_seen_at: null, active_ms: null },
    },
    { type: 'human', id: 'seat-one' },
  );

  const found = () => flow.log.record(id).consultations[0];
  await expect.poll(() => found()?.delivered ?? null).not.toBeNull();
  expect(found()).toMatchObject({
    draft: null,
    decision: { type: 'approved', text: 'Rename the second one.' },
  });
  flow.supervisor.abandon(id);
  await ended;
});

it('an episode whose model cannot write its answer ends by name, and nothing else does', async () => {
  const flow = createFlow();
  void refuse(flow, ['advice.drafted', 'advice.draft_failed']);
  const { ended } = flow.supervisor.start(spec(environment.url, { condition: 'model' }));

  expect((await ended).ended).toMatchObject({ outcome: 'error', failure: { code: 'data_unwritable' } });
});
