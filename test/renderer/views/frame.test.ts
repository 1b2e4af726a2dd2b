import { describe, expect, it } from 'vitest';
import { createSession } from '../../../src/renderer/state/createSession.ts';
import { createMemoryStorage } from '../../../src/renderer/state/kept.ts';
import { frameBindings, paletteCommands } from '../../../src/renderer/views/frame/commands.ts';
import { createScriptedTransport } from '../state/transport.ts';

describe('the palette and the keys', () => {
  const { store } = createSession({
    tab: 'one',
    transport: createScriptedTransport(),
    seat: 'seat-1',
    storage: createMemoryStorage(),
  });

  it('do the same things: every key of the palette is bound', () => {
    const inPalette = paletteCommands(store).flatMap(({ key }) => (key === null ? [] : [key]));

    expect(inPalette.filter((key) => !Object.hasOwn(frameBindings(store), key))).toEqual([]);
  });

  it('lead an expert’s seat to the desk and its answers, and start nothing', () => {
    const offered = paletteCommands(store, 'expert').flatMap(({ key }) => (key === null ? [] : [key]));

    expect(offered).toEqual(['desk.next', 'go.desk', 'go.answers', 'keys.show']);
    expect(Object.keys(frameBindings(store, 'expert'))).not.toContain('episode.start');
    expect(Object.keys(frameBindings(store, 'owner'))).toContain('episode.start');
  });
});
