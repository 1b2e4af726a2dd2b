// The roster of experts: people and models with their skills, and the table that says which kind of question goes to
// which skill.
import { z } from 'zod';

/** Skills known to the table; an expert may have skills in words of its own besides. */
export const SKILLS = ['formatting', 'planning', 'recovery', 'domain'] as const;

const Skill = z.string().trim().min(1).max(40);

const ExpertName = z
  .string()
  .trim()
  .min(1, 'an expert needs a name')
  .max(40)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u,
    'a name is letters, digits, spaces, dots, dashes and underscores',
  );

const shared = {
  name: ExpertName,
  skills: z.array(Skill).min(1, 'an expert needs a skill').max(12),
  /** One line: what to ask it for. The agent reads it. */
  ask_for: z
    .string()
    .trim()
    .min(1, 'say in one line what to ask the expert for')
    .max(200)
    .regex(/^[^\n\r]*$/, 'what to ask for is one line'),
};

/** A model of a named profile. `prompt` stands in place of the advisor's own instructions. */
export const ModelExpert = z.strictObject({
  kind: z.literal('model'),
  ...shared,
  profile: z.string().min(1).max(60),
  prompt: z.string().trim().min(1).max(8000).optional(),
});
/** A person, by the seat that their invite opens. */
const PersonExpert = z.strictObject({
  kind: z.literal('person'),
  ...shared,
  seat: z.string().min(1).max(100),
});

export const Expert = z.discriminatedUnion('kind', [ModelExpert, PersonExpert]);
export type Expert = z.infer<typeof Expert>;
export type ModelExpert = z.infer<typeof ModelExpert>;

/** The kind of a question, as far as a rule can tell: the first that is true, in this order. */
export const QuestionKind = z.enum(['format_error', 'tool_errors', 'start', 'other']);
export type QuestionKind = z.infer<typeof QuestionKind>;

/** The skill that each kind of question goes to. */
export const Routes = z.strictObject({
  format_error: Skill,
  tool_errors: Skill,
  start: Skill,
  other: Skill,
});
export type Routes = z.infer<typeof Routes>;

export const DEFAULT_ROUTES: Routes = {
  format_error: 'formatting',
  tool_errors: 'recovery',
  start: 'planning',
  other: 'domain',
};

const EXPERTS_MAX = 20;
/** The longest that a question is its first seat's alone. */
const SEAT_FIRST_MAX_S = 3600;

export const Roster = z
  .strictObject({
    experts: z.array(Expert).max(EXPERTS_MAX),
    routes: Routes,
    /** Seconds for which a question is shown to the seat it was routed to, before others may answer it. */
    seat_first_s: z.number().int().nonnegative().max(SEAT_FIRST_MAX_S),
  })
  .superRefine(({ experts }, context) => {
    const names = experts.map(({ name }) => plainName(name));
    const twice = experts.find(({ name }, at) => names.indexOf(plainName(name)) !== at);
    if (twice !== undefined)
      context.addIssue({
        code: 'custom',
        message: `two experts are called ${twice.name}`,
        path: ['experts'],
      });
  });
export type Roster = z.infer<typeof Roster>;

export const EMPTY_ROSTER: Roster = { experts: [], routes: DEFAULT_ROUTES, seat_first_s: 60 };

/** Names are compared without case and outer spaces: agents write them as they like. */
export const plainName = (name: string): string => name.trim().toLowerCase();

/** Route of a question, by which rule and why. */
export const Routing = z.strictObject({
  /** The expert it is for; null where the roster has none who may answer. */
  expert: z.string().nullable(),
  by: z.enum(['name', 'rule']),
  question: QuestionKind,
  /** The skill the table gives this kind of question. */
  skill: z.string(),
  /** In words. */
  reason: z.string(),
  /** Whom the agent asked for by a name that could not be followed; absent where it named nobody, or one who was asked. */
  not_followed: z.string().optional(),
  /** The model expert that drafts; null where the advisor does, or nobody. */
  drafter: z.string().nullable(),
  /** The seat that sees it first, and until when (UTC ms); null where it is open to every seat at once. */
  first: z.strictObject({ seat: z.string(), until: z.number() }).nullable(),
});
export type Routing = z.infer<typeof Routing>;
