// Owns: one draft for one consultation, from a model or from the rules, or a failure.
import type { Attempt } from '../../shared/contract/rows.ts';
import type { Privilege } from '../../shared/events/actor.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import type { Briefing } from '../../shared/pack.ts';
import { Failure } from '../../shared/failure.ts';
import type { Llm, LlmReply } from '../llm/port.ts';
import type { Prompts } from '../settings/prompts.ts';

export type DraftRequest = {
  scenario: string | null;
  taskIdx: number | null;
  task: string;
  question: string | null;
  askedTask: string | null;
  tools: ToolSpec[];
  attempts: Attempt[];
  /** What a person asked the draft to take into account. */
  hint: string | null;
};

export type DraftResult =
  | {
      ok: true;
      text: string;
      generator: 'model' | 'rule';
      model: string | null;
      privilege: Privilege;
      usage: LlmReply['usage'];
    }
  | { ok: false; code: string; message: string };

export type Advisor = { draft(request: DraftRequest, signal: AbortSignal): Promise<DraftResult> };

export function createAdvisor(_options: {
  llm: () => Llm | null;
  briefing: (scenario: string | null, taskIdx: number | null) => Briefing | null;
  prompts: Prompts;
}): Advisor {
  return { draft: () => Promise.reject(new Failure('internal', 'unfinished')) };
}
