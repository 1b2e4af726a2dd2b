// Two reviewers who judge the same episodes, so that a project shows progress, agreement and something to decide.
import { createSocketTransport } from '../../src/renderer/client/socket.ts';
import type { Transport } from '../../src/renderer/client/transport.ts';
import type { ProjectRow } from '../../src/shared/contract/review.ts';
import type { Value } from '../../src/shared/events/annotations.ts';
import type { Server } from '../e2e/server.ts';
import { until } from './until.ts';

type Dimension = ProjectRow['dimensions'][number];
type Review = { project: string; queue: string; item: string };
const TIMING = { first_seen_at: null, active_ms: 42_000 };
const REVIEWED = 3;

/** A value of a question about a whole episode; another one for every second reviewer. Null where none is asked for. */
function valueOf(dimension: Dimension, reviewer: number): Value | null {
  if (!dimension.on.includes('trajectory')) return null;
  if (dimension.type === 'scale')
    return { type: 'scale', number: reviewer === 0 ? dimension.max : dimension.min };
  if (dimension.type !== 'category') return null;
  const { options } = dimension;
  const option = options[reviewer === 0 ? options.length - 1 : 0];
  return option === undefined ? null : { type: 'category', option: option.id };
}

async function reviewItem(
  call: Transport['call'],
  place: Review,
  row: ProjectRow,
  reviewer: number,
): Promise<void> {
  const { row: item } = await call('queue.open', place);
  const episode = item.episodes[0]?.id ?? '';
  for (const dimension of row.dimensions) {
    const value = valueOf(dimension, reviewer);
    if (value === null) continue;
    const target = { on: 'trajectory', episode } as const;
    await call('annotation.give', {
      as: 'value',
      ...place,
      target,
      dimension: dimension.id,
      value,
      timing: TIMING,
    });
  }
  await call('queue.leave', { as: 'done', ...place, timing: TIMING });
}

/** A queue over ended episodes; the project, with its questions, is there. */
export async function reviewEpisodes(
  server: Server,
): Promise<{ project: string; queue: string; item: string; pairs: string }> {
  const row = await until('the project', async () => (await server.call('project.list', {})).projects[0]);
  const { project } = row;
  const made = {
    project,
    reviewers_per_item: 2,
    seats: [],
    is_blind: true,
    hides_outcome: true,
    lease_minutes: 30,
  };
  const from = { filter: { query: '', status: 'ended', condition: null }, limit: 8 } as const;
  const { queue } = await server.call('queue.make', {
    ...made,
    name: 'Failed without help',
    from: { type: 'filter', ...from },
  });
  const { queue: pairs } = await server.call('queue.make', {
    ...made,
    name: 'Which is better',
    from: { type: 'same_task', ...from },
  });
  const second = createSocketTransport({
    origin: server.url.replace(/^http/, 'ws').replace(/\/#.*$/, ''),
    token: server.token,
    seat: 'seat-second',
  });
  const { items } = await server.call('queue.items', {
    project,
    queue,
    show: 'all',
    offset: 0,
    limit: REVIEWED,
  });
  for (const { item } of items) {
    await reviewItem(server.call, { project, queue, item }, row, 0);
    await reviewItem(second.call, { project, queue, item }, row, 1);
  }
  second.close();
  return { project, queue, item: items[0]?.item ?? '', pairs };
}
