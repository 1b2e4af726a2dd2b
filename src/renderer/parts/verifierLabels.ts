// Labels of the two ways to verify a task of the Agent World Model.
export const VERIFIER_LABELS = {
  code: 'Code decides',
  sql: 'A model judges the database (sql)',
} as const;
