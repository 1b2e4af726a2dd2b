// What a client is answered about its episode in the very moment its last call returned: its own count of its calls is
// the truth. The tap's process is real, and nothing waits between the calls.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApprovalRule } from '../../../src/shared/events/stepIns.ts';
import { serveDoors, type Doors } from '../../support/doors.ts';
import { ME } from '../../support/stepIn.ts';
import { startOpenAiServer } from '../../support/openaiServer.ts';
import { connect, openTap, type Client, type OpenTap } from '../../support/tap.ts';
import { type Served, serveWorlds } from '../../support/worlds.ts';

const ROLLOUTS = 20;
const CALLS = 6;
const ALL: ApprovalRule[] = [{ glob: '*', argument: null, does: 'ask', count: null }];

let worlds: Served;
let tap: OpenTap;
let doors: Doors;
beforeAll(async () => {
  worlds = await serveWorlds();
  tap = await openTap(worlds.url, { may_act: true });
  doors = await serveDoors({
    log: tap.log,
    recorded: () => tap.tap.recorded(),
    advises: () => 'Look first.',
  });
});
afterAll(async () => {
  await doors.close();
  await tap.close();
  await worlds.close();
});

const begin = async (name: string): Promise<Client> => {
  const client = await connect(tap.url);
  await client.reset({ scenario: 'loomline_workflows', task_idx: 0, interject_episode: name } as never);
  return client;
};
const toolCall = (at: number): Record<string, unknown> => ({
  role: 'assistant',
  content: '',
  tool_calls: [
    {
      id: `c${String(at)}`,
      type: 'function',
      function: { name: 'get_workflow', arguments: JSON.stringify({ workflow_id: at }) },
    },
  ],
});

/** Plays it to its end without a pause. Returns the chat that its client had. */
async function playThrough(client: Client): Promise<Record<string, unknown>[]> {
  const chat: Record<string, unknown>[] = [{ role: 'user', content: 'Look at the workflows.' }];
  for (let at = 1; at <= CALLS; at += 1) {
    const { data } = await client.call('get_workflow', { workflow_id: at });
    const content = JSON.stringify(data.observation);
    chat.push(toolCall(at), { role: 'tool', tool_call_id: `c${String(at)}`, content });
  }
  await client.call('verify', { final_answer: 'Done.' });
  await client.call('done');
  return chat;
}

const mask = async (name: string) => {
  const response = await fetch(`${doors.url}/episodes/${name}/mask`);
  return (await response.json()) as { code?: string; turns?: { turn: number }[]; touched?: number[] };
};
const tell = async (name: string, messages: unknown[]) => {
  const body = JSON.stringify({ messages });
  return (await fetch(`${doors.url}/episodes/${name}/messages`, { method: 'POST', body })).json();
};

describe('an answer about an episode whose calls have just returned', () => {
  it('names every turn in its mask, however fast the rollout was', async () => {
    const counted: (number | string)[] = [];
    for (let i = 0; i < ROLLOUTS; i += 1) {
      const client = await begin(`masked-${String(i)}`);
      await playThrough(client);
      const { turns, code } = await mask(`masked-${String(i)}`);
      counted.push(turns?.length ?? code ?? '');
      client.socket.close(1000);
    }

    expect(counted).toEqual(counted.map(() => CALLS));
  });

  it('places everything that is told of it', async () => {
    const told: unknown[] = [];
    for (let i = 0; i < ROLLOUTS; i += 1) {
      const client = await begin(`told-${String(i)}`);
      told.push(await tell(`told-${String(i)}`, await playThrough(client)));
      client.socket.close(1000);
    }

    const whole = { transcribed: [1, 2, 3, 4, 5, 6], unmatched: [], without_text: [], is_complete: true };
    for (const answer of told) expect(answer).toMatchObject(whole);
  });

  it('is right for many clients that end in the same moment', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `crowd-${String(i)}`);
    const counted = await Promise.all(
      names.map(async (name) => {
        const client = await begin(name);
        await playThrough(client);
        const { turns } = await mask(name);
        client.socket.close(1000);
        return turns?.length;
      }),
    );

    expect(counted).toEqual(names.map(() => CALLS));
  });

  it('says which turn a person changed', async () => {
    for (let i = 0; i < 5; i += 1) {
      const name = `changed-${String(i)}`;
      const client = await begin(name);
      await mask(name);
      const [id = ''] = (await tap.episodes()).slice(-1);
      await tap.commands['policy.set']({ episode: id, rules: ALL }, ME);
      await tap.tap.settled();
      const answer = client.call('get_workflow', { workflow_id: 1 });
      await tap.until(id, ({ turns }) => turns.at(-1)?.call?.held);
      const edited = { tool_name: 'list_workspaces', arguments: {}, reason: null, is_unchecked: true };
      const about = {
        episode: id,
        call: 't1',
        seen_seq: 1,
        timing: { first_seen_at: null, active_ms: null },
      };
      await tap.commands['call.decide']({ act: 'edit', ...about, ...edited }, ME);
      await answer;

      expect(await mask(name)).toMatchObject({ touched: [1] });
      client.socket.close(1000);
    }
  }, 30_000);

  it('belongs to it when it is a question: the turn of the question comes after every call', async () => {
    for (let i = 0; i < 5; i += 1) {
      const name = `asking-${String(i)}`;
      const client = await begin(name);
      for (let at = 1; at <= CALLS; at += 1) await client.call('get_workflow', { workflow_id: at });
      await doors
        .openai()
        .chat.completions.create(
          { model: 'expert-draft', messages: [{ role: 'user', content: 'What now?' }] },
          { headers: { 'X-Interject-Episode': name } },
        );
      const { turns } = await mask(name);

      expect(turns?.map(({ turn }) => turn)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      client.socket.close(1000);
    }
  });

  it('says that nobody played an episode of that name', async () => {
    expect(await mask('no-such-rollout')).toMatchObject({ code: 'not_found' });
  });
});

describe('an answer while the log is behind', () => {
  const ask = (url: string, path: string, body: object | null, episode: string | null) =>
    fetch(`${url}${path}`, {
      method: body === null ? 'GET' : 'POST',
      body: body === null ? null : JSON.stringify(body),
      headers: episode === null ? {} : { 'X-Interject-Episode': episode },
    });

  it('is that it is not yet recorded and when to ask again, never a wrong one', async () => {
    const behind = await serveDoors({
      log: tap.log,
      recorded: () => Promise.resolve(false),
      advises: () => 'Look first.',
    });
    const messages = [{ role: 'user', content: 'What now?' }];
    const asked = { model: 'expert-draft', messages };
    const refused = [
      await ask(behind.url, '/episodes/masked-1/mask', null, null),
      await ask(behind.url, '/episodes/masked-1/messages', { messages }, null),
      await ask(behind.url, '/v1/chat/completions', asked, 'masked-1'),
    ];
    for (const response of refused) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await response.text()).toContain('not yet recorded');
    }
    // A question that names no episode is asked all the same, and linked to none.
    expect((await ask(behind.url, '/v1/chat/completions', asked, null)).status).toBe(200);
    await behind.close();
  });
});

it('the conversation that passes by to the agent’s own model is kept of the first request already, sent the moment the reset returned', async () => {
  const server = await startOpenAiServer(() => ({ content: 'I look.' }));
  const agent = {
    provider: 'openai' as const,
    baseUrl: server.url,
    apiKey: 'k',
    model: 'm',
    apiVersion: null,
  };
  const proxied = await serveDoors({ log: tap.log, recorded: () => tap.tap.recorded(), agent });
  for (let i = 0; i < 5; i += 1) {
    const name = `heard-${String(i)}`;
    const client = await begin(name);
    const response = await fetch(`${proxied.url}/agent/v1/chat/completions`, {
      method: 'POST',
      headers: { 'X-Interject-Episode': name, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Begin.' }] }),
    });
    await response.text();
    await client.call('done');
    client.socket.close(1000);
    await mask(name);
    const [id = ''] = (await tap.episodes()).slice(-1);
    const record = await tap.until(id, ({ ended, conversation }) => ended && conversation);
    expect(record.conversation).not.toBeNull();
  }
  await proxied.close();
  await server.close();
}, 30_000);
