import { describe, expect, it } from 'vitest';
import { resultSentence } from '../../../src/shared/sentences/resultSentence.ts';

const say = (tool: string, value: unknown, args: Record<string, unknown> = {}): string =>
  resultSentence({ tool, args, text: typeof value === 'string' ? value : JSON.stringify(value) });

describe('a result in one line', () => {
  it('counts the records that a tool found, and names them', () => {
    const workflows = [{ workflow_id: 101, name: 'Weekly supplier digest', folder: 'Finance' }];

    expect(say('search_workflows', { workflows })).toBe('Found 1 workflow: Weekly supplier digest.');
    expect(say('search_workflows', { workflows: [] })).toBe('Found no workflows.');
    expect(say('list_runs', { runs: [{ run_id: 1 }, { run_id: 2 }] })).toBe('Found 2 runs.');
    expect(say('list_tags', { total: 7, tags: 'abcdefg'.split('').map((name) => ({ name })) })).toBe(
      'Found 7 tags: a, b, c, d, e and 2 more.',
    );
    expect(say('tag_workflow', { workflow_id: 1, tags: [{ name: 'internal' }] })).toBe('1 tag: internal.');
  });

  it('tells of a record what the call set, and its state, before anything else', () => {
    const changed = {
      workflow_id: 101,
      name: 'Weekly supplier digest',
      folder: 'Finance',
      description: 'Copies booked invoices from Ledgerly to the archive every night.',
      owner_name: 'Priya Raman',
      status: 'paused',
    };

    expect(say('set_workflow_status', changed, { workflow_id: 101, status: 'paused' })).toBe(
      'Weekly supplier digest: status paused, folder Finance, owner name Priya Raman.',
    );
    expect(say('get_workflow', { workflow: changed, steps: [] })).toContain(
      'Weekly supplier digest: status paused',
    );
    expect(say('subscribe', { subscription_id: 3, user_id: 4, channel: 'email', is_muted: false })).toBe(
      'Subscription: channel email, muted no.',
    );
  });

  it('tells rows of one name apart by the first fact in which they differ', () => {
    const absences = [
      { absence_id: 1, name: 'Ilse Brandt', kind: 'holiday', from: '2026-06-22' },
      { absence_id: 2, name: 'Ilse Brandt', kind: 'holiday', from: '2026-08-03' },
      { absence_id: 3, name: 'Meera Joshi', kind: 'holiday', from: '2026-06-22' },
    ];

    expect(say('list_absences', { absences })).toBe(
      'Found 3 absences: Ilse Brandt (from 2026-06-22), Ilse Brandt (from 2026-08-03), Meera Joshi.',
    );
  });

  it('never says of a result that it is right, whatever it holds', () => {
    const results = [
      { ok: true, success: true },
      { status: 'complete' },
      {},
      [],
      'OK',
      'null',
      { a: { b: {} } },
    ];
    for (const result of results)
      expect(say('do_it', result)).not.toMatch(/works|accepted|correct|approved/i);
  });
});
