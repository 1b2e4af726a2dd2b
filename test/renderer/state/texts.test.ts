import { describe, expect, it } from 'vitest';
import { createTexts } from '../../../src/renderer/state/texts.ts';
import { Failure } from '../../../src/shared/failure.ts';
import { createScriptedTransport, settled } from './transport.ts';

const SHA = 'a'.repeat(64);

const settledAll = async (): Promise<void> => {
  for (let i = 0; i < 10; i += 1) await settled();
};

describe('a long text', () => {
  it('is read whole, stretch by stretch, and only once', async () => {
    const whole = 'x'.repeat(2_300_000);
    const asked: number[] = [];
    const { call } = createScriptedTransport({
      'text.read': ({ offset, length }) => {
        asked.push(offset);
        return { text: whole.slice(offset, offset + length), total: whole.length };
      },
    });
    const texts = createTexts(call);

    texts.load(SHA);
    texts.load(SHA);
    await settledAll();
    texts.load(SHA);
    await settledAll();

    expect(texts.get(SHA).text).toBe(whole);
    expect(asked).toEqual([0, 1_000_000, 2_000_000]);
  });

  it('says why it could not be read, and can be asked for again', async () => {
    let tries = 0;
    const { call } = createScriptedTransport({
      'text.read': () => {
        tries += 1;
        if (tries === 1) throw new Failure('not_found', 'the text is gone');
        return { text: 'here', total: 4 };
      },
    });
    const texts = createTexts(call);

    texts.load(SHA);
    await settledAll();
    const first = texts.get(SHA);
    texts.load(SHA);
    await settledAll();

    expect(first.failure).toMatchObject({ code: 'not_found' });
    expect(texts.get(SHA)).toEqual({ text: 'here', isLoading: false, failure: null });
  });

  it('makes room for the next one instead of growing without end', async () => {
    const { call } = createScriptedTransport({
      'text.read': ({ offset }) => ({ text: 'x'.repeat(1_000_000), total: offset === 0 ? 1_000_000 : 0 }),
    });
    const texts = createTexts(call);
    const ids = Array.from({ length: 70 }, (_, index) => String(index).padStart(64, '0'));

    for (const id of ids) {
      texts.load(id);
      await settled();
    }
    await settledAll();
    const held = ids.filter((id) => texts.get(id).text !== null);

    expect(held.length).toBeLessThanOrEqual(64);
    expect(held.at(-1)).toBe(ids.at(-1));
  });
});
