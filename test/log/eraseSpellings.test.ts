import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSpellings } from '../../src/main/log/eraseText.ts';
import { textHead } from '../../src/shared/events/text.ts';
import { ended, HUMAN, openLog, reset, started, SYSTEM } from '../support/log.ts';

const NAME = 'Zoë Müller 😀 of "A/B"\n\\dom';
const ascii = (text: string, isUpper = false): string =>
  text.replace(/[^ -~]/g, (unit) => {
    const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${isUpper ? hex.toUpperCase() : hex}`;
  });
const quoted = (text: string): string => JSON.stringify(text);
/** What Python's `json.dumps` writes: everything beyond ASCII as escapes. */
const dumps = (value: unknown, isUpper = false): string => ascii(JSON.stringify(value), isUpper);

const SPELLINGS: Record<string, string> = {
  'as it is': `I am ${NAME}.`,
  'as JSON': quoted(`I am ${NAME}.`),
  'as Python writes JSON': dumps({ name: NAME }),
  'with capital hex digits': dumps({ name: NAME }, true),
  'with every slash escaped': dumps({ name: NAME }).replaceAll('/', '\\/'),
  'with every character escaped': `"${Array.from({ length: NAME.length }, (_, at) => NAME.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('')}"`,
  'in JSON within JSON': dumps({ arguments: dumps({ name: NAME }) }),
  'twice more': dumps({ a: dumps({ b: dumps({ name: NAME }, true) }) }),
  'in escapes of escapes': dumps({ a: dumps({ name: NAME }) }).replaceAll('\\\\', '\\u005c'),
};

describe('a text that is erased', () => {
  it.each(Object.keys(SPELLINGS))('is found %s, and what stands around it stays as it was', (how) => {
    const value = SPELLINGS[how] ?? '';
    const spellings = createSpellings(NAME);

    const { value: cleaned, places } = spellings.replacedIn(`before ${value} after`, '[gone]');

    expect(places).toBe(1);
    expect(cleaned).toMatch(/^before .*\[gone\].* after$/s);
    expect(cleaned).not.toMatch(/ller|00fc|00FC|Zo/);
    expect(spellings.standsIn(cleaned)).toBe(false);
    // What was JSON is JSON still.
    if (how !== 'as it is') expect(() => JSON.parse(cleaned.slice(7, -6)) as unknown).not.toThrow();
  });

  it('is found by what a raw frame shows of it, and a name that only looks alike stays', () => {
    expect(
      createSpellings('Zo\\u00eb M\\u00fcller').replacedIn('Zoë Müller, Zo\\u00eb M\\u00fcller', '[gone]'),
    ).toEqual({ value: '[gone], [gone]', places: 2 });
    expect(createSpellings(NAME).replacedIn('Zoe Mueller \\u00eb', '[gone]').places).toBe(0);
  });

  it('is taken out of calls, results, messages, frames and long texts in one go, counted, and none is left', () => {
    const folder = mkdtempSync(join(tmpdir(), 'interject-spellings-'));
    const log = openLog(join(folder, 'log.db'));
    const all = Object.values(SPELLINGS);
    log.append('e1', SYSTEM, started());
    log.append('e1', SYSTEM, reset({ frame: all.join('\n'), request: { [NAME]: dumps({ name: NAME }) } }));
    log.append('e1', SYSTEM, {
      kind: 'turn.generated',
      turn: 1,
      content: `${'long '.repeat(10_000)}${dumps({ name: NAME })}`,
      reasoning: null,
      tool_calls: [{ id: 't1', name: 'find', arguments: dumps({ name: NAME }) }],
      model: null,
      stop_reason: null,
      usage: null,
      latency_ms: null,
    });
    log.append('e1', SYSTEM, ended());

    const erased = log.erase('e1', NAME, HUMAN, 'asked for');

    expect(erased).toMatchObject({ events: 2, left: 0, places: all.length + 4 });
    const [, , turn] = log.read('e1');
    if (turn?.event.kind !== 'turn.generated') throw new Error('the turn stays');
    expect(log.texts.loadText(turn.event.content)).toMatch(/\{"name":"\[erased sha256:[0-9a-f]{64}\]"\}$/);
    expect(textHead(turn.event.content)).toMatch(/^long /);
    log.close();
    const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    expect(bytes.join('\n')).not.toMatch(/u00fcller|u00FCller|MÃ¼ller/i);
    rmSync(folder, { recursive: true, force: true });
  });

  it('is said to stand where it cannot be taken out', () => {
    const log = openLog();
    log.append('e1', SYSTEM, started());
    log.append(
      'e1',
      SYSTEM,
      reset({ request: { card: 41_111_111, note: '41111111' }, latency_ms: 41_111_111 }),
    );
    log.append('e1', SYSTEM, ended());
    expect(log.erase('e1', '41111111', HUMAN, null)).toMatchObject({ events: 1, places: 2, left: 1 });
    log.close();
  });
});
