// Asks a model to label an item, checks its answer like a person's, and keeps it apart from people's judgements.
import { z } from 'zod';
import { wrongValue } from '../../shared/annotate/check.ts';
import { projectStream, type Dimension, type Target, type Value } from '../../shared/events/annotations.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { Failure, failureShape } from '../../shared/failure.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { Llm } from '../llm/port.ts';
import { withoutThinking } from '../llm/thinking.ts';
import { fillPrompt, type Prompts } from '../settings/prompts.ts';
import type { Projects } from './projects.ts';
import { findItem, type ReviewerItem, type ItemAddress, type Reviewer } from './reviewer.ts';
import { schemaText, labelTranscript } from './labelTranscript.ts';

export type Suggest = {
  /** Whether a model is set. */
  canSuggest(): boolean;
  /** How many suggestions there are now. Throws a `model_*` failure, which is in the log too. */
  suggest(at: ItemAddress, reviewer: Reviewer, stop?: AbortSignal): Promise<number>;
};

type SuggestDependencies = {
  log: EventLog;
  projects: Projects;
  llm: () => Llm | null;
  prompts: Prompts;
  newId: () => string;
};

const TIMEOUT_MS = 120_000;
const RATIONALE_MAX = 2000;

const SuggestionReply = z.object({ suggestions: z.array(z.unknown()) });
const ModelSuggestion = z.object({
  dimension: z.string(),
  turn: z.number().int().nullable(),
  value: z.union([z.array(z.string()), z.string(), z.number()]),
  why: z.string().default(''),
});

export const createSuggest = ({ log, projects, llm, prompts, newId }: SuggestDependencies): Suggest => ({
  canSuggest: () => llm() !== null,
  suggest: async (at, reviewer, stop) => {
    const found = findItem(projects, at, reviewer);
    const model = llm();
    const { item, project } = found;
    if (model === null) throw new Failure('model_not_configured', 'no model is set for the expert');
    if (item.subject.type === 'pair') {
      throw new Failure('bad_input', 'labels are suggested for single episodes only');
    }
    const actor = { type: 'model' as const, id: model.model };
    const stream = projectStream(at.project);
    const record = log.record(item.subject.episode);
    try {
      const content = fillPrompt(prompts.reviewPrelabel, {
        task: taskText(log, record),
        schema: schemaText(suggestible(project.schema.dimensions)),
        transcript: labelTranscript(record, (text) => log.texts.loadText(text)),
      });
      const reply = await model.complete(
        {
          messages: [{ role: 'user', content }],
          tools: null,
          maxOutputTokens: null,
          temperature: null,
          seed: null,
        },
        AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(stop === undefined ? [] : [stop])]),
      );
      stop?.throwIfAborted();
      const read = readSuggestions(withoutThinking(reply.content).text, found, record);
      if (read.length === 0)
        throw new Failure('model_empty', 'the model suggested nothing that fits the schema');
      const entries = read.map((one) => ({
        actor,
        event: {
          kind: 'prelabel.suggested' as const,
          prelabel: newId(),
          queue: at.queue,
          item: at.item,
          ...one,
          schema_version: project.schema.version,
          model: reply.model ?? model.model,
        },
      }));
      log.appendAll(stream, entries);
      return entries.length;
    } catch (thrown) {
      // That a person stopped it says nothing about the item.
      if (stop?.aborted === true) throw thrown;
      const { code, message } = failureShape(thrown);
      log.append(stream, actor, { kind: 'prelabel.failed', queue: at.queue, item: at.item, code, message });
      throw thrown;
    }
  },
});

/** A model has no characters to select, and its prose is no label. */
const suggestible = (dimensions: readonly Dimension[]): Dimension[] =>
  dimensions.filter(({ type, on }) => type !== 'free_text' && on.some((level) => level !== 'range'));

const taskText = (log: EventLog, { reset }: EpisodeRecord): string =>
  reset?.task === undefined || reset.task === null ? 'Not recorded.' : log.texts.loadText(reset.task);

type ReadSuggestion = { target: Target; dimension: string; value: Value; rationale: string };

/** What of a reply can be used. A suggestion that fits nothing is dropped: a draft must be one the person could give. */
function readSuggestions(
  reply: string,
  { project, item }: ReviewerItem,
  record: EpisodeRecord,
): ReadSuggestion[] {
  const text = reply.slice(reply.indexOf('{'), reply.lastIndexOf('}') + 1);
  const parsed = SuggestionReply.safeParse(parseReply(text));
  if (!parsed.success || item.subject.type === 'pair') return [];
  const { episode } = item.subject;
  const dimensions = suggestible(project.schema.dimensions);
  return parsed.data.suggestions.flatMap((raw) => {
    const one = ModelSuggestion.safeParse(raw);
    if (!one.success) return [];
    const { turn, why } = one.data;
    const dimension = dimensions.find(({ id }) => id === one.data.dimension);
    if (dimension === undefined) return [];
    const target = targetAt(episode, turn, dimension, record);
    const value = suggestedValue(dimension, one.data.value);
    if (target === null || value === null || wrongValue(dimension, value) !== null) return [];
    return [{ target, dimension: dimension.id, value, rationale: why.slice(0, RATIONALE_MAX) }];
  });
}

function parseReply(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function targetAt(
  episode: string,
  turn: number | null,
  { on }: Dimension,
  record: EpisodeRecord,
): Target | null {
  if (turn === null) return on.includes('trajectory') ? { on: 'trajectory', episode } : null;
  if (!record.turns.some((one) => one.turn === turn)) return null;
  if (on.includes('step')) return { on: 'step', episode, turn };
  return on.includes('call') ? { on: 'call', episode, turn } : null;
}

function suggestedValue(dimension: Dimension, value: string[] | string | number): Value | null {
  if (dimension.type === 'label') {
    return { type: 'label', options: [...new Set(Array.isArray(value) ? value : [String(value)])] };
  }
  if (dimension.type === 'category' && typeof value === 'string') return { type: 'category', option: value };
  return dimension.type === 'scale' && typeof value === 'number' ? { type: 'scale', number: value } : null;
}
