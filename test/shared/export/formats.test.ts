import { expect, it } from 'vitest';
import { FORMATS } from '../../../src/main/dataset/export/formats.ts';
import { FORMATS as FORMAT_TEXTS } from '../../../src/shared/export/formats.ts';

it.each(Object.values(FORMATS))('$id is offered as a table where it has columns', ({ id, columns }) => {
  expect(FORMAT_TEXTS[id].isLinesOnly ?? false).toBe(columns === null);
});
