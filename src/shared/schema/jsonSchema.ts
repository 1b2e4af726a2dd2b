import { isRecord } from '../json.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** The schema a local reference means, `#/$defs/Step`; the schema itself when it is none. */
export function resolved(schema: Schema, root: Schema): Schema {
  const seen = new Set<string>();
  let at = schema;
  for (let ref = at['$ref']; typeof ref === 'string' && !seen.has(ref); ref = at['$ref']) {
    seen.add(ref);
    const found = ref.startsWith('#/') ? lookUp(root, ref.slice(2).split('/')) : undefined;
    if (!isRecord(found)) return at;
    const { $ref: _ref, ...beside } = at;
    at = { ...found, ...beside };
  }
  return at;
}

const lookUp = (root: Schema, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, part) => {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    return isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }, root);
