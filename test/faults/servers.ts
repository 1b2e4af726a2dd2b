// The model of the product's agents, outside of it: it sees which advice they were given.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Model = { url: string; delivered: ReadonlySet<string>; close: () => void };

const THINKS_MS = 60;
const TURNS = 14;

type ChatRequest = {
  messages: { role: string; content: unknown }[];
  tools?: { function: { name: string } }[];
};

/** Every answer of the seat has a name of its own, and so has every question and every call. */
export const ANSWER = /A\[[^\]]+\]/g;
export const QUESTION = /Q\d+x/;

/** Asks an expert in every other turn, and calls a tool in the others. */
export async function startModel(): Promise<Model> {
  const delivered = new Set<string>();
  let asked = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      for (const [answer] of text.matchAll(ANSWER)) delivered.add(answer);
      asked += 1;
      const reply = completion(JSON.parse(text) as ChatRequest, asked);
      setTimeout(() => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(reply));
      }, THINKS_MS);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    delivered,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function completion({ messages, tools = [] }: ChatRequest, number: number): object {
  const turn = messages.filter(({ role }) => role === 'assistant').length;
  const names = tools.map(({ function: { name } }) => name);
  const unique = String(number);
  const call = names.includes('count')
    ? { name: 'count', arguments: { nonce: unique } }
    : { name: 'search_workflows', arguments: { query: `invoice ${unique}`, workspace_id: 1 } };
  const ask = { name: 'ask_expert', arguments: { context: `Which one is meant in Q${unique}x?` } };
  const chosen = turn % 2 === 0 && names.includes('ask_expert') ? ask : call;
  const message =
    turn >= TURNS
      ? { role: 'assistant', content: 'Done.' }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: `call_${unique}`,
              type: 'function',
              function: { name: chosen.name, arguments: JSON.stringify(chosen.arguments) },
            },
          ],
        };
  const finish_reason = turn >= TURNS ? 'stop' : 'tool_calls';
  return {
    id: 'completion',
    object: 'chat.completion',
    created: 0,
    model: 'faults',
    choices: [{ index: 0, message, finish_reason }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}
