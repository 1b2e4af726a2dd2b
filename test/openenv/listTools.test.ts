import { expect, it } from 'vitest';
import { saysReadOnly } from '../../src/main/episode/preview.ts';
import { toolsOfMcp } from '../../src/main/openenv/listTools.ts';

it('knows of tools listed by MCP which ones say that they only read', () => {
  const schema = { type: 'object', properties: {} };
  const tools = [
    {
      name: 'fetch_order',
      description: 'One order',
      inputSchema: schema,
      annotations: { readOnlyHint: true },
    },
    { name: 'cancel_order', inputSchema: schema, annotations: { readOnlyHint: false } },
    { name: 'get_paid', inputSchema: schema, annotations: null },
    { name: 'bare', inputSchema: schema },
  ];

  const listed = toolsOfMcp({ tools }, { raw: '', latency_ms: 0 })?.tools ?? [];

  expect(listed.map((tool) => [tool.name, saysReadOnly(tool)])).toEqual([
    ['fetch_order', true],
    ['cancel_order', false],
    ['get_paid', false],
    ['bare', false],
  ]);
});
