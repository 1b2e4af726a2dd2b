// What a person who takes over had seen of the answer, as the log keeps it with each move.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deskItems } from '../../src/shared/episode/rows.ts';
import { makeRows } from '../support/exporting.ts';
import { serveEnvironment } from '../support/flow.ts';
import { asking, ME, native, replies, startStepIn } from '../support/stepIn.ts';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
beforeEach(async () => {
  environment = await serveEnvironment();
});
afterEach(() => environment.close());

const RENAME = { type: 'call_tool' as const, tool_name: 'rename_workflow', arguments: { id: 2 } };
type Flow = ReturnType<typeof startStepIn>;
const move = ({ commands, id }: Flow) =>
  commands['takeover.move']({ episode: id, say: '', move: RENAME, is_unchecked: false }, ME);

it('is nothing while the answer key stays covered', async () => {
  const flow = startStepIn(environment.url, replies(native('find_workflow', { id: 1 })), asking());
  await flow.held();
  await flow.control('take_over');
  await move(flow);
  await flow.until(({ turns }) => turns[1]?.call?.returned);
  await flow.control('hand_back');

  const { turns } = await flow.ended;

  expect(turns.map(({ privilege }) => privilege)).toEqual([undefined, [], undefined]);
});

it('is the key from when its cover was lifted, and not before', async () => {
  const flow = startStepIn(environment.url, replies(native('find_workflow', { id: 1 })), asking());
  await flow.held();
  await flow.control('take_over');
  await move(flow);
  await flow.until(({ turns }) => turns[1]?.call?.returned);
  flow.desk.noteSeen(ME.seat, flow.id, ['criteria', 'reference']);
  await move(flow);
  await flow.until(({ turns }) => turns[2]?.call?.returned);
  await flow.control('hand_back');

  const { turns } = await flow.ended;

  expect(turns.slice(1, 3).map(({ privilege }) => privilege)).toEqual([[], ['criteria', 'reference']]);
});

it('is what the author of the draft on their screen had seen, and stays with them', async () => {
  const flow = startStepIn(
    environment.url,
    replies(native('ask_expert', { task: 'rename', context: 'which?' })),
    {
      condition: 'human+draft',
    },
  );
  const asked = await flow.until(({ consultations }) => consultations[0]?.draft);
  const draft = asked.consultations[0]?.draft?.privilege;
  await flow.control('take_over');
  await move(flow);
  await flow.until(({ turns }) => turns[1]?.call?.returned);
  await flow.control('hand_back');

  const { turns } = await flow.ended;

  expect(draft).not.toEqual([]);
  expect(turns[1]?.privilege).toEqual(draft);
  expect(flow.desk.privilegeOf(flow.id, { type: 'human', id: ME.seat })).toEqual(draft);
});

it('leaves nothing open where the question was set aside before any move, and the export tells it the same way', async () => {
  const flow = startStepIn(
    environment.url,
    replies(native('ask_expert', { task: 'rename', context: 'which?' })),
    { condition: 'human' },
  );
  const aside = () => flow.control('set_aside');
  await flow.until(({ consultations }) => consultations[0]);
  await expect(aside()).rejects.toThrow('take it over first');
  await flow.control('take_over');

  await aside();

  expect(deskItems(flow.log.record(flow.id))).toEqual([]);
  await expect(aside()).rejects.toThrow('nothing is open');
  await flow.control('hand_back');
  const record = await flow.ended;
  expect(record.consultations[0]).toMatchObject({
    decision: { type: 'cancelled', reason: 'a person took over and set it aside' },
    delivered: null,
  });
  expect(record.turns.map(({ actor }) => actor.type)).toEqual(['agent', 'agent']);
  const [exported] = (await makeRows(flow.log, 'episode_record')).rows;
  expect(JSON.stringify(exported)).toContain('This was set aside, neither answered nor refused');
});
