// Reads the help in a client's transcript: questions to an expert, advice in what the agent read, a brief before it
// began, and which calls it holds. Pure. Recognition is tolerant; what it misses is why a client has to declare as
// well.
import * as z from 'zod/mini';
import { canonical } from '../canonical.ts';
import { taggedJson } from '../between.ts';
import { tryJson } from '../json.ts';
import { parsePlan } from '../plan.ts';
import { READ_MAX } from '../truncate.ts';
import { ASK_EXPERT, RESERVED_TOOLS } from '../wire.ts';

export type ToldHelp = {
  /** A reply asks an expert. */
  hasAsk: boolean;
  /** A message that the agent read holds a plan or words headed as an expert's, before its first reply or later. */
  hasAdvice: boolean;
  /** The calls of its replies in order, without asks and the host's own: `tool\narguments` with sorted keys. */
  calls: string[];
  /** Replies that no environment hears of, and that are well formed: a question to the expert, or words without a call. */
  silentReplies: number;
  /** Tools it called that are no tool of the environment's: nobody knows who answers them. */
  ownTools: string[];
};

const ReportedMessage = z.looseObject({
  role: z.string(),
  content: z.optional(z.unknown()),
  tool_calls: z.nullish(
    z.array(
      z.looseObject({
        function: z.optional(z.looseObject({ name: z.string(), arguments: z.unknown() })),
      }),
    ),
  ),
});
type ReportedMessage = z.infer<typeof ReportedMessage>;
const ReportedParts = z.array(
  z.looseObject({ text: z.optional(z.string()), content: z.optional(z.string()) }),
);

type ReportedCall = { name: string; args: unknown };

/** Names by which clients call an expert: `ask_expert`, `consult_advisor`, `query_teacher`. */
const EXPERT_TOOL = /(?:^|[_.-])(?:expert|advis[eo]r|teacher|mentor|oracle|supervisor|tutor)s?(?:$|[_.-])/i;
/** A line or a tag that says whose words follow. */
const EXPERT_HEAD =
  /(?:^|\n)[ \t]*(?:[#*<[]{1,6}[ \t]*)?(?:the[ \t]+|an?[ \t]+)?(?:expert|advisor|teacher|mentor|supervisor)(?:['’]s)?[ _-]?(?:advice|plan|guidance|brief|hints?|instructions?|recommendations?|answer|response)\b[^\n:>]{0,30}[:>]/i;
const EXPERT_SAYS =
  /\b(?:advice|plan|guidance|hints?) from (?:an?|the) (?:expert|advisor|teacher|mentor)\b[^\n:]{0,30}:/i;
const ASK_IN_TEXT = new RegExp(`<${ASK_EXPERT}\\b|\\b${ASK_EXPERT}[ \\t]*\\(`);

/** Reads chat messages in JSON; null where they are none, or more than is read. `tools` are the names of the environment's. */
export function readToldHelp(json: string, tools: ReadonlySet<string>): ToldHelp | null {
  const messages = z.array(ReportedMessage).safeParse(json.length > READ_MAX ? null : tryJson(json)).data;
  if (messages === undefined) return null;
  const replies = messages.filter(({ role }) => role === 'assistant');
  const calls = replies.flatMap(callsOf);
  const isAsk = ({ name }: ReportedCall): boolean =>
    name === ASK_EXPERT || (!tools.has(name) && EXPERT_TOOL.test(name));
  const made = calls.filter(
    (call) => !isAsk(call) && call.name !== 'list_tools' && !RESERVED_TOOLS.has(call.name),
  );
  return {
    hasAsk: calls.some(isAsk) || replies.some((reply) => ASK_IN_TEXT.test(reportedText(reply))),
    hasAdvice: messages.some(
      (message) => message.role !== 'assistant' && isAdvice(reportedText(message), tools),
    ),
    silentReplies: replies.filter((reply) => isSilent(reply, isAsk)).length,
    calls: made.map(({ name, args }) => callKey(name, args)),
    ownTools:
      tools.size === 0 ? [] : [...new Set(made.flatMap(({ name }) => (tools.has(name) ? [] : [name])))],
  };
}

/** One that tries to call and cannot be read makes no call either, but is not well formed. */
function isSilent(reply: ReportedMessage, isAsk: (call: ReportedCall) => boolean): boolean {
  const calls = callsOf(reply);
  if (calls.length > 0) return calls.every(isAsk);
  return (reply.tool_calls ?? []).length === 0 && !reportedText(reply).includes('<tool_call>');
}

/** Two calls of the same tool with the same arguments share it. */
export const callKey = (tool: string, args: unknown): string => `${tool}\n${canonical(args)}`;

function isAdvice(text: string, tools: ReadonlySet<string>): boolean {
  if (EXPERT_HEAD.test(text) || EXPERT_SAYS.test(text)) return true;
  if (!/"plan"\s*:/.test(text)) return false;
  const { form, calls } = parsePlan(text);
  return form === 'json' && calls.some(({ tool }) => tools.size === 0 || tools.has(tool));
}

function callsOf(message: ReportedMessage): ReportedCall[] {
  const beside = (message.tool_calls ?? []).flatMap(({ function: called }) =>
    called === undefined ? [] : [{ name: called.name, args: objectOf(called.arguments) }],
  );
  const written = taggedJson(reportedText(message)).flatMap((json) => {
    const call = z.looseObject({ name: z.string(), arguments: z.unknown() }).safeParse(tryJson(json)).data;
    return call === undefined ? [] : [{ name: call.name, args: objectOf(call.arguments) }];
  });
  return [...beside, ...(beside.length > 0 ? [] : written)].map(unwrapped);
}

/** `call_tool({"tool_name", "arguments"})` is the call inside. */
function unwrapped(call: ReportedCall): ReportedCall {
  if (call.name !== 'call_tool') return call;
  const inner = z.looseObject({ tool_name: z.string(), arguments: z.unknown() }).safeParse(call.args).data;
  return inner === undefined ? call : { name: inner.tool_name, args: objectOf(inner.arguments) };
}

const objectOf = (given: unknown): unknown => (typeof given === 'string' ? tryJson(given) : given) ?? {};

function reportedText({ content }: ReportedMessage): string {
  if (typeof content === 'string') return content;
  const parts = ReportedParts.safeParse(content).data ?? [];
  return parts.map(({ text, content: inner }) => text ?? inner ?? '').join('\n');
}
