import { describe, expect, it } from 'vitest';
import { createSession } from '../../../src/renderer/state/createSession.ts';
import { createMemoryStorage } from '../../../src/renderer/state/kept.ts';
import { frameBindings, paletteCommands } from '../../../src/renderer/views/frame/commands.ts';
import { keyRow } from '../../../src/renderer/state/keys.ts';
import { keyGroups } from '../../../src/renderer/views/frame/Frame.tsx';
import { createScriptedTransport } from '../state/transport.ts';

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
