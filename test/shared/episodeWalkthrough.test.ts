// The walkthrough of an episode against its events: nothing the agent proposed is missing, and nobody's act is another's.
import { describe, expect, it } from 'vitest';
import { SYSTEM } from '../../src/shared/events/actor.ts';
import { episodeSummary, outcomeSentence } from '../../src/shared/episode/summary.ts';
import { walkthroughOf } from '../../src/shared/episode/walkthrough.ts';
import { assisted, episode, EXPERT } from '../renderer/parts/episodes.ts';
import { held } from '../support/log.ts';

const linesOf = (builder: ReturnType<typeof episode>): string[] =>
  walkthroughOf(builder.record()).map(({ who, text, outcome }) => `${who} ${text} [${outcome}]`);

describe('a walkthrough', () => {
  it('has every move that the log holds, each with the turn it was', () => {
    const builder = assisted();
    const moves = builder.events.flatMap(({ event }) => (event.kind === 'move.proposed' ? [event.turn] : []));
    const steps = walkthroughOf(builder.record());
    expect(steps.flatMap(({ turn }) => turn ?? [])).toEqual(moves);
    const errors = builder.events.filter(
      ({ event }) => event.kind === 'call.returned' && event.error !== null,
    );
    expect(steps.filter(({ outcome }) => outcome === 'error')).toHaveLength(errors.length);
  });

  it('tells a person’s advice from the agent’s steps, and says what its author had seen', () => {
    const builder = episode().open().ask('Which order?').approve('send', 'Take order 12.');
    expect(linesOf(builder)).toEqual([
      'Agent Ask an expert: Which order? [none]',
      'Person Advice written: Take order 12. (having seen the reference answer) [none]',
    ]);
  });

  it('keeps what was proposed apart from what a person made instead', () => {
    const builder = episode().open();
    builder.turn({ type: 'call_tool', tool_name: 'get_order', arguments: { order_id: 1 } });
    builder.add(SYSTEM, held({ call: 'k1', rule: null }));
    builder.add(EXPERT, {
      kind: 'call.edited',
      call: 'k1',
      tool_name: 'get_order',
      arguments: { order_id: 12 },
      reason: 'the other one',
      privilege: [],
      seen_seq: 0,
      timing: { first_seen_at: null, active_ms: null },
    });
    expect(linesOf(builder)).toEqual([
      'Agent Look up order 1 (proposed, not made) [none]',
      'Person Call edited: the other one; made instead: Look up order 12 [none]',
    ]);
  });
});

it('the sentence over it says who helped, and calls nothing complete that no verifier called so', () => {
  const sentence = (builder: ReturnType<typeof episode>): string =>
    outcomeSentence(episodeSummary(builder.record()));
  const alone = (): ReturnType<typeof episode> => episode().open({ condition: 'none' });
  expect(sentence(alone().call('get_order', { order_id: 1 }, { text: '{}' }))).toBe(
    'Running after 1 turn; nobody helped',
  );
  expect(sentence(alone().end('complete'))).toMatch(/^Complete after \d+ turns?; nobody helped$/);
  expect(sentence(alone().end('incomplete'))).toMatch(/^Partly complete \(verifier: incomplete\) after/);
  expect(sentence(assisted())).toContain('advice came once');
});
