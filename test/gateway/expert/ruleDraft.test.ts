// A client's question in an episode of the tap whose task's answer is known, with no model for the advisor.
import { afterEach, describe, expect, it } from 'vitest';
import type { TaskKnowledge } from '../../../src/shared/taskSecrets.ts';
import { serveDoors, type Doors } from '../../support/doors.ts';
import { openTapped } from '../../support/tapped.ts';

let doors: Doors;
afterEach(() => doors.close());

const KNOWN: TaskKnowledge = {
  criteria: null,
  criteriaFrom: 'data',
  model: null,
  secrets: {
    criteria: null,
    verifier: null,
    reference: null,
    draft: [{ tool: 'rename_workflow', args: { id: 2 }, purpose: 'rename it' }],
    rehearsal: null,
  },
};

describe('a draft by rule for a client’s question', () => {
  it('is marked with the reference solution that the rule has read, and so is what a person makes of it', async () => {
    doors = await serveDoors({ knowledge: (episode) => (episode === 'e1' ? KNOWN : null) });
    openTapped(doors.log, { id: 'e1', name: 'rollout-7' });
    const completion = doors
      .openai()
      .chat.completions.create(
        { model: 'expert', messages: [{ role: 'user', content: 'Which one?' }] },
        { headers: { 'X-Interject-Episode': 'rollout-7' } },
      );
    const item = await doors.waiting(({ draft }) => draft !== null);
    doors.answer(item, doors.log.texts.loadText(item.draft?.text ?? ''));
    await completion;

    const [asked] = doors.log.record('e1').consultations;
    expect(asked).toMatchObject({
      privilege: 'unknown',
      draft: { generator: 'rule', privilege: ['reference'] },
      decision: { act: 'accept', privilege: ['reference'] },
      delivered: { privilege: ['reference'] },
    });
    // Who has seen it advises later episodes of the task with the answer in sight.
    const seen = doors.log.read('seat/one').map(({ event }) => event);
    expect(seen).toMatchObject([{ kind: 'answer.seen', saw: ['reference'] }]);
  });

  it('is none where the question belongs to no episode whose task is known', async () => {
    doors = await serveDoors({
      knowledge: () => null,
      settings: { ask_fallback: 'draft', ask_deadline_ms: 200 },
    });
    const answer = await doors
      .openai()
      .chat.completions.create({ model: 'expert', messages: [{ role: 'user', content: 'Which one?' }] });

    expect(answer.choices[0]?.message.content).toMatch(/^No advice:/);
  });
});
