// The schema a new project starts from. Every part of it can be changed or thrown away. The failures are in our own
// words; they bring together what public studies of agent failures name again and again: the multi-agent failure
// taxonomy MAST (arXiv 2503.13657), studies of tool-use errors, and of long-horizon agents.
import type { Dimension, Option } from '../events/annotations.ts';

const option = (id: string, label: string, description: string): Option => ({ id, label, description });

export const FAILURES: readonly Option[] = [
  option(
    'misread_task',
    'Misread the task',
    'Works on something other than what was asked, or drops a condition of it.',
  ),
  option(
    'no_plan',
    'No workable plan',
    'Acts without an order of steps that could lead to the goal, or keeps to one that cannot.',
  ),
  option('wrong_tool', 'Wrong tool', 'Another tool of the ones offered was the right one here.'),
  option(
    'invented_tool',
    'Invented tool or argument',
    'Calls a tool that does not exist, or passes an argument it does not take.',
  ),
  option(
    'wrong_arguments',
    'Wrong arguments',
    'The right tool with a wrong value: another record, a wrong date, a missing filter.',
  ),
  option('made_up_fact', 'Made-up fact', 'States or uses something that no message and no result says.'),
  option(
    'misread_result',
    'Misread a result',
    'What came back says something else than the agent takes from it.',
  ),
  option('ignored_error', 'Ignored an error', 'A call failed and the agent goes on as if it had not.'),
  option(
    'repeated_step',
    'Repeated a step',
    'Makes the same call again without a reason, or goes round in a circle.',
  ),
  option(
    'lost_context',
    'Lost what it knew',
    'Forgets or contradicts what it read or did earlier in the episode.',
  ),
  option(
    'unasked_change',
    'Unasked change',
    'Changes something it was not asked to change, or goes beyond what it may do.',
  ),
  option('did_not_ask', 'Did not ask', 'Went on guessing where a question to an expert was called for.'),
  option(
    'needless_ask',
    'Asked needlessly',
    'Asked for what it already had, or could have looked up at once.',
  ),
  option(
    'ignored_advice',
    'Ignored advice',
    'Was given advice that holds, and did something else without a reason.',
  ),
  option(
    'said_not_done',
    'Said one thing, did another',
    'The call is not what the words before it announce.',
  ),
  option('no_check', 'Did not check', 'Claims success without looking whether the goal is reached.'),
  option('ended_early', 'Ended too early', 'Gives a final answer while part of the task is still open.'),
  option('ended_late', 'Did not end', 'Goes on after the task was done, or until a limit stopped it.'),
  option('bad_format', 'Broken format', 'The reply could not be read as a move.'),
  option(
    'environment_fault',
    'Not the agent’s fault',
    'The environment, a tool or the task itself is broken.',
  ),
];

/** Three marks for each step, for trainers that reward steps. */
export const PROCESS_REWARD: Dimension = {
  type: 'category',
  id: 'step_reward',
  name: 'Step',
  description:
    'Did this step bring the task forward? Judge the step as it could be judged then, not by how it ended.',
  on: ['step'],
  is_required: false,
  use: 'process_reward',
  is_ordered: true,
  options: [
    option('bad', 'Bad', 'Leads away from the goal, breaks something, or cannot work.'),
    option('neutral', 'Neutral', 'Neither helps nor harms.'),
    option('good', 'Good', 'A step a good expert would also take here.'),
  ],
};

export const STARTER: readonly Dimension[] = [
  PROCESS_REWARD,
  {
    type: 'label',
    id: 'failure',
    name: 'What went wrong',
    description: 'Everything that applies. Put it on the step where it happened, or on the whole episode.',
    on: ['step', 'trajectory'],
    is_required: false,
    use: 'failure',
    options: [...FAILURES],
  },
  {
    type: 'category',
    id: 'outcome',
    name: 'Was the task done?',
    description: 'As the person who asked would see it.',
    on: ['trajectory'],
    is_required: true,
    use: 'outcome',
    is_ordered: true,
    options: [
      option('no', 'No', 'The goal was not reached.'),
      option('partly', 'Partly', 'Some of what was asked is there.'),
      option('yes', 'Yes', 'All of it, and nothing else was broken.'),
    ],
  },
  {
    type: 'scale',
    id: 'quality',
    name: 'Quality of the work',
    description: 'How well it was done, apart from whether it succeeded.',
    on: ['trajectory'],
    is_required: false,
    use: null,
    min: 1,
    max: 5,
    step: 1,
    min_label: 'poor',
    max_label: 'excellent',
  },
  {
    type: 'label',
    id: 'passage',
    name: 'Passage',
    description: 'Select words in a message or a result and say what they are.',
    on: ['range'],
    is_required: false,
    use: null,
    options: [
      option('made_up', 'Made up', 'Nothing the agent had read supports it.'),
      option('wrong', 'Wrong', 'Contradicts what the agent had read.'),
      option('key_evidence', 'Key evidence', 'What the right next step follows from.'),
      option('sensitive', 'Sensitive', 'Should not leave this data folder.'),
    ],
  },
  {
    type: 'free_text',
    id: 'note',
    name: 'Note',
    description: 'Anything a reader of the data should know.',
    on: ['trajectory', 'step'],
    is_required: false,
    use: null,
  },
];
