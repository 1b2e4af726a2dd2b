// The annotation projects: their records, folded once and kept up to date, and what makes and changes them.
import { wrongSchema } from '../../shared/review/check.ts';
import { foldInto, foldProject } from '../../shared/review/fold.ts';
import type { ProjectRecord } from '../../shared/review/record.ts';
import type { Actor } from '../../shared/events/actor.ts';
import { ANNOTATE_PREFIX, projectStream, type Dimension } from '../../shared/events/annotations.ts';
import { Failure } from '../../shared/failure.ts';
import type { EventLog } from '../log/eventLog.ts';

export type Projects = {
  /** Every project, newest first. */
  all(): ProjectRecord[];
  /** Throws `not_found`. */
  record(project: string): ProjectRecord;
  create(name: string, instructions: string, dimensions: readonly Dimension[], actor: Actor): string;
  change(project: string, name: string, instructions: string, actor: Actor): void;
  /** Throws `bad_input` when it holds no schema, or another version than the one that was seen is in force. */
  setSchema(project: string, seenVersion: number, dimensions: readonly Dimension[], actor: Actor): number;
  close(): void;
};

type ProjectsDependencies = { log: EventLog; newId: () => string };

export function createProjects({ log, newId }: ProjectsDependencies): Projects {
  const records = new Map<string, ProjectRecord>();
  const find = (project: string): ProjectRecord => {
    const stream = projectStream(project);
    const known = records.get(project) ?? foldProject(project, log.read(stream));
    if (known.n === 0) throw new Failure('not_found', `there is no annotation project ${project}`);
    records.set(project, known);
    return known;
  };
  const undo = log.subscribe((recorded) => {
    // Words about an episode go with it: what was folded before still holds them.
    if (recorded.event.kind === 'episode.erased') records.clear();
    if (!recorded.stream.startsWith(ANNOTATE_PREFIX)) return;
    const known = records.get(recorded.stream.slice(ANNOTATE_PREFIX.length));
    if (known !== undefined) foldInto(known, recorded);
  });
  const define = (version: number, dimensions: readonly Dimension[]) => {
    const wrong = wrongSchema(dimensions);
    if (wrong !== null) throw new Failure('bad_input', wrong);
    return { kind: 'schema.defined' as const, version, dimensions: [...dimensions] };
  };
  return {
    all: () =>
      log
        .streams(ANNOTATE_PREFIX)
        .map((stream) => find(stream.slice(ANNOTATE_PREFIX.length)))
        .toSorted((a, b) => b.createdAt - a.createdAt),
    record: find,
    create: (name, instructions, dimensions, actor) => {
      const project = newId();
      log.appendAll(projectStream(project), [
        { actor, event: { kind: 'project.created', name, instructions } },
        { actor, event: define(1, dimensions) },
      ]);
      return project;
    },
    change: (project, name, instructions, actor) => {
      find(project);
      log.append(projectStream(project), actor, { kind: 'project.changed', name, instructions });
    },
    setSchema: (project, seenVersion, dimensions, actor) => {
      const { schema } = find(project);
      if (schema.version !== seenVersion) {
        throw new Failure('bad_input', 'somebody else has changed the schema meanwhile', {
          next: 'Look at what it says now, then change it again.',
        });
      }
      log.append(projectStream(project), actor, define(schema.version + 1, dimensions));
      return schema.version + 1;
    },
    close: () => {
      undo();
      records.clear();
    },
  };
}
