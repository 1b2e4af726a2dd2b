import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { createSession } from '../../../src/renderer/state/session.ts';
import { SessionContext } from '../../../src/renderer/state/hooks.ts';
import { createMemoryStorage } from '../../../src/renderer/state/kept.ts';
import { TooltipProvider } from '../../../src/renderer/ui/Tooltip.tsx';
import { EMPTY_FORM, planInput, problemsOf } from '../../../src/renderer/views/runs/BenchFields.tsx';
import { OpenBench } from '../../../src/renderer/views/runs/OpenBench.tsx';
import { splitFileProblem } from '../../../src/renderer/views/runs/NewBench.tsx';
import { Failure } from '../../../src/shared/failure.ts';
import { benchPlan } from '../../support/observedEpisodes.ts';
import { createScriptedTransport } from '../state/transport.ts';

it('a split file that cannot be read is told of by its place and by what should stand there', () => {
  expect(splitFileProblem('{"val": [["shop", 0]]}')).toBeNull();
  expect(splitFileProblem('{\n  "val": [oops]\n}')).toBe(
    'Not JSON: line 2, column 11: "o" cannot stand here.',
  );
  expect(splitFileProblem('{"val": [')).toBe('Not JSON: line 1, column 10: the file ends here.');
  expect(splitFileProblem('{"val": "all"}')).toBe(
    'val is a string: it has to be a list of ["scenario", task number].',
  );
  expect(splitFileProblem('{"train": [], "val": [["shop", 0], ["shop", "1"]]}')).toBe(
    'val, entry 2 is ["shop","1"]: it has to be ["scenario", task number].',
  );
  expect(splitFileProblem('[]')).toBe('The file holds a list: it has to be an object with train and val.');
  expect(splitFileProblem('{"tasks": []}')).toBe('The file has neither a train nor a val list.');

  const file = { name: 'split.json', text: 'tasks', problem: splitFileProblem('tasks') };
  expect(problemsOf({ ...EMPTY_FORM, file }).file).toContain('Not JSON: line 1, column 1');
  expect(planInput({ ...EMPTY_FORM, file })).toBeNull();
  expect(problemsOf({ ...EMPTY_FORM, file, split: 'pinned' })).toEqual({});
});

it('a bench that cannot be read for a moment keeps what was read last on screen', () => {
  const transport = createScriptedTransport();
  const session = createSession({
    transport,
    seat: 'seat-1',
    tab: 'one',
    storage: createMemoryStorage(),
    now: () => 0,
  });
  const progress = { planned: 40, finished: 12, running: 2, excluded: 0, eta_s: null };
  const plan = benchPlan({ name: 'night' });
  const queryKey = [['bench.show', { name: 'night' }], 0];
  const query = session.queries.getQueryCache().build(session.queries, { queryKey });
  query.setState({
    data: { value: { plan, state: 'running', progress, summary: null, report: null } },
    status: 'error',
    error: new Failure('closed', 'The connection was lost before the answer came.', {
      next: 'Whether it was carried out shows as soon as the connection is back.',
    }),
  });

  const shown = renderToStaticMarkup(
    createElement(
      SessionContext,
      { value: session },
      createElement(
        TooltipProvider,
        null,
        createElement(OpenBench, { name: 'night', onChanged: () => undefined }),
      ),
    ),
  );

  expect(shown).toContain('12 of 40 episodes over');
  expect(shown).toContain('This is what was read last');
  expect(shown).not.toContain('Whether it was carried out');
  session.close();
});
