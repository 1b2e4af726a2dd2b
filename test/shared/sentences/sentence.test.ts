import { describe, expect, it } from 'vitest';
import { readPacks } from '../../../src/main/worlds/pack.ts';
import { exampleValue } from '../../../src/shared/schema/exampleValue.ts';
import { collectNames, nameOf } from '../../../src/shared/sentences/names.ts';
import { callSentence, type SentenceTool } from '../../../src/shared/sentences/sentence.ts';
import { attemptSentence } from '../../../src/shared/sentences/errorInWords.ts';
import { packsFolder } from '../../support/worlds.ts';

const { packs } = readPacks(packsFolder);
const toolOf = (world: string, name: string): SentenceTool => packs.get(world)?.tools.get(name) ?? { name };
const say = (name: string, args: Record<string, unknown>, description = ''): string =>
  callSentence({ name, description }, args).text;

/** Written by hand, as one would say it: a world, its tool, the arguments, the sentence. */
const BY_HAND = `
deskwren_helpdesk assign_ticket {"ticket_id":1002,"agent_id":12} = Assign ticket 1002 to agent 12
deskwren_helpdesk merge_tickets {"duplicate_id":3,"into_id":2} = Merge duplicate 3 into 2
deskwren_helpdesk snooze_ticket {"ticket_id":7,"until":"2026-06-30"} = Snooze ticket 7 until 2026-06-30
deskwren_helpdesk set_sla_plan {"organisation_id":102,"sla_plan_id":2} = Set the SLA plan of organisation 102 to 2
loomline_workflows handover_playbook {"from_user_id":24,"to_user_id":26} = Hand everything over (playbook) from user 24 to user 26
loomline_workflows search_workflows {"query":"invoice"} = Search workflows for invoice
loomline_workflows subscribe_user {"workflow_id":1,"user_id":2,"channel":"email","event":"any"} = Subscribe user 2 to workflow 1: channel email, event any
loomline_workflows create_workflow {"workspace_id":1,"name":"Nightly","folder":"Ops","owner_id":3} = Create workflow Nightly: workspace 1, folder Ops, owner 3
maplecart_shop set_price {"product_id":305,"price_cents":1450} = Set the price of product 305 to 14.50
maplecart_shop change_delivery_address {"order_id":1,"address_id":2} = Change the delivery address of order 1 to 2
maplecart_shop mark_shipment_lost {"shipment_id":8003} = Mark shipment 8003 as lost
maplecart_shop set_listing {"product_id":3,"is_listed":false} = List or unlist product 3: listed no
tallybrook_ledger pay_bills {"bill_ids":[503,506],"bank_account_id":1,"paid_on":"2026-04-02"} = Pay bills 503, 506: bank account 1, paid on 2026-04-02
tallybrook_ledger trial_balance {"company_id":1,"month":"2026-03"} = Use “Trial balance” for company 1: month 2026-03
tallybrook_ledger close_month {"month":"2026-02"} = Close month 2026-02`;
const BY_NAME = `
- create_campaign_update {"campaign_id":994,"title":"Surgery scheduled","body":"Soon."} = Create campaign update Surgery scheduled: campaign 994, body Soon.
- add_user_to_team {"user_id":1,"team_id":2} = Add user 1 to team 2
- get_order_items {"order_id":5} = Look up order items for order 5
- deleteWorkflow {"workflowId":5} = Delete workflow 5
- user_create {"email":"a@b"} = Create a user: email a@b
- grid_world_action {"action":"UP"} = Act (grid world): action UP
- chess_action {"move":"e2e4"} = Act (chess): move e2e4
- move_action {"direction":"up"} = Move: direction up`;
const linesOf = (table: string): [string, string, string, string][] =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [, world = line, name = '', args = '', text = ''] =
        /^(\S+) (\S+) (\{.*\}) = (.*)$/.exec(line) ?? [];
      return [world, name, args, text];
    });
const readArguments = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

describe('a call as a sentence', () => {
  it('says what it does to which record by the name the agent was shown', () => {
    const names = nameOf(
      collectNames([
        {
          tool: 'search_workflows',
          text: '{"workflows":[{"workflow_id":102,"name":"Weekly supplier digest","folder":"Finance"}]}',
        },
      ]),
    );
    const tool = toolOf('loomline_workflows', 'set_workflow_status');
    const { parts, text } = callSentence(tool, { status: 'paused', workflow_id: 102 }, names);

    expect(text).toBe('Set the state of workflow Weekly supplier digest (Finance) to paused');
    expect(parts).toEqual([
      { type: 'text', text: 'Set the state of workflow ' },
      {
        type: 'chip',
        argument: 'workflow_id',
        value: 102,
        label: 'Weekly supplier digest',
        name: { name: 'Weekly supplier digest', detail: 'Finance' },
        isMissing: false,
      },
      { type: 'text', text: ' to ' },
      { type: 'chip', argument: 'status', value: 'paused', label: 'paused', name: null, isMissing: false },
    ]);
  });

  it.each(linesOf(BY_HAND))('of %s %s %s is: %s', (world, name, args, text) => {
    expect(callSentence(toolOf(world, name), readArguments(args)).text).toBe(text);
  });

  it.each(linesOf(BY_NAME))(
    'of %s %s %s is read from its name where nothing describes it: %s',
    (_, name, args, text) => {
      expect(say(name, readArguments(args))).toBe(text);
    },
  );

  it('that cannot be read from the name says the name, and every argument', () => {
    expect(say('foo_bar', { a: 1, b_id: 2 })).toBe('Call foo_bar with a 1, b 2');
    expect(say('', {})).toBe('Call ');
    expect(callSentence({ name: 'foo_bar' }, {}).parts).toEqual([
      { type: 'text', text: 'Call ' },
      { type: 'code', text: 'foo_bar' },
    ]);
  });

  it('has an empty place for what the tool asks for and the call lacks', () => {
    const { parts, text } = callSentence(toolOf('loomline_workflows', 'set_workflow_status'), {
      status: 'paused',
    });
    expect(text).toBe('Set the state of workflow not given to paused');
    expect(parts.flatMap((part) => (part.type === 'chip' && part.isMissing ? [part.argument] : []))).toEqual([
      'workflow_id',
    ]);
  });

  it('says values in words, and counts what does not fit', () => {
    expect(
      say('foo', {
        a: true,
        b: null,
        c: '',
        d: [],
        e: [{}, {}],
        f: [1, 2, 3, 4, 5, 6, 7],
        g: { x: 1, y: 'z' },
      }),
    ).toBe(
      'Call foo with a yes, b nothing, c empty text, d empty list, e 2 items, f 1, 2, 3, 4, 5 and 2 more, g x 1, y z',
    );
  });

  it('has every argument of every tool of every world exactly once', () => {
    for (const { tools } of packs.values())
      for (const tool of tools.values()) {
        const args = Object.fromEntries(
          Object.entries(tool.input_schema.properties).map(([name, property]) => [
            name,
            exampleValue(property, property),
          ]),
        );
        const { parts } = callSentence(tool, { ...args, unlisted: 1 });
        const said = parts.flatMap((part) => (part.type === 'chip' ? [part.argument] : []));
        expect(said.toSorted(), tool.name).toEqual([...Object.keys(args), 'unlisted'].toSorted());
      }
  });
});

describe('an attempt as a sentence', () => {
  const attempt = {
    turn: 3,
    tool_name: 'set_workflow_status',
    arguments: '{"workflow_id":"x","status":"paused"}',
    error: null,
  };

  it('says what was tried and what became of it', () => {
    const failed = attemptSentence({
      ...attempt,
      error:
        'Error calling set_workflow_status. Status code: 404. Response: {"detail":"Workflow 1 not found"}',
    });
    expect(failed.call.text).toBe('Set the status of workflow x to paused');
    expect(failed).toMatchObject({
      fate: 'failed',
      error: { sentence: 'Workflow 1 was not found.' },
      fateText: null,
      isWhole: true,
    });
    expect(attemptSentence({ ...attempt, fate: 'rejected', reason: 'not now', by: 'human' }).fateText).toBe(
      'A person’s move. Rejected by a person, not sent: not now',
    );
  });

  it('keeps the whole arguments where they were cut off, and says that they were', () => {
    const cut = attemptSentence({ ...attempt, arguments: '{"workflow_id":7,"status":"paus' });
    expect(cut.isWhole).toBe(false);
    expect(cut.call.parts.flatMap((part) => (part.type === 'chip' ? [part.argument] : []))).toEqual([
      'workflow_id',
    ]);
  });
});
