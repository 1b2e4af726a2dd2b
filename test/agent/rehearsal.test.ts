import { describe, expect, it } from 'vitest';
import { createConversation } from '../../src/main/agent/conversation.ts';
import { readMove } from '../../src/main/agent/readMove.ts';
import { createRehearsal } from '../../src/main/agent/rehearsal.ts';
import type { ChatMessage } from '../../src/main/llm/port.ts';
import type { DeliveredAs } from '../../src/shared/events/consultations.ts';
import type { Move } from '../../src/shared/events/turns.ts';
import type { RehearsalScript } from '../../src/shared/pack.ts';
import { shippedPrompts } from '../support/prompts.ts';

const prompts = shippedPrompts();
const TOOLS = ['find_user', 'add_member', 'read_team'].map((name) => ({
  name,
  description: '',
  input_schema: {},
}));
const SCRIPT: RehearsalScript = {
  attempts: [
    { say: 'First guess.', tool: 'add_member', args: { user: 'Ada' } },
    { say: 'Second guess.', tool: 'add_member', args: { user: 1 } },
  ],
  ask: { task: 'Add Ada', context: 'Both ways failed.' },
  final: 'Ada is a member now.',
};
const PLAN = '{"plan":[{"tool":"find_user","args":{"q":"Ada"}},{"tool":"add_member","args":{"user":7}}]}';

type Given = { as: DeliveredAs; text: string };
type Play = {
  protocol: 'native' | 'xml';
  script?: RehearsalScript | null;
  condition?: boolean;
  asks?: number;
  advice?: Given[];
  fails?: (move: Move) => boolean;
};

/** Plays a rehearsal to its end against the shipped texts; a new policy each turn, as after a restart. */
async function play({
  protocol,
  script = SCRIPT,
  condition = true,
  asks = 3,
  advice = [],
  fails = () => false,
}: Play): Promise<Move[]> {
  const conversation = createConversation({ prompts, protocol, canAsk: condition, deliveredChars: 3_000 });
  const left = [...advice];
  const messages: ChatMessage[] = conversation
    .opening({ task: 'Add Ada to the team.', tools: TOOLS })
    .map(({ role, content }) => ({ role: role === 'system' ? 'system' : 'user', content }));
  const moves: Move[] = [];
  let asked = 0;
  for (let turn = 0; turn < 20; turn += 1) {
    const policy = createRehearsal({ script, protocol });
    const request = {
      messages,
      tools: conversation.offered(TOOLS),
      protocol,
      canAsk: condition && asked < asks,
    };
    const reply = await policy.next(request, new AbortController().signal);
    const reading = readMove(reply, { protocol, tools: TOOLS });
    const { move } = reading;
    moves.push(move);
    messages.push({ role: 'assistant', content: reply.content, toolCalls: reply.toolCalls });
    if (move.type === 'final') return moves;
    if (move.type === 'ask_expert') asked += 1;
    const delivery =
      move.type === 'ask_expert'
        ? conversation.advice(reading, left.shift() ?? { as: 'nobody', text: '' }, [])
        : conversation.toolResponse(
            reading,
            fails(move) ? { text: null, error: 'no' } : { text: '{}', error: null },
            ['error', 'stall'],
          );
    const { content, toolCallId, name } = delivery;
    messages.push(
      toolCallId === null ? { role: 'user', content } : { role: 'tool', content, toolCallId, name },
    );
  }
  throw new Error('the rehearsal does not end');
}

const calls = (moves: readonly Move[]): string[] =>
  moves.map((move) =>
    move.type === 'call_tool' ? `${move.tool_name} ${JSON.stringify(move.arguments)}` : move.type,
  );
const final = (moves: readonly Move[]): string => {
  const last = moves.at(-1);
  return last?.type === 'final' && typeof last.text === 'string' ? last.text : '';
};
const ATTEMPTS = ['add_member {"user":"Ada"}', 'add_member {"user":1}'];

describe.each(['native', 'xml'] as const)('a rehearsal in the %s protocol', (protocol) => {
  it('tries as scripted, asks, carries out the advice call by call, and ends as scripted', async () => {
    const moves = await play({ protocol, advice: [{ as: 'advice', text: PLAN }] });

    expect(calls(moves)).toEqual([
      ...ATTEMPTS,
      'ask_expert',
      'find_user {"q":"Ada"}',
      'add_member {"user":7}',
      'final',
    ]);
    expect(final(moves)).toBe(SCRIPT.final);
  });

  it.each([
    { as: 'declined', text: 'Call add_member({"user": 7}) yourself.' },
    { as: 'timed_out', text: '' },
    { as: 'nobody', text: '' },
  ] as const)('ends without success when the ask is $as', async (given) => {
    const moves = await play({ protocol, advice: [given] });

    expect(calls(moves)).toEqual([...ATTEMPTS, 'ask_expert', 'final']);
    expect(final(moves)).toContain('could not finish');
  });

  it('asks once more when the advice names no call, and follows the second answer', async () => {
    const moves = await play({
      protocol,
      advice: [
        { as: 'advice', text: 'Think of her id.' },
        { as: 'advice', text: PLAN },
      ],
    });

    expect(calls(moves).slice(2)).toEqual([
      'ask_expert',
      'ask_expert',
      'find_user {"q":"Ada"}',
      'add_member {"user":7}',
      'final',
    ]);
  });

  it('says so when no advice names a call, or no ask is left', async () => {
    const words = { as: 'advice', text: 'Think of her id.' } as const;

    expect(final(await play({ protocol, advice: [words, words] }))).toContain('named no call');
    expect(final(await play({ protocol, asks: 1, advice: [words] }))).toContain('named no call');
  });

  it('does not claim success when an advised call failed', async () => {
    const fails = (move: Move): boolean => move.type === 'call_tool' && move.arguments['user'] === 7;
    const moves = await play({ protocol, advice: [{ as: 'advice', text: PLAN }], fails });

    expect(final(moves)).toContain('1 of 2 calls failed');
  });

  it('without a script tries the first tool, asks, and follows', async () => {
    const moves = await play({ protocol, script: null, advice: [{ as: 'advice', text: PLAN }] });

    expect(calls(moves)).toEqual([
      'find_user {}',
      'ask_expert',
      'find_user {"q":"Ada"}',
      'add_member {"user":7}',
      'final',
    ]);
    expect(moves[1]).toMatchObject({ task: 'Add Ada to the team.' });
  });
});
