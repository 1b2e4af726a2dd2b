import { describe, expect, it } from 'vitest';
import { deadlineOf, draftStateOf } from '../../../src/renderer/parts/card/deadline.ts';
import {
  attend,
  countedUpTo,
  IDLE_MS,
  NO_TIME,
  sign,
  timingOf,
} from '../../../src/renderer/parts/advice/useHumanTime.ts';
import { checkPlan, jsonErrorAt, type Problem } from '../../../src/renderer/parts/advice/planCheck.ts';
import { draftPrivilegeText } from '../../../src/renderer/parts/advice/privilegeText.ts';
import { PLAN, TOOLS } from './episodes.ts';

const applied = (text: string, problem: Problem | undefined): string =>
  problem?.fix === null || problem === undefined
    ? text
    : text.slice(0, problem.fix.from) + problem.fix.insert + text.slice(problem.fix.to);

describe('checking an advice before it is sent', () => {
  it('mends the right one of several calls, in lines as in JSON', () => {
    const text = 'First get_order({"order_id": 1}), then\nget_ordr({"order_id": 2})';

    const { problems } = checkPlan(text, TOOLS);

    expect(problems).toHaveLength(1);
    expect(applied(text, problems[0])).toBe(
      'First get_order({"order_id": 1}), then\nget_order({"order_id": 2})',
    );
  });

  it('says which arguments are missing, unknown or of another type', () => {
    const text =
      'update_order_status({"order": 12, "status": "finished"})\nlist_orders({"customer_id": "12"})';

    const { problems } = checkPlan(text, TOOLS);

    expect(problems.map(({ message }) => message)).toEqual([
      'update_order_status needs "order_id".',
      'update_order_status: "status" must be one of "open", "sent", "closed".',
      'update_order_status takes no "order".',
      'list_orders: "customer_id" must be a whole number.',
    ]);
    expect(applied(text, problems[2])).toContain('"order_id": 12');
  });

  it('notices JSON that was broken by an edit, and where', () => {
    const [problem] = checkPlan(PLAN.replace('"purpose": "Close it"', '"purpose": Close it'), TOOLS).problems;

    expect(problem?.kind).toBe('bad_json');
    expect(problem?.message).toContain('from line 16 on');
  });

  it('says of the same texts as the browser that they are JSON', () => {
    const texts = [
      '{}',
      '[1, -0.5e3, "a\\u00e9", null]',
      ' {"a": [true]} ',
      '{"a":1,}',
      '[01]',
      '"\n"',
      '{"a" 1}',
      '[1',
      'nul',
    ];
    const isJson = (text: string) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };

    expect(texts.map((text) => jsonErrorAt(text) === null)).toEqual(texts.map(isJson));
    expect(jsonErrorAt('{"a": x}')).toBe(6);
  });

  it('warns of tools that belong to the host, and is never fooled by names of the language', () => {
    expect(checkPlan('verify({})', TOOLS).problems[0]?.kind).toBe('reserved_tool');
    expect(checkPlan('toString({"a": 1})', TOOLS).problems[0]?.kind).toBe('unknown_tool');
    expect(checkPlan('get_order({"order_id": 1, "constructor": 2})', TOOLS).problems[0]?.kind).toBe(
      'unknown',
    );
  });
});

it('the time a person worked on a question does not count being idle beyond thirty seconds, and goes on after it', () => {
  let time = attend(NO_TIME, 0);
  time = sign(time, 10_000);
  expect(countedUpTo(time, 500_000).activeMs).toBe(10_000 + IDLE_MS);

  time = sign(time, 500_000);
  expect(timingOf(time, 502_000).active_ms).toBe(10_000 + IDLE_MS + 2000);
});

describe('a deadline in words', () => {
  const item = { asked_at: 0, deadline_at: 60_000, fallback: 'draft' as const };

  it('says how much is left and what happens at zero', () => {
    expect(deadlineOf(item, 'there', 15_000)).toEqual({
      left: 0.75,
      isUrgent: false,
      text: 'In 45 s the draft is sent unchanged.',
    });
    expect(deadlineOf({ ...item, fallback: 'proceed' }, 'there', 45_000)).toMatchObject({
      isUrgent: true,
      text: 'In 15 s the agent continues without advice.',
    });
    expect(deadlineOf({ ...item, fallback: 'wait' }, 'there', 90_000).text).toContain('still waits');
  });

  it('speaks of a draft only where there is one or one may still come', () => {
    const failure = { code: 'model_not_configured', message: 'No model.' };
    const asked = { draft: null, draft_failure: null, condition: 'human+draft' as const };

    expect(deadlineOf(item, draftStateOf(asked), 15_000).text).toBe(
      'In 45 s the draft is sent or, if none is there yet, the agent continues without advice.',
    );
    for (const none of [
      { ...asked, draft_failure: failure },
      { ...asked, condition: 'human' as const },
    ])
      expect(deadlineOf(item, draftStateOf(none), 15_000).text).toBe(
        'In 45 s the agent continues without advice.',
      );
  });
});

it('what a draft was made from is said in words, unknown being said as unknown', () => {
  expect(draftPrivilegeText(['reference'])).toBe(
    'The author of this draft had seen the reference solution; advice based on it is marked.',
  );
  expect(draftPrivilegeText(['reference'], true)).not.toContain('reference');
  expect(draftPrivilegeText(['criteria', 'reference'])).toContain(
    'what the verifier checks and the reference',
  );
  expect(draftPrivilegeText([])).toContain('without seeing the answer');
  expect(draftPrivilegeText('unknown')).toContain('not recorded');
});
