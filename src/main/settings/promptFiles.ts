// Which texts models read, the file each lives in, and the placeholders each must hold.

/** Folder and name under `resources/prompts`, and what is filled in. A file must hold exactly these placeholders. */
export const PROMPT_FILES = {
  agentNative: { file: 'agent/system_native.md', holes: ['calls', 'ask'] },
  agentXml: { file: 'agent/system_xml.md', holes: ['tools', 'calls', 'ask'] },
  callsFirst: { file: 'agent/calls_first.md', holes: [] },
  callsInOrder: { file: 'agent/calls_in_order.md', holes: [] },
  callsRefused: { file: 'agent/calls_refused.md', holes: [] },
  awmUser: { file: 'agent/awm_user.md', holes: [] },
  askNative: { file: 'agent/ask_native.md', holes: [] },
  askXml: { file: 'agent/ask_xml.md', holes: [] },
  askTool: { file: 'agent/ask_tool.md', holes: [] },
  listTool: { file: 'agent/list_tool.md', holes: [] },
  nudgeError: { file: 'agent/nudge_error.md', holes: [] },
  nudgeStall: { file: 'agent/nudge_stall.md', holes: [] },
  adviceDeclined: { file: 'agent/advice_declined.md', holes: ['reason'] },
  adviceTimedOut: { file: 'agent/advice_timed_out.md', holes: [] },
  adviceNobody: { file: 'agent/advice_nobody.md', holes: [] },
  refusedBudget: { file: 'agent/refused_budget.md', holes: [] },
  refusedCondition: { file: 'agent/refused_condition.md', holes: [] },
  refusedReserved: { file: 'agent/refused_reserved.md', holes: ['tool'] },
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
  reviewPrelabel: { file: 'review/prelabel.md', holes: ['task', 'schema', 'transcript'] },
} as const;

export type PromptName = keyof typeof PROMPT_FILES;
export type Hole<N extends PromptName> = (typeof PROMPT_FILES)[N]['holes'][number];
