import { describe, expect, it } from 'vitest';
import { Roster, type QuestionKind } from '../../../src/shared/experts/roster.ts';
import { routeQuestion, type RoutedQuestion } from '../../../src/shared/experts/route.ts';
import { PRIYA, ROSTER } from '../../support/experts.ts';

const question = (over: Partial<RoutedQuestion> = {}): RoutedQuestion => ({
  kind: 'other',
  wanted: null,
  answerers: 'people_and_draft',
  now: 1000,
  deadline_at: null,
  isOnDuty: () => true,
  ...over,
});

describe('routing a question', () => {
  it.each<[QuestionKind, string]>([
    ['format_error', 'Formatter'],
    ['tool_errors', 'Rescuer'],
    ['start', 'Priya'],
    ['other', 'Priya'],
  ])('sends a question of the kind %s to the first with the skill of the table', (kind, expert) => {
    expect(routeQuestion(ROSTER, question({ kind }))).toMatchObject({ expert, by: 'rule', question: kind });
  });

  it('follows a changed table, and skills in words of one’s own', () => {
    const [formatter, ...others] = ROSTER.experts;
    const roster: Roster = {
      ...ROSTER,
      experts: [...others, { ...formatter, skills: ['Refunds'] } as Roster['experts'][number]],
      routes: { ...ROSTER.routes, other: 'refunds' },
    };
    expect(routeQuestion(roster, question())).toMatchObject({ expert: 'Formatter', skill: 'refunds' });
  });

  it('follows a name in any case before the table, and says that it did', () => {
    const routed = routeQuestion(ROSTER, question({ wanted: ' rescuer ' }));

    expect(routed).toMatchObject({ expert: 'Rescuer', by: 'name', drafter: 'Rescuer', first: null });
    expect(routed.reason).toBe('the agent asked for Rescuer by name');
    expect(routed).not.toHaveProperty('not_followed');
  });

  it('routes a name that nobody has by the table, and says so', () => {
    const routed = routeQuestion(ROSTER, question({ wanted: 'Bob', kind: 'tool_errors' }));

    expect(routed).toMatchObject({ expert: 'Rescuer', by: 'rule', not_followed: 'Bob' });
    expect(routed.reason).toBe(
      'the agent asked for Bob, who is not in the roster; after repeated tool errors: recovery',
    );
  });

  it('asks no person where a model answers, and no model where people answer alone', () => {
    const model = routeQuestion(ROSTER, question({ answerers: 'model', wanted: 'Priya' }));
    const people = routeQuestion(ROSTER, question({ answerers: 'people', wanted: 'Formatter' }));

    expect(model).toMatchObject({
      expert: 'Formatter',
      drafter: 'Formatter',
      first: null,
      not_followed: 'Priya',
    });
    expect(people).toMatchObject({ expert: 'Priya', drafter: null, not_followed: 'Formatter' });
  });

  it('shows it first to a seat for half of its time at most, and not at all to one that is away', () => {
    expect(routeQuestion(ROSTER, question({ deadline_at: 21_000 })).first).toEqual({
      seat: PRIYA,
      until: 11_000,
    });
    const away = routeQuestion(ROSTER, question({ isOnDuty: () => false }));
    expect(away).toMatchObject({ expert: 'Priya', first: null });
    expect(away.reason).toContain('Priya is not at the desk: open to every seat');
  });

  it('routes to nobody where the roster has nobody who may answer', () => {
    const roster = { ...ROSTER, experts: ROSTER.experts.filter(({ kind }) => kind === 'person') };
    expect(routeQuestion(roster, question({ answerers: 'model' }))).toMatchObject({
      expert: null,
      drafter: null,
    });
  });

  it('refuses two experts of one name', () => {
    const [one] = ROSTER.experts;
    const twice = { ...ROSTER, experts: [one, { ...one, name: 'formatter' }] };
    expect(Roster.safeParse(twice).error?.issues[0]?.message).toBe('two experts are called formatter');
  });
});
