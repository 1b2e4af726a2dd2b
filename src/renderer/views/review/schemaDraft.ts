// A schema as a person edits it: options as lines of text, and back. Pure.
import type { Dimension, Level, Option } from '../../../shared/events/annotations.ts';

export type DimensionDraft = {
  id: string;
  type: Dimension['type'];
  name: string;
  description: string;
  on: Level[];
  is_required: boolean;
  use: Dimension['use'];
  is_ordered: boolean;
  /** One option a line: `label: what it means`. */
  options: string;
  /** Ids of options as they are, by their label: renaming nothing keeps them. */
  known: readonly Option[];
  min: string;
  max: string;
  step: string;
  min_label: string;
  max_label: string;
};

export function dimensionDraft(dimension: Dimension): DimensionDraft {
  const { id, type, name, description, on, is_required, use } = dimension;
  const options = 'options' in dimension ? dimension.options : [];
  const scale = dimension.type === 'scale' ? dimension : null;
  return {
    id,
    type,
    name,
    description,
    on: [...on],
    is_required,
    use,
    is_ordered: dimension.type === 'category' && dimension.is_ordered,
    options: options
      .map((one) => (one.description === '' ? one.label : `${one.label}: ${one.description}`))
      .join('\n'),
    known: options,
    min: String(scale?.min ?? 1),
    max: String(scale?.max ?? 5),
    step: String(scale?.step ?? 1),
    min_label: scale?.min_label ?? '',
    max_label: scale?.max_label ?? '',
  };
}

export const newDraft = (taken: readonly string[]): DimensionDraft => ({
  ...dimensionDraft({
    type: 'free_text',
    id: uniqueId('question', taken),
    name: '',
    description: '',
    on: ['step'],
    is_required: false,
    use: null,
  }),
  type: 'category',
  options: 'No\nYes',
});

/** The dimension a draft stands for, or what keeps it from being one. */
export function dimensionOf(draft: DimensionDraft): { dimension: Dimension } | { problem: string } {
  const { id, type, description, is_required, use, on } = draft;
  const name = draft.name.trim();
  if (name === '') return { problem: 'A question has no name.' };
  if (on.length === 0) return { problem: `“${name}” applies to nothing: choose what it is about.` };
  const base = { id, name, description: description.trim(), on, is_required, use };
  if (type === 'free_text') return { dimension: { type, ...base } };
  if (type === 'scale') {
    const [min, max, step] = [Number(draft.min), Number(draft.max), Number(draft.step)];
    if (![min, max, step].every(Number.isFinite) || step <= 0)
      return { problem: `The ends and the step of “${name}” must be numbers.` };
    const { min_label, max_label } = draft;
    return { dimension: { type, ...base, min, max, step, min_label, max_label } };
  }
  const options = optionsOf(draft);
  if (options.length < (type === 'category' ? 2 : 1))
    return { problem: `“${name}” has ${type === 'category' ? 'fewer than two options' : 'no labels'}.` };
  return {
    dimension:
      type === 'category'
        ? { type, ...base, options, is_ordered: draft.is_ordered }
        : { type, ...base, options },
  };
}

function optionsOf({ options, known }: DimensionDraft): Option[] {
  const taken: string[] = [];
  return options
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const at = line.indexOf(': ');
      const label = (at === -1 ? line : line.slice(0, at)).trim().slice(0, 120);
      const description = at === -1 ? '' : line.slice(at + 2).trim();
      const old = known.find((one) => one.label === label && !taken.includes(one.id))?.id;
      const id = old ?? uniqueId(label, [...taken, ...known.map((one) => one.id)]);
      taken.push(id);
      return { id, label, description };
    });
}

/** An id that says what it stands for; ids go into the data and never change. */
function uniqueId(label: string, taken: readonly string[]): string {
  const plain =
    label
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_|_$/g, '')
      .slice(0, 40) || 'option';
  let id = plain;
  for (let count = 2; taken.includes(id); count += 1) id = `${plain}_${String(count)}`;
  return id;
}

/** The id of a new question follows its name until it is saved. */
export const renamed = (
  draft: DimensionDraft,
  name: string,
  isNew: boolean,
  taken: readonly string[],
): DimensionDraft => ({
  ...draft,
  name,
  id: isNew ? uniqueId(name === '' ? 'question' : name, taken) : draft.id,
});
