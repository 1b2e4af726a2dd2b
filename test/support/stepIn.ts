// An episode against a scripted environment, stepped into through the real commands; its model is a list of replies.
import type { Policy } from '../../src/main/agent/policy.ts';
import { stepInCommands } from '../../src/main/commands/stepIns.ts';
import type { LlmReply } from '../../src/main/llm/port.ts';
import { waitFor } from '../../src/main/log/waitFor.ts';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import type { ApprovalRule } from '../../src/shared/events/stepIns.ts';
import { createFlow, spec } from './flow.ts';

const TIMING = { first_seen_at: null, active_ms: null };
export const ME = { seat: 'seat-one' };
const never = new AbortController().signal;

export const reply = (over: Partial<LlmReply>): LlmReply => ({
  content: '',
  reasoning: null,
  toolCalls: [],
  model: 'scripted-model',
  stopReason: 'stop',
  usage: { input_tokens: 100, output_tokens: 10 },
  ...over,
});
let lastCall = 0;
export const native = (name: string, args: object = {}): LlmReply =>
  reply({ toolCalls: [{ id: `n${String((lastCall += 1))}`, name, arguments: JSON.stringify(args) }] });
export const replies = (...list: LlmReply[]): Policy => ({
  next: () => Promise.resolve(list.shift() ?? reply({ content: 'I am done.' })),
});
export const ASK_ALL: ApprovalRule[] = [{ glob: '*', argument: null, does: 'ask', count: null }];

/** Starts it at the address, without an expert unless told otherwise. */
export function startStepIn(url: string, policy: Policy, over: Parameters<typeof spec>[1] = {}) {
  const flow = createFlow({ policy });
  let lastId = 0;
  const commands = stepInCommands({ ...flow, newId: () => `x${String((lastId += 1))}` });
  const { id, ended } = flow.supervisor.start(spec(url, { condition: 'none', ...over }));
  const until = (look: (record: EpisodeRecord) => unknown) =>
    waitFor(flow.log, id, (record) => (look(record) ? record : null), never);
  const control = (
    act: 'pause' | 'resume' | 'step' | 'take_over' | 'set_aside' | 'hand_back',
    more: object = {},
  ) =>
    commands['episode.control'](
      { episode: id, act, at_once: false, reason: null, note: null, is_discarded: false, ...more },
      ME,
    );
  const held = () =>
    until((record) => record.turns.at(-1)?.call?.held && record.turns.at(-1)?.call?.decision === null);
  const about = (call: string) => ({ episode: id, call, seen_seq: 1, timing: TIMING });
  return { ...flow, commands, id, ended, until, control, held, about };
}

/** Calls wait as the rules say; without rules, every call. */
export const asking = (rules: ApprovalRule[] = ASK_ALL) => ({
  approval: { rules, deadline_ms: null, fallback: 'wait' as const },
});
