// Owns: a chat endpoint that answers when it is told to, so that a test decides when a draft arrives.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type SlowExpert = {
  url: string;
  /** Answers the oldest request that waits, or the next one that comes. */
  answer: (text: string) => Promise<void>;
  /** Refuses it for good. */
  refuse: () => Promise<void>;
  close: () => Promise<void>;
};

/** The settings of a server whose expert model it is. */
export const modelEnvironment = ({ url }: SlowExpert): Record<string, string> => ({
  INTERJECT_EXPERT_BASE_URL: url,
  INTERJECT_EXPERT_API_KEY: 'test-key',
  INTERJECT_EXPERT_MODEL: 'slow-expert',
});

export async function startSlowExpert(): Promise<SlowExpert> {
  const waiting: ServerResponse[] = [];
  const takers: ((response: ServerResponse) => void)[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const taker = takers.shift();
      if (taker === undefined) waiting.push(response);
      else taker(response);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const take = (): Promise<ServerResponse> => {
    const open = waiting.shift();
    return open === undefined ? new Promise((done) => takers.push(done)) : Promise.resolve(open);
  };
  const reply = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    answer: async (text) =>
      reply(await take(), 200, {
        id: 'completion',
        object: 'chat.completion',
        created: 0,
        model: 'slow-expert',
        choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    refuse: async () =>
      reply(await take(), 401, { error: { message: 'the key is not known here', code: 'invalid_api_key' } }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
