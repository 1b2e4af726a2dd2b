// What a command's answer, or a topic's news, may tell of a task's answer. A new command does not compile until it says
// so here; one that reveals something does not compile until `src/main/commands/revealed.ts` finds it in what is sent.
import type { Saw } from '../events/actor.ts';
import { commandLine } from './commandLine.ts';
import type { Method } from './contract.ts';
import type { Topic } from './envelope.ts';
import { models } from './models.ts';
import { runs } from './runs.ts';
import { stepIns } from './stepIns.ts';

const REVEALS_NOTHING = [] as const satisfies readonly Saw[];
const REVEALS_VERDICT = ['verdict'] as const satisfies readonly Saw[];
/** Words of an author who had seen some of it: drafts, advice, notes. Whoever reads them inherits that. */
const INHERITED = ['criteria', 'reference', 'verdict', 'hidden_state'] as const satisfies readonly Saw[];

const revealNothing = <C extends object>(commands: C): { [M in keyof C]: typeof REVEALS_NOTHING } =>
  Object.fromEntries(Object.keys(commands).map((method) => [method, REVEALS_NOTHING])) as {
    [M in keyof C]: typeof REVEALS_NOTHING;
  };

export const REVEALS = {
  'app.describe': REVEALS_NOTHING,
  // Only what an answer or a push referred to before, and that was recorded then; an expert's seat gets no other text.
  'text.read': REVEALS_NOTHING,

  'environments.list': REVEALS_NOTHING,
  'environments.add': REVEALS_NOTHING,
  'environments.texts': REVEALS_NOTHING,
  'environments.set_text': REVEALS_NOTHING,
  'environments.verifier': REVEALS_NOTHING,
  'environments.set_verifier': REVEALS_NOTHING,
  'environments.tries': REVEALS_NOTHING,
  'environments.set_tries': REVEALS_NOTHING,
  'environments.connection': REVEALS_NOTHING,
  'environments.set_connection': REVEALS_NOTHING,
  'environments.remove': REVEALS_NOTHING,
  'environments.check': REVEALS_NOTHING,
  'environments.audit': REVEALS_NOTHING,
  'environments.audit_progress': REVEALS_NOTHING,
  'environments.cancel_audit': REVEALS_NOTHING,
  'environments.overview': REVEALS_VERDICT,
  'scenarios.search': REVEALS_NOTHING,
  'scenarios.list': REVEALS_NOTHING,
  'tasks.list': REVEALS_NOTHING,

  'episodes.page': REVEALS_VERDICT,
  'episode.start': REVEALS_NOTHING,
  'episode.stop': REVEALS_NOTHING,
  'episode.read': INHERITED,
  'answer_key.describe': REVEALS_NOTHING,
  'answer_key.show': ['criteria', 'reference'],

  'desk.answer': REVEALS_NOTHING,
  'desk.decline': REVEALS_NOTHING,
  'desk.claim': REVEALS_NOTHING,
  'desk.pass': REVEALS_NOTHING,
  'desk.advise_late': REVEALS_NOTHING,
  'desk.missed': REVEALS_NOTHING,
  'desk.redraft': REVEALS_NOTHING,
  'advice.similar': INHERITED,
  'advice.make_plan': REVEALS_NOTHING,
  // One sum over all episodes.
  'people.summary': REVEALS_NOTHING,
  'seat.set_presence': REVEALS_NOTHING,

  'experts.read': REVEALS_NOTHING,
  'experts.save': REVEALS_NOTHING,
  // Sums over all episodes.
  'experts.figures': REVEALS_NOTHING,
  'settings.read': REVEALS_NOTHING,
  'settings.write': REVEALS_NOTHING,
  'settings.try_model': REVEALS_NOTHING,
  ...revealNothing(models),
  'awm.read': REVEALS_NOTHING,
  'awm.write': REVEALS_NOTHING,

  ...revealNothing(stepIns),
  'policy.set': REVEALS_NOTHING,
  // What the agent would have read costs nothing; what changes in the world is shown by a command of its own.
  'preview.describe': REVEALS_NOTHING,
  'preview.run': REVEALS_VERDICT,
  'preview.changes': ['hidden_state'],
  'preview.cancel': REVEALS_NOTHING,
  'episode.fork': REVEALS_NOTHING,
  'episode.resume': REVEALS_NOTHING,
  'episode.go_on': REVEALS_NOTHING,
  'episode.let_be': REVEALS_NOTHING,
  'call.changes': ['hidden_state'],
  'state.tables': ['hidden_state'],
  'state.page': ['hidden_state'],

  'invites.create': REVEALS_NOTHING,
  'invites.list': REVEALS_NOTHING,
  'invites.revoke': REVEALS_NOTHING,
  'owner.renew_token': REVEALS_NOTHING,
  'folder.settle': REVEALS_NOTHING,
  'answers.mine': REVEALS_VERDICT,
  'guide.read': REVEALS_NOTHING,
  'guide.end': REVEALS_NOTHING,

  'erase.size': REVEALS_NOTHING,
  'episode.erase': REVEALS_NOTHING,

  'gateway.settings': REVEALS_NOTHING,
  'gateway.configure': REVEALS_NOTHING,
  'gateway.client_file': REVEALS_NOTHING,
  'keys.list': REVEALS_NOTHING,
  'keys.create': REVEALS_NOTHING,
  'keys.revoke': REVEALS_NOTHING,
  'keys.defaults': REVEALS_NOTHING,
  'keys.audit': REVEALS_NOTHING,
  'request.uncover': ['criteria'],
  'training.runs': REVEALS_NOTHING,
  'training.read': REVEALS_VERDICT,
  'training.curriculum': REVEALS_VERDICT,
  'training.steer': REVEALS_NOTHING,
  'training.add_log': REVEALS_NOTHING,
  'groups.page': REVEALS_VERDICT,
  'group.read': REVEALS_VERDICT,

  'log.search': INHERITED,
  'log.search_progress': REVEALS_NOTHING,
  'library.facets': REVEALS_NOTHING,
  'library.names': REVEALS_NOTHING,
  'tags.change': REVEALS_NOTHING,
  'lift.read': REVEALS_VERDICT,
  'decisions.page': INHERITED,

  'import.begin': REVEALS_NOTHING,
  'import.chunk': REVEALS_NOTHING,
  'import.end': REVEALS_NOTHING,
  'import.cancel': REVEALS_NOTHING,
  'import.source': REVEALS_NOTHING,
  'export.check': REVEALS_NOTHING,
  'export.write': REVEALS_NOTHING,
  'export.job': INHERITED,
  'export.cancel': REVEALS_NOTHING,
  'export.show': REVEALS_NOTHING,
  'export.history': REVEALS_NOTHING,

  'project.list': REVEALS_NOTHING,
  'project.create': REVEALS_NOTHING,
  'project.change': REVEALS_NOTHING,
  'project.set_schema': REVEALS_NOTHING,
  'queue.make': REVEALS_NOTHING,
  'queue.items': REVEALS_VERDICT,
  'queue.next': REVEALS_NOTHING,
  'queue.open': REVEALS_VERDICT,
  'queue.skip': REVEALS_NOTHING,
  'queue.postpone': REVEALS_NOTHING,
  'queue.done': REVEALS_NOTHING,
  'queue.reopen': REVEALS_NOTHING,
  'queue.assign_many': REVEALS_NOTHING,
  'queue.add': REVEALS_NOTHING,
  'annotation.give': REVEALS_NOTHING,
  'annotation.withdraw': REVEALS_NOTHING,
  'annotation.correct': REVEALS_NOTHING,
  'annotation.prefer': REVEALS_NOTHING,
  'annotation.conflicts': REVEALS_VERDICT,
  'annotation.adjudicate': REVEALS_NOTHING,
  'annotation.export': REVEALS_NOTHING,

  'rewards.profiles': REVEALS_NOTHING,
  'rewards.save_profile': REVEALS_NOTHING,
  'rewards.remove_profile': REVEALS_NOTHING,
  'rewards.scores': REVEALS_VERDICT,

  'bench.start': REVEALS_NOTHING,
  'bench.resume': REVEALS_NOTHING,
  'bench.splits': REVEALS_NOTHING,
  'bench.plan': REVEALS_NOTHING,
  // Into a file; the answer says where it is.
  'bench.export': REVEALS_NOTHING,
  'bench.list': REVEALS_NOTHING,
  // Task by task, once it is over.
  'bench.show': REVEALS_VERDICT,

  ...revealNothing(runs),
  // A command shows no seat anything.
  ...revealNothing(commandLine),
} as const satisfies Record<Method, readonly Saw[]>;

export const TOPIC_REVEALS = {
  episode: INHERITED,
  episodes: REVEALS_VERDICT,
  desk: INHERITED,
  gateway: REVEALS_NOTHING,
  imports: REVEALS_NOTHING,
  projects: REVEALS_NOTHING,
} as const satisfies Record<Topic['topic'], readonly Saw[]>;

/** The commands that reveal something. */
export type RevealingMethod = {
  [M in Method]: (typeof REVEALS)[M] extends readonly [] ? never : M;
}[Method];

export const isRevealing = (method: Method): method is RevealingMethod => REVEALS[method].length > 0;
