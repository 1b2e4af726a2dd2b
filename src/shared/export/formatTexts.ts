// What each export is called, what it holds and what it needs, in the words of the screen and of the card.
import type { ExportFormat } from '../contract/export.ts';

/** `isRare`: looked for now and then, and folded until then. */
type FormatGroup = { label: string; formats: readonly ExportFormat[]; isRare?: true };

/** By what a trainer wants of them, in the order people look for them. */
export const FORMAT_GROUPS: readonly FormatGroup[] = [
  {
    label: 'Imitate what went well',
    formats: ['sft', 'sft_messages', 'demonstrations'],
  },
  {
    label: 'Prefer the better of two',
    formats: ['preference', 'kto'],
  },
  { label: 'Practise in the environment', formats: ['grpo'] },
  { label: 'Teach advising and asking', formats: ['advisor', 'when_to_ask'], isRare: true },
  {
    label: 'Hand to other tools',
    formats: ['episode_record', 'human_feedback', 'atif', 'awm', 'scores', 'events'],
    isRare: true,
  },
];

type FormatTexts = {
  label: string;
  /** One line: what a row is. */
  what: string;
  /** One line: what has to be recorded for a row to come of it. */
  needs: string;
};

export const FORMAT_TEXTS: Readonly<Record<ExportFormat, FormatTexts>> = {
  sft: {
    label: 'SFT, cut at each step-in',
    what: 'Prompt and completion: what the agent read up to a step-in, and how it went on from there.',
    needs: 'Needs completed episodes, best with advice you gave.',
  },
  sft_messages: {
    label: 'SFT, whole conversations',
    what: 'One conversation a row, for training on every turn of the agent.',
    needs: 'Needs completed episodes.',
  },
  preference: {
    label: 'Preference pairs',
    what: 'Chosen and rejected at one decision point, for DPO or a reward model.',
    needs: 'Needs a draft that was changed before it was sent, or a refused call that was put right.',
  },
  kto: {
    label: 'Good or bad (KTO)',
    what: 'A prompt, a completion, and whether it was good.',
    needs: 'Needs verified episodes, some that succeeded and some that failed.',
  },
  grpo: {
    label: 'Prompts (GRPO)',
    what: 'One prompt a task; the environment gives the reward while it trains.',
    needs: 'Needs one episode of each task.',
  },
  episode_record: {
    label: 'OpenEnv episodes',
    what: 'EpisodeRecord, as OpenEnv’s own collector writes it.',
    needs: 'Takes any ended episode.',
  },
  human_feedback: {
    label: 'OpenEnv human feedback',
    what: 'Labels, preferences and corrections, each on the step or episode it is about.',
    needs: 'Needs labels or finished reviews.',
  },
  atif: {
    label: 'ATIF',
    what: 'Agent trajectories as Harbor and its viewers read them.',
    needs: 'Takes any ended episode.',
  },
  awm: {
    label: 'Agent World Model',
    what: 'Trajectories as the Agent World Model’s own runs write them.',
    needs: 'Takes any ended episode.',
  },
  advisor: {
    label: 'Train an advisor',
    what: 'A question with what was known then, and the advice that was given.',
    needs: 'Needs advice that was sent.',
  },
  demonstrations: {
    label: 'Demonstrations',
    what: 'Episodes completed without any help, to bootstrap from.',
    needs: 'Needs episodes completed with nobody stepping in.',
  },
  when_to_ask: {
    label: 'When to ask',
    what: 'A moment of an episode, and whether the agent asked there.',
    needs: 'Needs episodes in which an expert could be asked.',
  },
  scores: {
    label: 'Scores',
    what: 'What each episode is worth by each reward profile, with all its parts.',
    needs: 'Takes any ended episode.',
  },
  events: {
    label: 'Every event',
    what: 'The log itself, nothing left out: it can be imported again whole.',
    needs: 'Takes any ended episode.',
  },
};
