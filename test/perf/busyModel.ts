// Owns: a model that keeps agents busy: every other episode asks an expert and waits, the rest call a tool again and
// again, each turn after a pause as long as a small model's reply.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type BusyModel = {
  url: string;
  /** When each question went out, in ms of this process's clock. */
  askedAt: readonly number[];
  close: () => void;
};

const THINKS_MS = 1_000;

type Message = { role: string; content: string | null; tool_calls?: { function: { name: string } }[] };

/** One of `oneAskingOf` episodes asks. */
export async function startBusyModel({ oneAskingOf = 2 } = {}): Promise<BusyModel> {
  let episodes = 0;
  const askedAt: number[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { messages } = JSON.parse(text) as { messages: Message[] };
      const isFirst = !messages.some(({ role }) => role === 'assistant');
      if (isFirst) episodes += 1;
      const isAsking = isFirst && episodes % oneAskingOf === 0;
      setTimeout(() => {
        if (isAsking) askedAt.push(performance.now());
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(completion(isAsking, messages.length)));
      }, THINKS_MS);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    askedAt,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function completion(isAsking: boolean, turn: number): object {
  const call = isAsking
    ? {
        name: 'ask_expert',
        arguments: { context: `Which of them is meant? I have looked ${String(turn)} times.` },
      }
    : { name: 'search_workflows', arguments: { query: `invoice ${String(turn)}`, workspace_id: 1 } };
  const tool_calls = [
    {
      id: `call_${String(turn)}`,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    },
  ];
  return {
    id: 'completion',
    object: 'chat.completion',
    created: 0,
    model: 'busy',
    choices: [
      { index: 0, message: { role: 'assistant', content: null, tool_calls }, finish_reason: 'tool_calls' },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}
