// The formats of an export: name, content and needs, in the words of the screen and of the card, and their rules.
import type { ExportFormat, Preset } from '../contract/export.ts';

type RowTexts = {
  label: string;
  /** One line: what a row is. */
  what: string;
  /** One line: what has to be recorded for a row to come of it. */
  needs: string;
};

type FormatTexts = RowTexts & {
  /** Rows for TRL, which the scripts of the kit train on. */
  isTrl?: true;
  /** It holds calls and what the agent thought, and the rules say how both are written. */
  hasStyle?: true;
  /** Records of another tool's schema, whose keys vary from row to row: written as lines alone. */
  isLinesOnly?: true;
};

export const FORMATS: Readonly<Record<ExportFormat, FormatTexts>> = {
  sft: {
    label: 'SFT, cut at each step-in',
    what: 'Prompt and completion: what the agent read up to a step-in, and how it went on from there.',
    needs: 'Needs completed episodes, best with advice you gave.',
    isTrl: true,
    hasStyle: true,
  },
  sft_messages: {
    label: 'SFT, whole conversations',
    what: 'One conversation a row, for training on every turn of the agent.',
    needs: 'Needs completed episodes.',
    isTrl: true,
    hasStyle: true,
  },
  preference: {
    label: 'Preference pairs',
    what: 'Chosen and rejected at one decision point, for DPO or a reward model.',
    needs: 'Needs a draft that was changed before it was sent, or a refused call that was put right.',
    isTrl: true,
    hasStyle: true,
  },
  kto: {
    label: 'Good or bad (KTO)',
    what: 'A prompt, a completion, and whether it was good.',
    needs: 'Needs verified episodes, some that succeeded and some that failed.',
    isTrl: true,
    hasStyle: true,
  },
  grpo: {
    label: 'Prompts (GRPO)',
    what: 'One prompt a task; the environment gives the reward while it trains.',
    needs: 'Needs one episode of each task.',
    isTrl: true,
  },
  episode_record: {
    label: 'OpenEnv episodes',
    what: 'EpisodeRecord, as OpenEnv’s own collector writes it.',
    needs: 'Takes any ended episode.',
  },
  human_feedback: {
    label: 'Human feedback',
    what: 'Labels, preferences and corrections, each on the step or episode it is about.',
    needs: 'Needs labels or finished reviews.',
  },
  atif: {
    label: 'ATIF',
    what: 'Agent trajectories as Harbor and its viewers read them.',
    needs: 'Takes any ended episode.',
    isLinesOnly: true,
  },
  awm: {
    label: 'Agent World Model',
    what: 'Trajectories as the Agent World Model’s own runs write them.',
    needs: 'Takes any ended episode.',
    isLinesOnly: true,
  },
  scores: {
    label: 'Scores',
    what: 'What each episode is worth by each reward profile, with all its parts.',
    needs: 'Takes any ended episode.',
    isLinesOnly: true,
  },
  events: {
    label: 'Every event',
    what: 'The log itself, nothing left out: it can be imported again whole.',
    needs: 'Takes any ended episode.',
    isLinesOnly: true,
  },
};

export const PRESETS: Readonly<Record<Preset, RowTexts>> = {
  demonstrations: {
    label: 'Demonstrations',
    what: 'Episodes completed without any help, to bootstrap from.',
    needs: 'Needs episodes completed with nobody stepping in.',
  },
  advisor: {
    label: 'Train an advisor',
    what: 'A question with what was known then, and the advice that was given.',
    needs: 'Needs advice that was sent.',
  },
  when_to_ask: {
    label: 'When to ask',
    what: 'A moment of an episode, and whether the agent asked there.',
    needs: 'Needs episodes in which an expert could be asked.',
  },
};

export const rowTexts = (format: ExportFormat, preset: Preset | null): RowTexts =>
  preset === null ? FORMATS[format] : PRESETS[preset];

/** `isRare`: looked for now and then, and folded until then. */
type FormatGroup = { label: string; formats: readonly ExportFormat[]; isRare?: true };

/** The file of the rules, beside what they made, where the command finds it. */
export const RULES_FILE = 'rules.json';

/** By what a trainer wants of them, in the order people look for them. */
export const FORMAT_GROUPS: readonly FormatGroup[] = [
  { label: 'Imitate what went well', formats: ['sft', 'sft_messages'] },
  { label: 'Prefer the better of two', formats: ['preference', 'kto'] },
  { label: 'Practise in the environment', formats: ['grpo'] },
  {
    label: 'Hand to other tools',
    formats: ['episode_record', 'human_feedback', 'atif', 'awm', 'scores', 'events'],
    isRare: true,
  },
];
