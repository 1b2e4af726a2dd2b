import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { ImportJobs } from '../../../src/renderer/views/episodes/ImportJobs.tsx';
import { TooltipProvider } from '../../../src/renderer/ui/Tooltip.tsx';
import type { FileReport, ImportJob } from '../../../src/shared/contract/import.ts';

const report = (given: Partial<FileReport>): FileReport => ({
  name: 'a.jsonl',
  format: 'chat',
  version: null,
  sha256: null,
  bytes: 1,
  episodes: 0,
  known: 0,
  skipped: 0,
  first: [],
  not_recorded: [],
  diagnostics: [],
  conservation: null,
  passed_over: [],
  failure: null,
  ...given,
});

const shown = (
  state: ImportJob['state'],
  given: Partial<FileReport>,
  again: (() => void) | null = null,
): string => {
  const reports = [report(given)];
  const job = { import: 'i', name: 'a.jsonl', state, done: 1, total: 1, episodes: 0, reports, ignored: 0 };
  return renderToStaticMarkup(
    createElement(
      TooltipProvider,
      null,
      createElement(ImportJobs, { jobs: [job], cancel: () => undefined, again: () => again }),
    ),
  );
};

describe('the list of imports', () => {
  it('does not call a file unreadable that was cancelled', () => {
    const next = 'What was read stays; import the file again to go on.';
    const failure = { code: 'cancelled', message: 'the import was cancelled', next } as const;
    expect(shown('cancelled', { failure })).not.toContain('could not be read');
    expect(shown('done', { failure: { ...failure, code: 'import_failed' } })).toContain(
      '1 file could not be read',
    );
  });

  it('says once what stopped a file, and where', () => {
    const odd = { code: 'truncated', message: 'the document is cut off', count: 1 };
    const failure = { code: 'import_failed', message: odd.message, next: null } as const;
    const whole = shown('done', { failure, diagnostics: [{ ...odd, pointer: null }] });
    expect(whole.split(odd.message)).toHaveLength(2);

    const placed = { ...odd, pointer: '/steps/3' };
    expect(shown('done', { failure, diagnostics: [placed] })).toContain('cut off at /steps/3');

    const message = `no episode could be read from it: ${odd.message}`;
    const quoting = shown('done', { failure: { ...failure, message }, diagnostics: [placed] });
    expect(quoting.split(odd.message)).toHaveLength(2);
    expect(quoting).toContain('/steps/3');
  });
});
