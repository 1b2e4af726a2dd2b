// A model whose need of advice is known: it looks, asks once, and completes its task with one chance where it got advice
// and with another where it got none. It draws anew for each seed.
import { seededRandom } from '../../src/shared/statistics/random.ts';
import type { Completion } from './openaiServer.ts';

type Chances = { aided: number; alone: number };
type ChatLine = { role: string; content?: string | null; tool_calls?: { function: { name: string } }[] };

/** `chancesOf`: by the words of the task. */
export const plantedAgent =
  (chancesOf: (task: string) => Chances) =>
  (body: Record<string, unknown>): Completion => {
    const messages = body['messages'] as ChatLine[];
    const seed = String(body['seed']);
    const task = messages.find(({ role }) => role === 'user')?.content ?? '';
    const calls = messages.flatMap(({ tool_calls: made = [] }) => made.map(({ function: { name } }) => name));
    if (!calls.includes('look')) return call('look', {});
    const asked = messages.findIndex(({ tool_calls: made }) => made?.[0]?.function.name === 'ask_expert');
    if (asked === -1) return call('ask_expert', { task, context: 'I do not know how to begin.' });
    const isAided = !(messages[asked + 1]?.content ?? '').startsWith('No advice:');
    const { aided, alone } = chancesOf(task);
    const succeeds = seededRandom(`${seed} ${task}`)() < (isAided ? aided : alone);
    if (succeeds && !calls.includes('finish_task')) return call('finish_task', {});
    // It asks again: in a continuation nobody answers.
    const isAsking = calls.filter((name) => name === 'ask_expert').length < 2;
    return isAsking && task.includes('again')
      ? call('ask_expert', { task, context: 'And now?' })
      : { content: `This is all I can do (${seed}).` };
  };

const call = (name: string, args: Record<string, unknown>): Completion => ({
  toolCalls: [{ name, arguments: JSON.stringify(args) }],
});
