import { describe, expect, it } from 'vitest';
import { claimOf } from '../../../src/main/gateway/link/episodeClaim.ts';
import { quotedIn, type QuotedMessage } from '../../../src/main/gateway/link/history.ts';
import { createLinker } from '../../../src/main/gateway/link/link.ts';
import { asked, createClock, ended, openLog, SYSTEM } from '../../support/log.ts';
import { openTapped, tappedCall } from '../../support/tapped.ts';

const NOBODY = { episode: null, by: 'none' as const };
const TASK = 'Rename the second workflow.';
const MISSING = 'Status code: 422. the id is missing';
const NOT_FOUND = 'Status code: 404. there is no workflow 17';

function open() {
  const log = openLog(':memory:', () => 1_000_000);
  const recorded = () => Promise.resolve(true);
  const linker = createLinker({ log, recorded, schedule: createClock().schedule });
  return {
    log,
    linker,
    words: (text: string) => linker.find(NOBODY, quotedIn([], text), true),
    messages: (messages: QuotedMessage[]) => linker.find(NOBODY, quotedIn(messages), true),
  };
}

const message = (role: string, text: string): QuotedMessage => ({ role, text, toolCallId: null, calls: [] });
/** A call and its result, as messages of a chat. */
const exchange = (id: string, name: string, result: string, args = '{}'): QuotedMessage[] => [
  { ...message('assistant', ''), calls: [{ id, name, arguments: args }] },
  { ...message('tool', result), toolCallId: id },
];

describe('which episode a question belongs to', () => {
  it('is the one that the client names, by its own id or ours', () => {
    const { log, linker } = open();
    openTapped(log, { id: 'e1', name: 'rollout-7' });
    openTapped(log, { id: 'e2', name: 'rollout-8' });
    const nothing = quotedIn([], 'anything');

    const own = linker.find({ episode: 'rollout-8', by: 'header' }, nothing, false);
    const ours = linker.find({ episode: 'e1', by: 'metadata' }, nothing, true);

    expect(own).toEqual({ episode: 'e2', link: { by: 'header', score: 1 } });
    expect(ours).toEqual({ episode: 'e1', link: { by: 'metadata', score: 1 } });
  });

  it('is none when the client names an episode that is not here or is over, whatever its request quotes', () => {
    const { log, linker } = open();
    openTapped(log, { id: 'e1', name: 'rollout-7' });
    openTapped(log, { id: 'e2', name: 'rollout-8' });
    tappedCall(log, 'e1', 1, 'rename_workflow', MISSING);
    log.append('e2', SYSTEM, ended());

    for (const episode of ['rollout-9', 'rollout-8']) {
      const told = quotedIn([], `rename_workflow() gave ${MISSING}`);
      expect(linker.find({ episode, by: 'header' }, told, true)).toEqual({
        episode: null,
        link: { by: 'none', score: 0, why: 'not_here' },
      });
    }
  });

  it('is never told by the task, not even where a single episode has it', () => {
    const { log, words } = open();
    openTapped(log, { id: 'e1' });

    expect(words(`TASK: ${TASK} Which one?`)).toEqual({
      episode: null,
      link: { by: 'none', score: 0, why: 'quotes_nothing' },
    });
  });

  it('is certain by a result that only one episode got, however it is quoted', () => {
    const { log, words } = open();
    for (const id of ['e1', 'e2', 'e3']) openTapped(log, { id });
    tappedCall(log, 'e1', 1, 'rename_workflow', MISSING);
    tappedCall(log, 'e2', 1, 'get_workflow', NOT_FOUND);

    for (const text of [
      `${TASK} I called rename_workflow and got: ${MISSING}`,
      JSON.stringify({ history: JSON.stringify([{ tool: 'rename_workflow', error: MISSING }]) }),
    ]) {
      expect(words(text)).toEqual({ episode: 'e1', link: { by: 'history', score: 1 } });
    }
  });

  it('is certain by the chat messages of the request, calls and results in order', () => {
    const { log, messages } = open();
    for (const id of ['e1', 'e2']) openTapped(log, { id });
    tappedCall(log, 'e1', 1, 'find_workflow');
    tappedCall(log, 'e2', 1, 'find_workflow');
    tappedCall(log, 'e2', 2, 'rename_workflow', MISSING);
    const first = [message('user', TASK), ...exchange('1', 'find_workflow', 'ok')];

    expect(messages(first).episode).toBe('e1');
    expect(messages([...first, ...exchange('2', 'rename_workflow', `Error: ${MISSING}`)]).episode).toBe('e2');
    // Another result than any of them got, and a call that none of them made last.
    expect(messages([...first, ...exchange('2', 'rename_workflow', 'done')]).episode).toBeNull();
    expect(messages([...exchange('2', 'rename_workflow', MISSING), ...first]).episode).toBeNull();
  });

  it('is none where several episodes did the same, one that was cut short among them', () => {
    const { log, words } = open();
    for (const id of ['e1', 'e2']) {
      openTapped(log, { id });
      tappedCall(log, id, 1, 'rename_workflow', MISSING);
    }
    const ambiguous = { episode: null, link: { by: 'none', score: 0, why: 'ambiguous' } };

    expect(words(`rename_workflow() -> ${MISSING}`)).toEqual(ambiguous);
    log.append('e2', SYSTEM, ended({ outcome: 'interrupted' }));
    expect(words(`rename_workflow() -> ${MISSING}`)).toEqual(ambiguous);
  });

  it('is not that of an episode which made the call that is only asked about', () => {
    const { log, words } = open();
    for (const id of ['e1', 'e2']) {
      openTapped(log, { id });
      tappedCall(log, id, 1, 'rename_workflow', MISSING);
    }
    tappedCall(log, 'e2', 2, 'get_workflow', NOT_FOUND);

    expect(words(`rename_workflow() gave ${MISSING}. Should I call get_workflow() next?`).episode).toBeNull();
  });

  it('is not that of an agent which waits for a result or for an answer, nor of one whose recording has a gap', () => {
    const { log, words } = open();
    openTapped(log, { id: 'e1' });
    tappedCall(log, 'e1', 1, 'rename_workflow', MISSING);
    const text = `rename_workflow() -> ${MISSING}`;
    expect(words(text).episode).toBe('e1');

    log.append('e1', SYSTEM, asked({ consultation: 'e1:c1', via: 'chat_completions' }));
    expect(words(text).episode).toBeNull();
    openTapped(log, { id: 'e2' });
    const gap = { kind: 'recording.gap' as const, from_at: 1, to_at: 2, frames: 1, reason: 'disk' };
    log.append('e2', SYSTEM, gap);
    expect(words(text).link.why).toBe('not_recorded');
  });

  it('is none while what the tap saw is not all in the log', () => {
    const { log, linker } = open();
    openTapped(log, { id: 'e1' });
    tappedCall(log, 'e1', 1, 'rename_workflow', MISSING);
    const told = quotedIn([], `rename_workflow() -> ${MISSING}`);

    expect(linker.find(NOBODY, told, false).link).toEqual({ by: 'none', score: 0, why: 'not_recorded' });
  });

  it('is found by the client’s own name after a restart, over or not', () => {
    const { log, linker } = open();
    openTapped(log, { id: 'e1', name: 'rollout-7' });
    log.append('e1', SYSTEM, ended());
    linker.close();

    const recorded = () => Promise.resolve(true);
    const restarted = createLinker({ log, recorded, schedule: createClock().schedule });

    expect(restarted.named('rollout-7')?.id).toBe('e1');
    expect(restarted.named('rollout-8')).toBeNull();
  });

  it('does not remember what nobody ever played', () => {
    const { log, linker } = open();

    expect(linker.named('no-such-episode')).toBeNull();
    expect(log.record('no-such-episode').n).toBe(0);
  });
});

describe('what a client says of its episode', () => {
  it('is in the header first, then in its metadata, with what its trainer says', () => {
    const metadata = {
      episode_id: 'm1',
      interject_run: 'r',
      interject_step: '12',
      interject_checkpoint: 'c',
    };

    expect(claimOf(new Headers({ 'X-Interject-Episode': 'h1' }), metadata)).toEqual({
      episode: 'h1',
      by: 'header',
      trainer: { run: 'r', step: 12, checkpoint: 'c', episode: 'h1' },
    });
    expect(claimOf(new Headers(), metadata)).toMatchObject({ episode: 'm1', by: 'metadata' });
    expect(claimOf(new Headers(), {})).toEqual({ episode: null, by: 'none', trainer: null });
  });
});
