// The texts models are given: which there are and the placeholders each must hold; reading them, checked once, and filling
// them. Must not know: when a text is used.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../shared/failure.ts';

/** Folder and name under `resources/prompts`, and what is filled in. A file must hold exactly these placeholders. */
export const PROMPT_FILES = {
  agentNative: { file: 'agent/system_native.md', holes: ['calls', 'ask'] },
  agentXml: { file: 'agent/system_xml.md', holes: ['tools', 'calls', 'ask'] },
  callsFirst: { file: 'agent/calls_first.md', holes: [] },
  callsInOrder: { file: 'agent/calls_in_order.md', holes: [] },
  awmUser: { file: 'agent/awm_user.md', holes: [] },
  askNative: { file: 'agent/ask_native.md', holes: [] },
  askXml: { file: 'agent/ask_xml.md', holes: [] },
  askTool: { file: 'agent/ask_tool.md', holes: [] },
  askWho: { file: 'agent/ask_who.md', holes: ['experts'] },
  askWhoXml: { file: 'agent/ask_who_xml.md', holes: ['experts'] },
  expertNotFollowed: { file: 'agent/expert_not_followed.md', holes: ['wanted', 'asked'] },
  listTool: { file: 'agent/list_tool.md', holes: [] },
  nudgeError: { file: 'agent/nudge_error.md', holes: [] },
  nudgeStall: { file: 'agent/nudge_stall.md', holes: [] },
  adviceDeclined: { file: 'agent/advice_declined.md', holes: ['reason'] },
  adviceTimedOut: { file: 'agent/advice_timed_out.md', holes: [] },
  adviceNobody: { file: 'agent/advice_nobody.md', holes: [] },
  refusedBudget: { file: 'agent/refused_budget.md', holes: [] },
  refusedCondition: { file: 'agent/refused_condition.md', holes: [] },
  refusedReserved: { file: 'agent/refused_reserved.md', holes: ['tool'] },
  refusedArguments: { file: 'agent/refused_arguments.md', holes: ['tool', 'detail'] },
  refusedUnknownTool: { file: 'agent/refused_unknown_tool.md', holes: ['tool'] },
  malformedNative: { file: 'agent/malformed_native.md', holes: ['detail'] },
  malformedXml: { file: 'agent/malformed_xml.md', holes: ['detail'] },
  ignoredCalls: { file: 'agent/ignored_calls.md', holes: ['count'] },
  emptyResult: { file: 'agent/empty_result.md', holes: [] },
  cutMark: { file: 'agent/cut_mark.md', holes: ['shown', 'total'] },
  note: { file: 'agent/note.md', holes: ['note'] },
  confidence: { file: 'agent/confidence.md', holes: [] },
  unsure: { file: 'agent/unsure.md', holes: ['stated', 'below'] },
  brief: { file: 'agent/brief.md', holes: ['brief'] },
  callEdited: { file: 'agent/call_edited.md', holes: ['call', 'reason'] },
  setAside: { file: 'agent/set_aside.md', holes: [] },
  callExpired: { file: 'agent/call_expired.md', holes: [] },
  callRejected: { file: 'agent/call_rejected.md', holes: ['reason'] },
  advisorSystem: { file: 'advisor/system.md', holes: [] },
  advisorBrief: {
    file: 'advisor/brief.md',
    holes: ['task', 'criteria', 'tools', 'attempts', 'question', 'hint'],
  },
  advisorCriteria: { file: 'advisor/criteria.md', holes: ['criteria'] },
  advisorPlan: { file: 'advisor/plan.md', holes: ['task', 'tools', 'question', 'words'] },
  advisorClientTools: { file: 'advisor/client_tools.md', holes: ['tools'] },
  advisorDistil: { file: 'advisor/distil.md', holes: ['task', 'notes', 'code'] },
  advisorBaseline: {
    file: 'advisor/baseline.md',
    holes: ['words', 'task', 'tools', 'baseline', 'hint'],
  },
  advisorHint: { file: 'advisor/hint.md', holes: ['hint'] },
} as const;

type PromptName = keyof typeof PROMPT_FILES;
type Hole<N extends PromptName> = (typeof PROMPT_FILES)[N]['holes'][number];

/** A text with placeholders, from the file it names. */
type Prompt<H extends string> = { file: string; text: string; holes: readonly H[] };
export type Prompts = { [N in PromptName]: Prompt<Hole<N>> } & {
  /** Digest of every text the agent may read: the same in all conditions. */
  sha256: string;
};

const HOLE = /\{([a-z_]+)\}/g;

/** Every prompt of the folder. Throws a `Failure` naming a file that is missing or holds the wrong placeholders. */
export function readPrompts(folder: string): Prompts {
  const names = Object.keys(PROMPT_FILES) as PromptName[];
  const read = Object.fromEntries(names.map((name) => [name, readPrompt(folder, name)]));
  const digest = createHash('sha256');
  for (const name of names) {
    const prompt = read[name];
    if (prompt?.file.startsWith('agent/')) digest.update(`${prompt.file}\n${prompt.text}\n`);
  }
  return { ...read, sha256: digest.digest('hex') } as Prompts;
}

/** The text with every placeholder filled. A value is put in as it is: placeholders inside it stay words. */
export function fillPrompt<H extends string>(prompt: Prompt<H>, values: Readonly<Record<H, string>>): string {
  return prompt.text.replace(HOLE, (_, hole: string) => {
    if (!Object.hasOwn(values, hole)) {
      throw new Failure('internal', `the prompt ${prompt.file} got no value for {${hole}}`);
    }
    return values[hole as H];
  });
}

function readPrompt(folder: string, name: PromptName): Prompt<string> {
  const { file, holes } = PROMPT_FILES[name];
  const text = readPromptFile(folder, file).trimEnd();
  const found = new Set([...text.matchAll(HOLE)].map((match) => match[1] ?? ''));
  const wanted: readonly string[] = holes;
  const missing = wanted.find((hole) => !found.has(hole));
  const unknown = [...found].find((hole) => !wanted.includes(hole));
  if (missing !== undefined) throw brokenPrompt(folder, file, `{${missing}} is missing`);
  if (unknown !== undefined) throw brokenPrompt(folder, file, `nothing fills {${unknown}}`);
  if (text.trim() === '') throw brokenPrompt(folder, file, 'it is empty');
  return { file, text, holes: wanted };
}

function readPromptFile(folder: string, file: string): string {
  try {
    return readFileSync(join(folder, file), 'utf8')
      .replace(/^\uFEFF/, '')
      .replaceAll('\r\n', '\n');
  } catch (thrown) {
    throw new Failure('not_found', `the prompt ${join(folder, file)} cannot be read`, {
      cause: thrown,
      next: 'Restore the file, or install Interject again.',
    });
  }
}

const brokenPrompt = (folder: string, file: string, why: string): Failure =>
  new Failure('bad_input', `the prompt ${join(folder, file)} cannot be used: ${why}`, {
    next: 'Correct the file, or restore the one that Interject came with.',
  });
