import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { createSession } from '../../../src/renderer/state/session.ts';
import { SessionContext } from '../../../src/renderer/state/hooks.ts';
import { createMemoryStorage } from '../../../src/renderer/state/kept.ts';
import { TooltipProvider } from '../../../src/renderer/ui/Tooltip.tsx';
import { SuggestionList, type SuggestedRow } from '../../../src/renderer/views/desk/Suggestions.tsx';
import { rowOf } from '../state/events.ts';
import { createScriptedTransport } from '../state/transport.ts';

const stuck = (count: number): SuggestedRow[] =>
  Array.from({ length: count }, (_, at) => ({
    ...rowOf({ id: `e${String(at)}` }),
    suggestion: { level: 1, reasons: [{ rule: 'errors' as const, count: 3, tool_name: null }] },
  }));

const shown = (count: number): string => {
  const session = createSession({
    transport: createScriptedTransport(),
    seat: 'seat-1',
    tab: 'one',
    storage: createMemoryStorage(),
  });
  const list = createElement(SuggestionList, { rows: stuck(count) });
  return renderToStaticMarkup(
    createElement(SessionContext, { value: session }, createElement(TooltipProvider, null, list)),
  );
};

it('counts all episodes that might need you, shows twenty, and the rest on request', () => {
  const crowd = shown(500);

  expect(crowd.match(/<li/g)).toHaveLength(20);
  expect(crowd).toContain('>500<');
  expect(crowd).toContain('Show 20 more');
  expect(shown(23)).toContain('Show 3 more');
  expect(shown(20)).not.toContain('more<');
});
