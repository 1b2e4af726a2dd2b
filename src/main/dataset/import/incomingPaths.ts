// Gives each arriving file a path of its own. Files that belong together stay together, those of two folders stay
// apart, and no name leads out of the folder.
import { extname, join } from 'node:path';

const STEP_NAME_MAX = 80;
const FOLDERS_MAX = 7;
/** Stands in no name that is kept as it is. */
const SUFFIX_MARK = '~';

type Folder = {
  /** By their names as the person has them. */
  folders: Map<string, { name: string; inside: Folder }>;
  files: Set<string>;
  /** Names that are given away; some file systems know no case. */
  taken: Set<string>;
};

/** The place of each file, in turn. One that came alone under the name of another lies in a hidden folder, alone. */
export function createIncomingPaths(hidden: string): (name: string, index: number) => string {
  const root = emptyFolder();
  return (name, index) => {
    const steps = name.split(/[\\/]+/).filter((step) => step !== '' && step !== '.' && step !== '..');
    const file = steps.pop() ?? 'file';
    const path: string[] = [];
    let folder = root;
    for (const step of shortened(steps)) {
      const known = folder.folders.get(step) ?? {
        name: freeStepName(folder, step, ''),
        inside: emptyFolder(),
      };
      folder.folders.set(step, known);
      path.push(known.name);
      folder = known.inside;
    }
    if (folder.files.has(file)) return join(`${hidden}${String(index)}`, safe(file));
    folder.files.add(file);
    const ending = extname(file);
    return join(...path, freeStepName(folder, file, ending.length < 12 ? ending : ''));
  };
}

const emptyFolder = (): Folder => ({ folders: new Map(), files: new Set(), taken: new Set() });

/** Of folders nested too deep the outer ones are one. */
const shortened = (steps: readonly string[]): readonly string[] =>
  steps.length <= FOLDERS_MAX
    ? steps
    : [steps.slice(0, 1 - FOLDERS_MAX).join('/'), ...steps.slice(1 - FOLDERS_MAX)];

const safe = (step: string): string => step.replace(/[^\p{L}\p{N}._ -]/gu, '_').slice(0, STEP_NAME_MAX);

/** The name itself where it is safe and free, else one like it that no other has. */
function freeStepName({ taken }: Folder, step: string, ending: string): string {
  const give = (name: string): string => {
    taken.add(name.toLowerCase());
    return name;
  };
  const own = safe(step);
  if (own === step && !taken.has(own.toLowerCase())) return give(own);
  const stem = safe(step.slice(0, step.length - ending.length));
  return give(`${stem}${SUFFIX_MARK}${String(taken.size)}${safe(ending)}`);
}
