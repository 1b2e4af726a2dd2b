// Owns: the data card beside an export: what is in it, by which rules, and front matter that loads.
import type { ExportFormat } from '../../shared/contract/areas.ts';

type Card = {
  format: ExportFormat;
  data: string;
  rows: number;
  dropped: Record<string, number>;
  episodes: number;
  lastSeq: number;
};

const PROVENANCE_FEATURES = [
  ['episode', 'string'],
  ['scenario', 'string'],
  ['task_idx', 'int64'],
  ['condition', 'string'],
  ['consultation', 'string'],
  ['turn', 'int64'],
  ['actor', 'string'],
  ['act', 'string'],
  ['privilege', 'string'],
  ['leak_free', 'bool'],
  ['reward', 'float64'],
  ['reward_type', 'string'],
] as const;

const MESSAGE_COLUMNS: Record<ExportFormat, readonly string[]> = {
  sft: ['prompt', 'completion', 'tools'],
  preference: ['prompt', 'chosen', 'rejected', 'tools'],
};

const RULES: Record<ExportFormat, string> = {
  sft:
    'Episodes the verifier called complete. Each row is cut at an intervention: `prompt` runs up to what the expert ' +
    'gave, `completion` from there to the next intervention or the end. An episode nobody stepped into is one row ' +
    'with `act` "solo". Train with completion-only loss, and with assistant-only loss where the chat template has it: ' +
    'completions hold tool results between the agent’s turns.',
  preference:
    'Pairs from one decision point only. `pair` "advice": what a person gave over the draft it was edited from. ' +
    '`pair` "call": the call that went through over one that was refused at the same state. Unchanged drafts, ' +
    'timeouts and cancels make no pair.',
};

/** README.md of an export folder. The front matter needs `datasets` 4.7 or newer for its JSON columns. */
export function datasetCard({ format, data, rows, dropped, episodes, lastSeq }: Card): string {
  const features = [
    ...MESSAGE_COLUMNS[format].map((name) => `  - {name: ${name}, list: json}`),
    ...(format === 'preference' ? ['  - {name: pair, dtype: string}'] : []),
    ...PROVENANCE_FEATURES.map(([name, dtype]) => `  - {name: ${name}, dtype: ${dtype}}`),
  ];
  const counts = Object.entries(dropped).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `---
pretty_name: Expert interventions
tags: [trl, tool-use, human-feedback]
task_categories: [text-generation]
configs:
- config_name: ${format}
  default: true
  data_files: [{split: train, path: ${data}}]
dataset_info:
- config_name: ${format}
  features:
${features.join('\n')}
---

# Expert interventions: ${format}

${String(rows)} rows from ${String(episodes)} ended episodes (log up to event ${String(lastSeq)}), written by Interject.

${RULES[format]}

\`actor\` says who acted: \`human\`, \`model\`, \`scripted\` (an answers file or a rule) or \`agent\`. \`privilege\` names
what the author had seen of the answer; only \`leak_free\` rows come from authors who had seen nothing. Evaluate
without an expert.

## Left out

${counts.length === 0 ? 'Nothing.' : counts.map(([rule, count]) => `- ${rule}: ${String(count)}`).join('\n')}
`;
}
