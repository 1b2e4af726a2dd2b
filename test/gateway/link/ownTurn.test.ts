import { afterEach, describe, expect, it } from 'vitest';
import { attemptsBefore, troubleBefore } from '../../../src/shared/episode/attempts.ts';
import type { EpisodeRecord } from '../../../src/shared/episode/record.ts';
import { deskItems } from '../../../src/shared/episode/rows.ts';
import { factsOf } from '../../../src/main/reward/facts.ts';
import { helpPattern } from '../../../src/main/reward/shaping.ts';
import { type Doors, serveDoors } from '../../support/doors.ts';
import { asked, openLog, SYSTEM, proposed } from '../../support/log.ts';
import { openTapped, tappedCall } from '../../support/tapped.ts';

const FAILED = 'Status code: 422. the id is missing';

let doors: Doors | null = null;
afterEach(async () => {
  await doors?.close();
  doors = null;
});

const tried = (record: EpisodeRecord) => {
  const before = record.consultations[0]?.before ?? 0;
  return {
    attempts: attemptsBefore(record, before).map(({ tool_name: tool, error }) => ({ tool, error })),
    streak: troubleBefore(record, before).error_streak,
    pattern: helpPattern(factsOf(record)),
  };
};
const RECOVERY = {
  attempts: [{ tool: 'rename_workflow', error: FAILED }],
  streak: 1,
  pattern: 'recovery',
};

describe('a client’s question in its episode', () => {
  it('is a turn of its own after the call that failed, so that the call counts as tried before it', async () => {
    doors = await serveDoors();
    openTapped(doors.log, { id: 'e1', name: 'rollout-7' });
    tappedCall(doors.log, 'e1', 1, 'rename_workflow', FAILED, 'server_error');

    const answered = doors
      .openai()
      .chat.completions.create(
        { model: 'expert', messages: [{ role: 'user', content: 'What now?' }] },
        { headers: { 'X-Interject-Episode': 'rollout-7' } },
      );
    const item = await doors.waiting();
    doors.answer(item, 'rename_workflow({"id": 2})');
    await answered;
    tappedCall(doors.log, 'e1', 3, 'rename_workflow');

    const record = doors.log.record('e1');
    expect(record.turns.map(({ turn, move }) => [turn, move?.type])).toEqual([
      [1, 'call_tool'],
      [2, 'ask_expert'],
      [3, 'call_tool'],
    ]);
    expect(record.consultations[0]).toMatchObject({ turn: 2, before: 2, call: 't2' });
    expect(item).toMatchObject({ turn: 2, error_streak: 1, attempts: [{ tool_name: 'rename_workflow' }] });
    expect(tried(record)).toEqual(RECOVERY);
  });

  it('is a brief where it puts the verifier into words before the first turn: no turn, and no ask of the agent', async () => {
    doors = await serveDoors({ advises: () => 'The second workflow is called Second.' });
    openTapped(doors.log, { id: 'e1', name: 'rollout-7' });
    const named = doors.openai({ apiKey: 'k~rollout-7' });
    const ask = (content: string) =>
      named.chat.completions.create({ model: 'expert', messages: [{ role: 'user', content }] });

    await ask('Summarise what this function requires.\n\ndef verify_task(a, b):\n    return a\n\nTASK: x');
    const brief = doors.log.record('e1');
    tappedCall(doors.log, 'e1', 1, 'rename_workflow', FAILED, 'server_error');
    const answered = ask('What now?');
    doors.answer(await doors.waiting(), 'rename_workflow({"id": 2})');
    await answered;

    const record = doors.log.record('e1');
    expect(brief).toMatchObject({ turns: [], counts: { consultations: 0 } });
    expect(record.consultations).toMatchObject([
      { id: 'e1:c1', trigger: 'brief', turn: 0, purpose: 'analysis', link: { by: 'key' } },
      { id: 'e1:c2', trigger: 'agent_call', turn: 2, purpose: 'advice', link: { by: 'key' } },
    ]);
    expect(record.counts.consultations).toBe(1);
    expect(helpPattern(factsOf(record))).toBe('recovery');
  });

  it('is nobody’s where it puts the verifier into words without a name: one answer is for all who ask the same', async () => {
    doors = await serveDoors({ advises: () => 'The second workflow is called Second.' });
    openTapped(doors.log, { id: 'e1' });
    const content =
      'Summarise what this function requires.\n\ndef verify_task(a, b):\n    return a\n\nTASK: x';
    const body = { model: 'expert', messages: [{ role: 'user' as const, content }] };

    await doors.openai().chat.completions.create(body);
    openTapped(doors.log, { id: 'e2' });
    await doors.openai().chat.completions.create(body);

    expect(doors.log.record('e1').consultations).toEqual([]);
    expect(doors.seen).toHaveLength(1);
  });

  it('asks while a call is under way without getting its result', async () => {
    doors = await serveDoors();
    openTapped(doors.log, { id: 'e1', name: 'rollout-7' });
    tappedCall(doors.log, 'e1', 1, 'find_workflow');
    const sent = proposed({
      turn: 2,
      call: 't2',
      move: { type: 'call_tool' as const, tool_name: 'get_workflow', arguments: {} },
      sent: true as const,
    });
    doors.log.append('e1', SYSTEM, sent);

    const answered = doors
      .openai()
      .chat.completions.create(
        { model: 'expert', messages: [{ role: 'user', content: 'What now?' }] },
        { headers: { 'X-Interject-Episode': 'rollout-7' } },
      );
    doors.answer(await doors.waiting(), 'wait');
    await answered;

    const { turns } = doors.log.record('e1');
    expect(turns.map(({ turn, move }) => [turn, move?.type])).toEqual([
      [1, 'call_tool'],
      [2, 'call_tool'],
      [3, 'ask_expert'],
    ]);
  });

  it('counts what failed before it in a log that gave it the number of the last call', () => {
    const log = openLog();
    openTapped(log, { id: 'e1', name: 'rollout-7' });
    tappedCall(log, 'e1', 1, 'rename_workflow', FAILED, 'server_error');
    const link = { by: 'header' as const, score: 1 };
    const old = asked({ consultation: 'e1:c1', turn: 1, call: null, via: 'chat_completions', link });
    log.append('e1', SYSTEM, old);

    const record = log.record('e1');

    expect(tried(record)).toEqual(RECOVERY);
    expect(deskItems(record)[0]).toMatchObject({ error_streak: 1, attempts: [{ error: FAILED }] });
  });
});
