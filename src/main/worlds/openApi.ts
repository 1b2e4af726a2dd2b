// `/openapi.json`: which paths a door has, for clients that ask. OpenEnv's validator reads the version and the paths.
const PATHS = {
  '/health': ['get', 'Whether the server is up'],
  '/metadata': ['get', 'What the environment is'],
  '/schema': ['get', 'The JSON Schemas of actions, observations and state'],
  '/state': ['get', 'The state before any episode; an episode lives in a socket at /ws'],
  '/reset': ['post', 'Reset'],
  '/step': ['post', 'One action'],
  '/mcp': ['post', 'JSON-RPC'],
} as const;

export const openApi = ({ name, version }: { name: string; version: string }): object => ({
  openapi: '3.1.0',
  info: { title: name, version },
  paths: Object.fromEntries(
    Object.entries(PATHS).map(([path, [method, summary]]) => [
      path,
      {
        [method]: {
          summary,
          responses: { 200: { description: 'The answer', content: { 'application/json': { schema: {} } } } },
        },
      },
    ]),
  ),
});
