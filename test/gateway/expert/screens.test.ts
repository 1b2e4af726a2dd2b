// What of a client's request reaches a screen, and what becomes of a question whose episode or log goes away.
import { afterEach, describe, expect, it } from 'vitest';
import { veilFor } from '../../../src/main/commands/veil.ts';
import { serveDoors, type Doors } from '../../support/doors.ts';
import { ended, SYSTEM } from '../../support/log.ts';
import { openTapped } from '../../support/tapped.ts';

let doors: Doors;
afterEach(() => doors.close());

const SECRET = 'row 2 is called Second';
const ask = (content: string, headers: Record<string, string> = {}) =>
  doors
    .openai()
    .chat.completions.create({ model: 'm', messages: [{ role: 'user', content }] }, { headers })
    .then(({ choices }) => choices[0]?.message.content);
const screen = (episode: string, seat: { seat: string; invite?: string }) =>
  JSON.stringify(veilFor(doors.log, seat).events(episode, doors.log.read(episode)));

describe('what stands under a mark', () => {
  it('leaves main for no screen, the owner’s or an expert’s', async () => {
    doors = await serveDoors();
    const answer = ask(`Do it.\n\nSUCCESS CRITERIA:\n${SECRET}\n\nAGENT CONTEXT: stuck`);
    const { episode } = await doors.waiting();
    doors.answer(await doors.waiting(), 'x');
    await answer;

    expect(JSON.stringify(doors.log.read(episode))).toContain(SECRET);
    expect(screen(episode, { seat: 'owner' })).not.toContain(SECRET);
    expect(screen(episode, { seat: 'two', invite: 'i1' })).not.toContain(SECRET);
    expect(screen(episode, { seat: 'owner' })).toContain('AGENT CONTEXT: stuck');
  });

  it('is not told by what the advisor distilled from it either', async () => {
    doors = await serveDoors({ advises: () => SECRET });
    await ask('Summarise what this requires.\n\ndef verify_task(a, b):\n    return a\n\nTASK: x');
    const [episode = ''] = doors.log.projections.ended();

    expect(JSON.stringify(doors.log.read(episode))).toContain(SECRET);
    expect(screen(episode, { seat: 'owner' })).not.toContain(SECRET);
  });

  it('is put before a person where the settings say so', async () => {
    doors = await serveDoors({ settings: { analysis: 'person' } });
    const answer = ask('Summarise what this requires.\n\ndef verify_task(a, b):\n    return a\n\nTASK: x');
    const item = await doors.waiting();
    doors.answer(item, 'My criteria.');

    expect(item).toMatchObject({ purpose: 'analysis', covered: [{}] });
    expect(await answer).toBe('My criteria.');
    expect(screen(item.episode, { seat: 'owner' })).toContain('My criteria.');
  });

  it('is an empty answer when nobody can distil it: words would be taken for criteria', async () => {
    doors = await serveDoors();

    expect(
      await ask('Summarise what this requires.\n\ndef verify_task(a, b):\n    return a\n\nTASK: x'),
    ).toBe('');
  });
});

it('a question in a tapped episode that names an episode which is over stands for itself, with the client’s name of it', async () => {
  doors = await serveDoors();
  openTapped(doors.log, { id: 'e1', name: 'rollout-7' });
  doors.log.append('e1', SYSTEM, ended());
  const answer = ask('Which one?', { 'X-Interject-Episode': 'rollout-7' });
  const item = await doors.waiting();
  doors.answer(item, 'x');
  await answer;

  expect(doors.log.record(item.episode).started).toMatchObject({
    source: 'ask',
    trainer: { episode: 'rollout-7' },
  });
});

it('when Interject is closed a client that waits reads that nobody is there', async () => {
  doors = await serveDoors();
  const answer = ask('Which one?');
  await doors.waiting();
  doors.desk.close();

  expect(await answer).toContain('No advice: no expert is there');
});
