import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fillPrompt, PROMPT_FILES, readPrompts } from '../../src/main/settings/prompts.ts';
import { parsePlan } from '../../src/shared/plan.ts';
import { shippedPrompts } from '../support/prompts.ts';

const shipped = join(import.meta.dirname, '..', '..', 'resources', 'prompts');
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prompts-'));
  cpSync(shipped, folder, { recursive: true });
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the prompts', () => {
  it('are all in use: no file without a name, no name without a file', () => {
    const files = readdirSync(shipped, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(shipped.length + 1));

    expect(files.toSorted()).toEqual(
      Object.values(PROMPT_FILES)
        .map(({ file }) => file)
        .toSorted(),
    );
  });

  it('name the file that is missing', () => {
    rmSync(join(folder, 'agent', 'nudge_error.md'));

    expect(() => readPrompts(folder)).toThrow(/nudge_error\.md cannot be read/);
  });

  it.each([
    ['agent/advice_declined.md', 'No advice.', '{reason} is missing'],
    ['agent/nudge_stall.md', 'Dear {name}, ask.', 'nothing fills {name}'],
    ['agent/nudge_stall.md', '\n', 'it is empty'],
  ])('say what is wrong with %s', (file, text, why) => {
    writeFileSync(join(folder, file), text);

    expect(() => readPrompts(folder)).toThrow(why);
  });

  it('keep words in braces that a value brings along', () => {
    const { adviceDeclined } = shippedPrompts();

    expect(fillPrompt(adviceDeclined, { reason: 'use {tool} and $1 and {reason}' })).toContain(
      'use {tool} and $1 and {reason}',
    );
  });

  it('have one digest, which changes with what the agent reads and with nothing else', () => {
    const before = readPrompts(folder).sha256;

    writeFileSync(join(folder, 'advisor', 'system.md'), 'Advise.');
    expect(readPrompts(folder).sha256).toBe(before);
    writeFileSync(join(folder, 'agent', 'nudge_stall.md'), 'Ask!');
    expect(readPrompts(folder).sha256).not.toBe(before);
  });

  it('never hold a call that could pass for advice where there is none', () => {
    const prompts = shippedPrompts();
    const none = [
      prompts.adviceDeclined,
      prompts.adviceNobody,
      prompts.adviceTimedOut,
      prompts.refusedBudget,
      prompts.refusedCondition,
    ];

    for (const prompt of none) {
      expect(prompt.text).toMatch(/^No advice: /);
      expect(parsePlan(prompt.text).form).toBe('none');
    }
  });
});
