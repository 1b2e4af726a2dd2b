import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createBridgeDoor } from '../../src/main/desktop/bridgeDoor.ts';
import { readMessage } from '../../src/main/hosts/serveSocket.ts';
import type { App } from '../../src/main/app/types.ts';
import type { EventLog } from '../../src/main/log/eventLog.ts';
import type { LlmReply } from '../../src/main/llm/port.ts';
import { createBridgeTransport } from '../../src/renderer/client/bridge.ts';
import { numberFromText } from '../../src/renderer/parts/call/schemaForm.ts';
import { sheetOf, withArgument } from '../../src/renderer/parts/plan/planText.ts';
import { type Method, routes } from '../../src/shared/contract/contract.ts';
import { parseJson } from '../../src/shared/json.ts';
import { spanAt, withChanges } from '../../src/shared/jsonSpans.ts';
import type { JsonObject } from '../../src/shared/events/turns.ts';
import { numbersIn, randomJson, randomNumber, randomObject, seeded, tokensOf } from '../support/exactJson.ts';
import { serveRaw } from '../support/rawServer.ts';
import { ASK_ALL, asking, ME, replies, reply, startStepIn } from '../support/stepIn.ts';
import { connect, openTap, type OpenTap } from '../support/tap.ts';

const VALUES = 100_000;
const TIMING = { first_seen_at: null, active_ms: null };
/** As many in one call as a person would never see at once. */
const A_CALL = 5_000;

let world: Awaited<ReturnType<typeof serveRaw>>;
const opened: OpenTap[] = [];
beforeAll(async () => {
  world = await serveRaw();
});
afterEach(async () => {
  world.frames.length = 0;
  for (const one of opened.splice(0)) await one.close();
});
afterAll(() => world.close());

/** Objects of arguments that hold about so many numbers together. */
function* argumentTexts(seed: number, count: number): Generator<string> {
  const random = seeded(seed);
  for (let made = 0; made < count;) {
    const left = Math.min(A_CALL, count - made) * 1.6;
    const text = randomObject([
      ['amount', randomNumber(random)],
      ['rest', randomJson(random, left)],
      ['last', randomNumber(random)],
    ]);
    made += numbersIn(text);
    yield text;
  }
}

/** A client of a tap whose every call waits for a person. */
async function playHeld() {
  const tapped = await openTap(world.url, { may_act: true });
  opened.push(tapped);
  const client = await connect(tapped.url);
  await client.reset();
  const [id = ''] = await tapped.episodes();
  await tapped.until(id, ({ reset }) => reset);
  await tapped.commands['policy.set']({ episode: id, rules: ASK_ALL }, ME);
  await tapped.tap.settled();
  return { tapped, client, id };
}

/** The commands as a window of the desktop app reaches them. */
function windowOn(commands: OpenTap['commands']) {
  const app = {
    route: (method: Method, input: unknown) =>
      (commands as Record<string, (input: unknown, caller: object) => Promise<unknown>>)[method]?.(
        routes[method].input.parse(input),
        ME,
      ),
    subscribe: () => () => undefined,
  } as unknown as App;
  const door = createBridgeDoor(app, 'app://console');
  const sender = { url: 'app://console/index.html', send: () => undefined };
  return createBridgeTransport(
    {
      request: async (...asked) => structuredClone(await door.request(sender, ...structuredClone(asked))),
      subscribe: () => () => undefined,
    },
    'seat-one',
  );
}

/** The arguments of a held call as the desk of a console has them. */
function onTheDesk({ log }: { log: EventLog }, call: string): JsonObject {
  const item = log.projections.holds(100).find((one) => one.call?.id === call);
  return parseJson(JSON.stringify(item?.call?.arguments)) as JsonObject;
}

const argumentsIn = (frame: string): string => {
  const span = spanAt(frame, ['data', 'arguments']);
  return span === null ? '' : frame.slice(span.from, span.to);
};

describe('a number that JavaScript would write otherwise', () => {
  it('is written as it was read, in each of 100,000 random values', () => {
    let count = 0;
    for (const text of argumentTexts(1, VALUES)) {
      expect(tokensOf(JSON.stringify(parseJson(text)))).toEqual(tokensOf(text));
      count += numbersIn(text);
    }
    expect(count).toBeGreaterThanOrEqual(VALUES);
  });

  it('stays byte for byte where something beside it is edited', () => {
    for (const text of argumentTexts(2, VALUES)) {
      const value = parseJson(text) as JsonObject;
      const { last: _, ...left } = value;

      const changed = withChanges(
        text,
        { from: 0, to: text.length },
        { ...left, amount: parseJson('2.50'), more: [] },
      );

      const { from = 0, to = 0 } = spanAt(text, ['rest']) ?? {};
      expect(changed).toBe(`{"amount": 2.50, "rest": ${text.slice(from, to)}, "more": []}`);
    }
  });

  it('is sent with the digits that a person types into a field or changes beside it in a plan', () => {
    const random = seeded(3);
    const changed: string[] = [];
    for (let made = 0; made < VALUES; made += 1) {
      const written = randomNumber(random);
      const isWhole = !/[eE]/.test(written) && made % 2 === 0;
      if (JSON.stringify(numberFromText(written, { isWhole })) !== written) changed.push(written);
      if (made % 100 > 0) continue;
      const plan = `{"plan": [{"tool": "pay", "args": {"amount": ${written}, "n": 1}}]}`;
      expect(withArgument(plan, 0, 'n', 2)).toBe(plan.replace('"n": 1', '"n": 2'));
      expect(JSON.stringify(sheetOf(plan).steps[0]?.args['amount'])).toBe(written);
    }
    expect(changed).toEqual([]);
  });
});

describe('a call with such numbers', () => {
  const call = (text: string, at: number): LlmReply =>
    reply({ toolCalls: [{ id: `n${String(at)}`, name: 'set_values', arguments: text }] });
  const tagged = (text: string): LlmReply =>
    reply({
      content: `<tool_call>\n{"name": "call_tool", "arguments": {"tool_name": "set_values", "arguments": ${text}}}\n</tool_call>`,
    });
  const texts = [...argumentTexts(4, VALUES)];
  const many = { time_ms: 600_000, stall_steps: 10_000, delivered_chars: 24_000 };
  const limits = { turns: texts.length + 2, consultations: 0, ...many };

  it.each(['native', 'xml'] as const)(
    'of an own agent (%s) reaches the environment as the model wrote it, approved or edited beside them',
    async (protocol) => {
      const list = texts.map((text, at) => (protocol === 'native' ? call(text, at) : tagged(text)));
      const agent = { policy: 'chat', protocol, model: 'm' } as const;
      const one = startStepIn(world.url, replies(...list), { ...asking(), agent, limits });
      const seat = windowOn(one.commands);
      for (const [at] of texts.entries()) {
        const { turns } = await one.until(
          (record) => record.turns.length > at && record.turns.at(-1)?.call?.held,
        );
        const about = one.about(turns.at(-1)?.call?.id ?? '');
        if (at % 2 === 0) await seat.call('call.decide', { act: 'approve', ...about, similar: false });
        else
          await seat.call('call.decide', {
            act: 'edit',
            ...about,
            tool_name: 'set_values',
            arguments: { ...onTheDesk(one, about.call), last: 'mended' },
            reason: null,
            is_unchecked: true,
          });
      }
      await one.ended;

      const wanted = texts.map((text, at) =>
        at % 2 === 0 ? text : text.replace(/"last": [^,]+\}$/, '"last": "mended"}'),
      );
      expect(world.frames.map((frame) => tokensOf(argumentsIn(frame)))).toEqual(wanted.map(tokensOf));
    },
  );

  it('of a client of the tap passes byte for byte when it is approved, and but for the edited place when it is edited', async () => {
    const { tapped, client, id } = await playHeld();
    const seat = windowOn(tapped.commands);
    const wanted: string[] = [];
    for (const [at, text] of texts.entries()) {
      const frame = `{ "type":"step" ,"data": {"tool_name":"set_values","type":"call_tool", "arguments":${text}} }`;
      const answer = client.raw(frame);
      const { turns } = await tapped.until(
        id,
        (record) => record.turns.length > at && record.turns.at(-1)?.call?.held,
      );
      const about = { episode: id, call: turns.at(-1)?.callId ?? '', seen_seq: 1, timing: TIMING };
      if (at % 2 === 0) await seat.call('call.decide', { act: 'approve', ...about, similar: false });
      else
        await seat.call('call.decide', {
          act: 'edit',
          ...about,
          tool_name: 'set_values',
          arguments: { ...onTheDesk(tapped, about.call), last: 'mended' },
          reason: null,
          is_unchecked: true,
        });
      await answer;
      wanted.push(at % 2 === 0 ? frame : frame.replace(/"last": [^,]+\}\} \}$/, '"last": "mended"}} }'));
    }

    expect(world.frames).toEqual(wanted);
  });

  it('with two keys of one name passes untouched, and is replaced as a whole when it is edited', async () => {
    const { tapped, client, id } = await playHeld();
    const frame =
      '{"type":"step","data":{"type":"call_tool","tool_name":"set_values","arguments":{"a":1.0,"a":2.0,"b":3}}}';
    const held = (turns: number) =>
      tapped.until(id, (record) => record.turns.length === turns && record.turns.at(-1)?.call?.held);
    const about = { episode: id, seen_seq: 1, timing: TIMING };

    const first = client.raw(frame);
    const { turns } = await held(1);
    await tapped.commands['call.decide']({ act: 'approve', ...about, call: 't1', similar: false }, ME);
    await first;
    const second = client.raw(frame);
    await held(2);
    const edit = { tool_name: 'set_values', arguments: { a: 2, b: 4 }, reason: null, is_unchecked: true };
    await tapped.commands['call.decide']({ act: 'edit', ...about, call: 't2', ...edit }, ME);
    await second;

    expect(turns[0]?.repairs).toEqual(['duplicate_keys']);
    expect(world.frames).toEqual([frame, frame.replace(/\{"a".*?\}/, '{"a":2,"b":4}')]);
  });
});

it('a task that a client names as 3.0 is task 3', async () => {
  const tapped = await openTap(world.url);
  opened.push(tapped);
  const client = await connect(tapped.url);
  await client.raw('{"type":"reset","data":{"scenario":"s","task_idx":3.0}}');
  const [id = ''] = await tapped.episodes();
  const { started } = await tapped.until(id, ({ reset }) => reset);

  expect(started?.task_idx).toBe(3);
});

it('a program that writes 10.0 for a count is understood, and what it sends to an environment keeps its digits', () => {
  const decide = '{"act":"edit","arguments":{"amount":1.10},"timing":{"active_ms":1200.0}}';
  const message = readMessage(
    Buffer.from(`{"type":"request","id":1,"method":"call.decide","input":${decide}}`),
  );

  expect(JSON.stringify(message)).toContain(decide.replace('1200.0', '1200'));
});
