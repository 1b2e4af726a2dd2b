import { expect, it } from 'vitest';
import { FORMATS } from '../../../src/main/dataset/export/formats.ts';
import { isLinesOnly } from '../../../src/shared/export/linesOnly.ts';

it.each(Object.values(FORMATS))('$id is offered as a table where it has columns', ({ id, columns }) => {
  expect(isLinesOnly(id)).toBe(columns === null);
});
