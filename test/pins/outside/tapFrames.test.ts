// One tapped session in which people step in, frame by frame, as its client sends and reads it.
import { afterEach, it } from 'vitest';
import type { EpisodeRecord } from '../../../src/shared/episode/record.ts';
import { ME } from '../../support/stepIn.ts';
import { connect, openTap, type OpenTap } from '../../support/tap.ts';
import { serveWorlds, type Served } from '../../support/worlds.ts';
import { createMask, pinsOf, type Texts } from './pinned.ts';
import { HOLD_ALL, TIMING } from './scene.ts';

const pin = pinsOf('tap');
let worlds: Served;
let tapped: OpenTap;
afterEach(async () => {
  await tapped.close();
  await worlds.close();
});

const step = (tool: string, args = '{}'): string =>
  `{"type":"step","data":{"type":"call_tool","tool_name":"${tool}","arguments":${args}}}`;

const APPROVED = 'a call that is approved';
const isHeld = ({ call }: EpisodeRecord['turns'][number]): boolean =>
  call?.held !== null && call?.held !== undefined && call.decision === null;

it('the frames of a tapped session stay the same, where people step in and where they do not', async () => {
  worlds = await serveWorlds();
  tapped = await openTap(worlds.url, { may_act: true });
  const { url, commands, episodes, until, tap } = tapped;
  const client = await connect(url);
  const mask = createMask([worlds.sessions, tapped.folder]);
  const texts: Texts = {};
  const keep = (what: string, sent: string, read: string): void => {
    texts[`${String(Object.keys(texts).length + 1)}. ${what}`] = mask(`> ${sent}\n< ${read}`);
  };
  const say = async (what: string, sent: string): Promise<void> => keep(what, sent, await client.raw(sent));

  await say(
    'a reset of a trainer',
    '{"type":"reset","data":{"scenario":"loomline_workflows","task_idx":0,"interject_run":"r1","interject_step":3,"interject_group":"p7","interject_episode":"e9"}}',
  );
  await say('the state', '{"type":"state"}');
  await say('the tools', '{"type":"step","data":{"type":"list_tools"}}');
  await say('a call', step('list_workspaces'));
  await say('a tool there is not', step('no_such_tool'));
  await say('no JSON', '{');

  const [id = ''] = await episodes();
  await commands['note.send']({ episode: id, text: 'Look "twice".', timing: TIMING }, ME);
  await tap.settled();
  await say('a call after a note', step('list_workspaces'));

  await commands['policy.set']({ episode: id, rules: [HOLD_ALL] }, ME);
  await tap.settled();
  type Held = { episode: string; call: string; seen_seq: number; timing: typeof TIMING };
  const held = async (
    what: string,
    sent: string,
    decide: (about: Held) => Promise<unknown>,
  ): Promise<void> => {
    const answer = client.raw(sent);
    const { seq, turns } = await until(id, (record) => record.turns.some(isHeld));
    const call = turns.find(isHeld)?.call?.id ?? '';
    await decide({ episode: id, call, seen_seq: seq, timing: TIMING });
    keep(what, sent, await answer);
    if (what === APPROVED) return;
    // What the next frames say of the turns that people changed is what main has recorded by then.
    await until(id, ({ turns: now }) => now.find((turn) => turn.call?.id === call)?.touched);
    await tap.settled();
  };
  const sent = step('get_workflow', '{"workflow_id":101}');
  await held(APPROVED, sent, (about) =>
    commands['call.decide']({ act: 'approve', ...about, similar: false }, ME),
  );
  const other = {
    tool_name: 'list_workspaces',
    arguments: {},
    reason: 'The list first.',
    is_unchecked: false,
  };
  await held('a call that is changed', sent, (about) =>
    commands['call.decide']({ act: 'edit', ...about, ...other }, ME),
  );
  await held('a call that is turned down', sent, (about) =>
    commands['call.decide']({ act: 'reject', ...about, reason: 'Not this one.' }, ME),
  );
  await held('a call that a person answers', sent, (about) =>
    commands['call.decide']({ act: 'answer', ...about, text: '{"workflow_id": 101}', is_error: false }, ME),
  );
  await commands['policy.set']({ episode: id, rules: [] }, ME);
  await tap.settled();
  await say('the verifier', step('verify', '{"final_answer":"I looked."}'));
  await say('the end', step('done'));
  await say('the state after it', '{"type":"state"}');
  await pin('session', texts);
});
