import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serveWorlds } from '../../support/worlds.ts';

// Every answer below was given, byte for byte, by the Python server of the Agent World Model to the same frames, but
// for the scenario's own words and the words of `msg` and `message`. The help addresses carry pydantic's version.
let served: Served;
beforeAll(async () => {
  served = await serveWorlds();
});
afterAll(() => served.close());

const TASK =
  'The purchasing team at Harbor & Pine Logistics no longer wants its \\"Weekly supplier digest\\" while suppliers are renegotiated. Pause that workflow.';
const call = (tool: string, args?: string): string =>
  `{"type":"step","data":{"type":"call_tool","tool_name":"${tool}"${args === undefined ? '' : `,"arguments":${args}`}}}`;
const step = (data: string): string => `{"type":"step","data":${data}}`;
const RESET = '{"type":"reset","data":{"scenario":"Loomline Workflows","task_idx":1,"episode_id":"mine"}}';
const observation = (inside: string, reward: string, done = 'false'): string =>
  `{"type":"observation","data":{"observation":{"metadata":{},${inside}},"reward":${reward},"done":${done}}}`;
const invalid = (errors: string): string =>
  `{"type":"error","data":{"message":"Invalid message","code":"VALIDATION_ERROR","errors":[${errors}]}}`;
const url = (type: string): string => `"url":"https://errors.pydantic.dev/2.14/v/${type}"`;
const extra = (loc: string, input: string): string =>
  `{"type":"extra_forbidden","loc":[${loc}],"msg":"Extra inputs are not permitted","input":${input},${url('extra_forbidden')}}`;
const notObject = (loc: string, input: string): string =>
  `{"type":"dict_type","loc":[${loc}],"msg":"Input should be a valid dictionary","input":${input},${url('dict_type')}}`;
const missing = (loc: string, input: string): string =>
  `{"type":"missing","loc":[${loc}],"msg":"Field required","input":${input},${url('missing')}}`;
const rpcError = (id: string, code: number, message: string): string =>
  `{"type":"mcp","data":{"jsonrpc":"2.0","id":${id},"error":{"code":${String(code)},"message":"${message}","data":null}}}`;

type Exchange = [sent: string, answer: string];

async function expectExchanges(exchanges: Exchange[]): Promise<void> {
  const client = await served.talk();
  const answers: string[] = [];
  for (const [sent] of exchanges) answers.push(await client.raw(sent));
  client.socket.close();
  expect(answers).toEqual(exchanges.map(([, answer]) => answer));
}

const NOT_RUNNING = '"error":"Sub-environment is not running. Call reset() first."';
const NOT_READY = 'environment not initialized (reset failed or not called)';
const ENDED = observation(
  '"reward_type":"episode_already_done","error":"Episode has ended. Call reset() to start a new episode."',
  'null',
  'true',
);

describe('the frames of a world', () => {
  it('before a reset: nothing runs, every step counts, done ends it', () =>
    expectExchanges([
      ['{"type":"state"}', '{"type":"state","data":{"episode_id":null,"step_count":0}}'],
      [step('{"type":"list_tools"}'), observation(`"tools":[],${NOT_RUNNING}`, 'null')],
      [call('ping'), observation(`"reward_type":"server_error","tool_name":"ping",${NOT_RUNNING}`, '0.0')],
      [
        call('verify'),
        observation(`"reward_type":"server_error","error":"Cannot verify: ${NOT_READY}"`, '0.0'),
      ],
      ['{"type":"state"}', '{"type":"state","data":{"episode_id":null,"step_count":3}}'],
      [
        call('done'),
        observation(`"reward_type":"server_error","error":"Cannot call done: ${NOT_READY}"`, '0.0', 'true'),
      ],
      [step('{"type":"list_tools"}'), ENDED],
      ['{"type":"state"}', '{"type":"state","data":{"episode_id":null,"step_count":4}}'],
    ]));

  it('an episode: reset, calls that fail in several ways, verify before done, and after done', () => {
    const about = `"scenario":"loomline_workflows","task":"${TASK}","task_idx":1`;
    const verdict = '{"result":"others","execution_status":"success","raw_result":{"result":"others"}}';
    return expectExchanges([
      [
        RESET,
        observation(
          `"reward_type":"reset_ok",${about},"has_verifier":{"sql":false,"code":true},"num_tools":25`,
          'null',
        ),
      ],
      [
        call('get_run', '{}'),
        observation(
          '"reward_type":"invalid_args","tool_name":"get_run","error":"Error calling get_run. Status code: 422. Response: {\\"detail\\":[{\\"type\\":\\"missing\\",\\"loc\\":[\\"query\\",\\"run_id\\"],\\"msg\\":\\"Field required\\",\\"input\\":{}}]}"',
          '-1.0',
        ),
      ],
      [
        call('cancel_run', '{"run_id":"abc"}'),
        observation(
          '"reward_type":"server_error","tool_name":"cancel_run","error":"Error calling cancel_run. Status code: 422. Response: {\\"detail\\":[{\\"type\\":\\"int_parsing\\",\\"loc\\":[\\"body\\",\\"run_id\\"],\\"msg\\":\\"Input should be a valid integer\\",\\"input\\":\\"abc\\"}]}"',
          '0.0',
        ),
      ],
      [
        call('get_run', '{"run_id":7}'),
        observation(
          '"reward_type":"tool_not_found","tool_name":"get_run","error":"Error calling get_run. Status code: 404. Response: {\\"detail\\":\\"Run 7 not found\\"}"',
          '-1.0',
        ),
      ],
      [
        call('fly', '{}'),
        observation('"reward_type":"tool_not_found","tool_name":"fly","error":"Unknown tool: fly"', '-1.0'),
      ],
      [
        call('unsubscribe_user', '{"subscription_id":804}'),
        observation(
          '"reward_type":"tool_call_ok","tool_name":"unsubscribe_user","tool_result":"{\\n  \\"subscription_id\\": 804,\\n  \\"is_removed\\": true\\n}"',
          '0.0',
        ),
      ],
      [
        call('verify', '{"final_answer":"Paused."}'),
        observation(`"reward_type":"others",${about},"verify_result":${verdict},"steps_taken":6`, '0.0'),
      ],
      [
        call('verify', '{"verifier_mode":"sql"}'),
        observation(
          `"reward_type":"no_verifier",${about},"error":"No sql verifier available for this task"`,
          '0.0',
        ),
      ],
      [
        call('verify', '{"verifier_mode":null}'),
        observation(
          `"reward_type":"invalid_args","error":"Invalid verifier_mode null. Must be one of: code, sql"`,
          '-1.0',
        ),
      ],
      ['{"type":"state"}', '{"type":"state","data":{"episode_id":"mine","step_count":8}}'],
      [
        call('fly'),
        observation('"reward_type":"tool_not_found","tool_name":"fly","error":"Unknown tool: fly"', '-1.0'),
      ],
    ]);
  });

  it('a reset that fails is an observation; one with a value of the wrong kind is an execution error', () =>
    expectExchanges([
      [
        '{"type":"reset"}',
        observation(`"reward_type":"reset_error","error":"Parameter 'scenario' is required"`, 'null'),
      ],
      [
        '{"type":"reset","data":{"scenario":"Nope Thing"}}',
        observation(`"reward_type":"reset_error","error":"Scenario 'Nope Thing' not found"`, 'null'),
      ],
      [
        '{"type":"reset","data":{"scenario":"loomline_workflows","task_idx":10}}',
        observation('"reward_type":"reset_error","error":"task_idx 10 out of range (0..9)"', 'null'),
      ],
      [
        '{"type":"reset","data":{"scenario":5}}',
        `{"type":"error","data":{"message":"scenario must be a text","code":"EXECUTION_ERROR"}}`,
      ],
      [
        '{"type":"reset","data":{"scenario":"loomline_workflows","task_idx":"0"}}',
        `{"type":"error","data":{"message":"task_idx must be a whole number","code":"EXECUTION_ERROR"}}`,
      ],
      [
        '{"type":"reset","data":{"scenario":"loomline_workflows","task":5}}',
        invalid(
          `{"type":"string_type","loc":["task"],"msg":"Input should be a valid string","input":5,${url('string_type')}}`,
        ),
      ],
    ]));

  it('a task of its own words has no verifier', () =>
    expectExchanges([
      [
        '{"type":"reset","data":{"scenario":"loomline_workflows","task":"Have a look.","seed":7,"colour":"red"}}',
        observation(
          '"reward_type":"reset_ok","scenario":"loomline_workflows","task":"Have a look.","num_tools":25',
          'null',
        ),
      ],
      [
        call('verify', '{}'),
        observation('"reward_type":"no_verifier","error":"Cannot verify: no task specified at reset"', '0.0'),
      ],
    ]));

  it('reward_config replaces every default, and numbers are given back as they came', () =>
    expectExchanges([
      [
        '{"type":"reset","data":{"scenario":"loomline_workflows","reward_config":{"tool_call_ok":0.01,"format_error":-3}}}',
        observation('"reward_type":"reset_ok","scenario":"loomline_workflows","num_tools":25', 'null'),
      ],
      [
        call('unsubscribe_user', '{"subscription_id":804}'),
        observation(
          '"reward_type":"tool_call_ok","tool_name":"unsubscribe_user","tool_result":"{\\n  \\"subscription_id\\": 804,\\n  \\"is_removed\\": true\\n}"',
          '0.01',
        ),
      ],
      [
        call('fly', '{}'),
        observation('"reward_type":"tool_not_found","tool_name":"fly","error":"Unknown tool: fly"', '-3'),
      ],
    ]));

  it('reward_config leaves nothing of the defaults but what a format error costs', async () => {
    const client = await served.talk();
    await client.raw(
      '{"type":"reset","data":{"scenario":"loomline_workflows","task_idx":1,"reward_config":{"tool_call_ok":0.01}}}',
    );
    await client.raw(call('set_workflow_status', '{"workflow_id":103,"status":"paused"}'));

    const complete = await client.raw(call('verify', '{}'));

    expect(complete).toContain('"reward_type":"complete"');
    expect(complete).toContain('"reward":0.0,');
    expect(await client.raw(call('fly', '{}'))).toContain('"reward":-1.0,');
  });

  it('envelopes and actions that are not as they should be, each error with its place and input', () =>
    expectExchanges([
      [
        '{"type":"nope"}',
        '{"type":"error","data":{"message":"Unknown message type: nope","code":"UNKNOWN_TYPE"}}',
      ],
      ['{}', '{"type":"error","data":{"message":"Unknown message type: ","code":"UNKNOWN_TYPE"}}'],
      [
        '{"type":null}',
        '{"type":"error","data":{"message":"Unknown message type: null","code":"UNKNOWN_TYPE"}}',
      ],
      ['{"type":"state","data":{}}', invalid(extra('"data"', '{}'))],
      ['{"type":"close","x":1}', invalid(extra('"x"', '1'))],
      ['{"type":"reset","x":1,"y":"z"}', invalid(`${extra('"x"', '1')},${extra('"y"', '"z"')}`)],
      ['{"type":"reset","data":[]}', invalid(notObject('"data"', '[]'))],
      ['{"type":"step"}', invalid(missing('"data"', '{"type":"step"}'))],
      [step('"a"'), invalid(notObject('"data"', '"a"'))],
      [
        step('{}'),
        invalid(
          `{"type":"union_tag_not_found","loc":[],"msg":"Input should name its type","input":{},"ctx":{"discriminator":"'type'"},${url('union_tag_not_found')}}`,
        ),
      ],
      [
        step('{"type":"x"}'),
        invalid(
          `{"type":"union_tag_invalid","loc":[],"msg":"Input is of no known type","input":{"type":"x"},"ctx":{"discriminator":"'type'","tag":"x","expected_tags":"'list_tools', 'call_tool'"},${url('union_tag_invalid')}}`,
        ),
      ],
      [step('{"type":"call_tool"}'), invalid(missing('"call_tool","tool_name"', '{"type":"call_tool"}'))],
      [
        step('{"type":"call_tool","tool_name":5,"arguments":"{}","extra":1}'),
        invalid(
          `{"type":"string_type","loc":["call_tool","tool_name"],"msg":"Input should be a valid string","input":5,${url('string_type')}},${notObject('"call_tool","arguments"', '"{}"')},${extra('"call_tool","extra"', '1')}`,
        ),
      ],
      [step('{"type":"list_tools","arguments":{}}'), invalid(extra('"list_tools","arguments"', '{}'))],
    ]));

  it('MCP inside a socket: sessions are named, tools are not offered', () =>
    expectExchanges([
      [
        '{"type":"mcp","data":{"jsonrpc":"2.0","method":"tools/list","id":1}}',
        rpcError('1', -32603, 'Environment does not support MCP'),
      ],
      [
        '{"type":"mcp","data":{"jsonrpc":"2.0","method":"tools/call","params":{"name":"x"},"id":"a"}}',
        rpcError('"a"', -32603, 'Environment does not support MCP'),
      ],
      [
        '{"type":"mcp","data":{"jsonrpc":"2.0","method":"tools/call","params":{},"id":"a"}}',
        rpcError('"a"', -32602, "Missing 'name' in params"),
      ],
      [
        '{"type":"mcp","data":{"jsonrpc":"2.0","method":"initialize"}}',
        rpcError('null', -32601, 'Method not found: initialize'),
      ],
      [
        '{"type":"mcp","data":{}}',
        rpcError('null', -32600, 'Invalid request: jsonrpc: Field required; method: Field required'),
      ],
      ['{"type":"mcp"}', invalid(missing('"data"', '{"type":"mcp"}'))],
    ]));
});

describe('what ends a socket', () => {
  it.each([
    ['a list', '[]'],
    ['a number', '3'],
    ['a text', '"a"'],
    ['null', 'null'],
  ])('%s instead of an object, with 1000', async (_what, sent) => {
    const client = await served.talk();

    const answer = await client.raw(sent);

    expect(answer).toBe(
      '{"type":"error","data":{"message":"a message must be a JSON object","code":"SESSION_ERROR"}}',
    );
    expect((await client.closed).code).toBe(1000);
  });

  it('a binary frame, with 1000', async () => {
    const client = await served.talk();

    const answer = await client.raw(Buffer.from('{"type":"state"}'));

    expect(answer).toBe('{"type":"error","data":{"message":"a frame must be text","code":"SESSION_ERROR"}}');
    expect((await client.closed).code).toBe(1000);
  });

  it('no text that is not JSON: the next frame is answered', async () => {
    const client = await served.talk();

    const answer = await client.raw('{"type":');

    expect(answer).toMatch(
      /^\{"type":"error","data":\{"message":"Invalid JSON: .+","code":"INVALID_JSON"\}\}$/,
    );
    expect(await client.steps()).toBe(0);
  });

  it('close, without an answer, and whatever was sent after it', async () => {
    const client = await served.talk();

    client.socket.send('{"type":"close"}');
    client.socket.send('{"type":"state"}');

    expect((await client.closed).code).toBe(1000);
    expect(client.received).toEqual([]);
  });
});
