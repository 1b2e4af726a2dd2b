import { describe, expect, it } from 'vitest';
import { brokenOffRows, brokenOffTitle } from '../../../src/renderer/parts/desk/useBrokenOff.ts';
import { createSession } from '../../../src/renderer/state/createSession.ts';
import { createMemoryStorage } from '../../../src/renderer/state/kept.ts';
import { frameBindings, paletteCommands } from '../../../src/renderer/views/frame/commands.ts';
import { keyRow } from '../../../src/renderer/state/keys.ts';
import { keyGroups } from '../../../src/renderer/views/frame/Frame.tsx';
import {
  connectionLine,
  modelLine,
  oldestWaiting,
  rateText,
  runningCount,
  titleText,
} from '../../../src/renderer/views/frame/StatusLine.tsx';
import { rowOf } from '../state/events.ts';
import { createScriptedTransport, DESCRIBED } from '../state/transport.ts';

describe('the status line', () => {
  it('is quiet while connected, and counts down to the next try while not', () => {
    expect(connectionLine({ state: 'open' }, 0)).toEqual({ tone: 'idle', text: 'Connected' });
    expect(connectionLine({ state: 'closed', attempt: 2, retryAt: 3400 }, 1000).text).toBe(
      'No connection, trying in 3 s',
    );
    expect(connectionLine({ state: 'closed', attempt: 2, retryAt: 500 }, 1000).text).toBe(
      'No connection, trying',
    );
  });

  it('counts what runs, and knows the oldest question', () => {
    const brokenOff = rowOf({ status: 'waiting', broke_off: { at: 1, why: 'it may have effects' } });
    const rows = [rowOf(), rowOf({ status: 'waiting' }), rowOf({ status: 'ended' }), brokenOff];
    expect(runningCount(rows)).toBe(2);
    expect(oldestWaiting({ items: [], holds: [] })).toBeNull();
  });

  it('says when episodes were stopped, but not of what came with a folder made elsewhere', () => {
    const why = { at: 1, why: '' };
    const stopped = brokenOffRows([rowOf({ broke_off: why })]);
    const came = brokenOffRows([rowOf({ broke_off: { ...why, came_with_folder: true } })]);
    expect(brokenOffTitle(stopped)).toBe('1 episode was stopped when Interject closed');
    expect(brokenOffTitle([...stopped, ...came])).toBe('2 episodes are stopped');
  });

  it('says which models act, or that none does', () => {
    expect(modelLine(DESCRIBED)).toBe('Rehearsal agent, no model');
    expect(modelLine({ ...DESCRIBED, agent_model: 'a', expert_model: 'b' })).toBe('Agent a · drafts b');
    expect([0, 0.44, 31.4].map(rateText)).toEqual(['0 events/s', '0.4 events/s', '31 events/s']);
  });

  it('puts what waits first in the window title', () => {
    expect(titleText(2, 'Desk')).toBe('(2) Desk · Interject');
    expect(titleText(0, 'Library')).toBe('Library · Interject');
  });
});

describe('the palette and the keys', () => {
  const { store, keyboard } = createSession({
    tab: 'one',
    transport: createScriptedTransport(),
    seat: 'seat-1',
    storage: createMemoryStorage(),
  });

  it('do the same things: every key of the palette is bound', () => {
    const inPalette = paletteCommands(store).flatMap(({ key }) => (key === null ? [] : [key]));

    expect(inPalette.filter((key) => !Object.hasOwn(frameBindings(store), key))).toEqual([]);
  });

  it('lead the owner to the benches, which stand beside the training runs on the rail', () => {
    const benches = paletteCommands(store, 'owner').find(({ key }) => key === 'go.benches');

    expect(benches?.label).toBe('Go to the benches');
    expect(keyRow('go.benches').chords).toEqual(['g e']);
  });

  it('lead an expert’s seat to the desk, the live episodes and its answers, and start nothing', () => {
    const offered = paletteCommands(store, 'expert').flatMap(({ key }) => (key === null ? [] : [key]));

    expect(offered).toEqual(['desk.next', 'go.desk', 'go.live', 'go.answers', 'keys.show']);
    expect(Object.keys(frameBindings(store, 'expert'))).not.toContain('episode.start');
    expect(Object.keys(frameBindings(store, 'owner'))).toContain('episode.start');
  });

  it('show on the sheet which keys do something here', () => {
    keyboard.bind('everywhere', () => frameBindings(store));
    const groups = keyGroups(keyboard.bound());
    const everywhere = groups.find(({ label }) => label === 'Everywhere')?.keys ?? [];

    expect(everywhere.find(({ id }) => id === 'palette.open')?.isLive).toBe(true);
    expect(everywhere.find(({ id }) => id === 'pane.inspector')?.isLive).toBe(false);
  });
});
