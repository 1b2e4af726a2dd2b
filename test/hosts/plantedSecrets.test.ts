// The real command line plays episodes with secrets at every door. Then every byte of the data folder, of every export, of
// the diagnostics bundle and of all it said is searched for each of them.
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExportFormat, Preset } from '../../src/shared/contract/export.ts';
import { typeIn, type Command } from '../support/commandLine.ts';
import { PLANTED, PLANTED_RESET, plantedIn, plantedUnder } from '../support/plantedSecrets.ts';
import { openGuardedEnvironment, openGuardedModel } from '../support/secretsEnvironment.ts';

const call = (id: string, name: string, args: object) => ({
  role: 'assistant',
  content: `I use ${PLANTED.resetNested}`,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});
/** What the agent's model says in an episode. It repeats what it read. */
const EPISODE = [
  call('c1', 'sign_in', { with: PLANTED.resetNested }),
  call('c2', 'ask_expert', { task: 't', available_tools: 'x', context: `stuck at ${PLANTED.resetInText}` }),
  { role: 'assistant', content: `done with ${PLANTED.resetCreds}` },
];
const UNAIDED = EPISODE.filter((_, at) => at !== 1);
/** The environment ends an episode that calls what it does not know. */
const AGENT_SAYS = [...EPISODE, ...UNAIDED, ...EPISODE, call('c1', 'nothing', { with: PLANTED.resetPair })];
const EXPERT_SAYS = [{ role: 'assistant', content: `Sign in with ${PLANTED.resetPwd}` }];
const ANSWER = { ask: 1, do: 'send', text: `Sign in with ${PLANTED.resetShape} instead` };

let folder = '';
let environment: Awaited<ReturnType<typeof openGuardedEnvironment>>;
let agent: Awaited<ReturnType<typeof openGuardedModel>>;
let expert: Awaited<ReturnType<typeof openGuardedModel>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'interject-planted-'));
  mkdirSync(join(folder, 'home'));
  writeFileSync(join(folder, 'answers.jsonl'), `${JSON.stringify(ANSWER)}\n`);
  environment = await openGuardedEnvironment({
    user: 'ada',
    password: PLANTED.envPassword,
    key: PLANTED.envKey,
    header: PLANTED.envHeader,
  });
  const basic = `Basic ${Buffer.from(`ada:${PLANTED.modelPassword}`).toString('base64')}`;
  agent = await openGuardedModel(basic, AGENT_SAYS);
  expert = await openGuardedModel(`Bearer ${PLANTED.expertKey}`, EXPERT_SAYS);
});
afterAll(() => {
  for (const server of [environment, agent, expert]) server.close();
  rmSync(folder, { recursive: true, force: true });
});

const models = (): Record<string, string> => ({
  INTERJECT_AGENT_BASE_URL: `http://ada:${PLANTED.modelPassword}@${agent.host}/v1?key=${PLANTED.modelQuery}`,
  INTERJECT_AGENT_MODEL: 'm',
  INTERJECT_EXPERT_BASE_URL: `http://${expert.host}/v1`,
  INTERJECT_EXPERT_API_KEY: PLANTED.expertKey,
  INTERJECT_EXPERT_MODEL: 'm',
});
const withModels = (args: readonly string[], others: Record<string, string> = {}): Command => ({
  args,
  variables: { ...models(), ...others },
});

/** One that lets in, and one that nobody asks for. */
const HEADERS = [
  '--env-header',
  `X-Pass: ${PLANTED.envHeader}`,
  '--env-header',
  `X-More: ${PLANTED.envHeaderAside}`,
];

function episodes(): Command[] {
  const reset = ['--reset', JSON.stringify(PLANTED_RESET)];
  const run = ['run', '--agent', 'chat', '--task', '0', '--env', environment.url, ...HEADERS];
  const ownKey = { INTERJECT_AGENT_API_KEY: PLANTED.modelKey };
  return [
    withModels([...run, ...reset, '--condition', 'human+draft', '--answers', 'answers.jsonl']),
    withModels([...run, ...reset, '--condition', 'none', '--json']),
    // The expert’s model refuses its key and repeats it.
    withModels([...run, ...reset, '--condition', 'model'], { INTERJECT_EXPERT_API_KEY: PLANTED.refusedKey }),
    withModels([...run, ...reset]),
    // So does the agent’s. An address with a user beside a key makes no request.
    withModels([...run, ...reset, '--json'], {
      ...ownKey,
      INTERJECT_AGENT_BASE_URL: `http://${agent.host}/v1`,
    }),
    withModels(run, ownKey),
  ];
}

const others = (): Command[] => [
  { args: ['run', '--task', '0', '--env', environment.url.replace('http:', 'htp:')] },
  { args: ['run', '--task', '0', '--env', environment.url, '--reset', `{"pwd":"${PLANTED.resetPwd}"`] },
  { args: ['serve', '--no-open', '--port', '0', '--env', `x${environment.url}`] },
  { args: ['run', '--task', '0', '--env', environment.url, '--env-header', PLANTED.envHeader] },
  withModels(['doctor', '--env', environment.url, '--bundle', 'bundle.json', ...HEADERS]),
];

/** Formats of which these episodes leave no row: nobody labelled, judged or ranked anything. */
const WITHOUT_ROWS = ['grpo', 'human_feedback'];
const EXPORTS = [...ExportFormat.options, ...Preset.options, 'source', 'annotations'];
const exports = (): Command[] =>
  EXPORTS.map((kind, at) => {
    const ofLog = kind === 'source' || kind === 'annotations';
    const isPreset = Preset.safeParse(kind).success;
    const format = isPreset ? ['sft', '--preset', kind] : [kind];
    const any = ofLog || kind === 'demonstrations' ? [] : ['--any'];
    const rules = ofLog ? [] : ['--include', 'duplicates', 'timeouts', '--despite', 'single_class'];
    const json = at % 2 === 0 ? ['--json'] : [];
    return { args: ['export', '--format', ...format, '--out', `out-${kind}`, ...any, ...rules, ...json] };
  });

describe('secrets planted at every door of the command line', () => {
  it('reach who they are for and no file, export, bundle or output', { timeout: 300_000 }, async () => {
    const { codes, out, err } = await typeIn(folder, [...episodes(), ...others(), ...exports()]);
    const said = `${out}\n${err}`;

    // What was sent is what was given.
    const sent = environment.seen.join('\n');
    expect(JSON.parse(environment.seen.find((text) => text.includes('"reset"')) ?? '')).toMatchObject({
      data: PLANTED_RESET,
    });
    expect(sent).toContain(`{"with":"${PLANTED.resetNested}"}`);
    expect(sent).toContain(PLANTED.resetPair);
    expect(agent.seen[0]).toContain(`key=${PLANTED.modelQuery}`);
    for (const read of [PLANTED.resetCreds, PLANTED.resetShape, PLANTED.resetInText])
      expect(agent.seen.join('\n')).toContain(read);
    expect(expert.seen.join('\n')).toContain(`Bearer ${PLANTED.refusedKey}`);
    // There was something to search.
    expect(codes.slice(0, 11)).toEqual([0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 0]);
    expect(said).toContain('reached with: headers X-Pass, X-More');
    expect(EXPORTS.filter((format) => !existsSync(join(folder, `out-${format}`)))).toEqual(WITHOUT_ROWS);
    expect(statSync(join(folder, 'bundle.json')).size).toBeGreaterThan(500);
    expect(plantedIn(said)).toEqual([]);
    // The one file that a person wrote into the folder shows that the search finds what is there.
    expect(plantedUnder(folder)).toEqual(['resetShape in /answers.jsonl']);
  });
});
