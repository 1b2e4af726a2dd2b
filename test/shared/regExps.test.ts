import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { check } from 'recheck';
import { beforeAll, describe, expect, it } from 'vitest';
import { regExpsIn } from '../support/regExps.ts';

const root = resolve(import.meta.dirname, '../..');
type Pattern = { source: string; flags: string };

/**
 * Patterns that are not cleared, each with what bounds the text or the work before it. `part` is how the pattern begins.
 */
const BOUNDED: readonly { file: string; part: string; bound: string }[] = [
  {
    file: 'main/hosts/doctor.ts',
    part: String.raw`\b[a-z][a-z0-9+.-]{0,30}:`,
    bound: 'a scheme of 31 characters at most',
  },
  { file: 'main/hosts/doctor.ts', part: String.raw`[\w.+-]{1,64}@`, bound: '64 characters before the sign' },
  {
    file: 'main/gateway/expert/coverRequest.ts',
    part: '<((?:success|',
    bound: 'a tag ends with the text at the latest, and nothing is looked for in it again',
  },
  {
    file: 'main/llm/probes.ts',
    part: 'context (?:length|',
    bound: 'a failure of 600 characters at most (MESSAGE_MAX of llm/failures.ts)',
  },
  {
    file: 'main/llm/probes.ts',
    part: String.raw`(\d[\d,]{2,}) (?:completion`,
    bound: 'a failure of 600 characters at most (MESSAGE_MAX of llm/failures.ts)',
  },
  {
    file: 'main/openenv/authorities.ts',
    part: '-----BEGIN (',
    bound: 'a block ends before the next begins, in a file that the owner names',
  },
  { file: 'shared/episode/ruleText.ts', part: '^(?<glob>', bound: 'a rule of 1,000 characters (RULE_MAX)' },
  {
    file: 'shared/redact/connections.ts',
    part: String.raw`\b(?:host|dbname|user)=`,
    bound: 'a value of 200 characters at most',
  },
  {
    file: 'shared/schema/prepare.ts',
    part: String.raw`(\\.|\[`,
    bound: 'a pattern of 1,000 characters (PATTERN_MAX)',
  },
];

/** What builds a pattern where no entry leads, with one that it builds, or with why it needs no look. */
const BUILT: Readonly<Record<string, Pattern | string>> = {
  'main/desktop/updateFeed.ts': {
    source: String.raw`^version:[ \t]*(['"]?)([^'"\r\n]+)\1[ \t]*$`,
    flags: 'm',
  },
  'main/llm/requestBody.ts': { source: String.raw`\bmax_tokens\b`, flags: '' },
  'main/openenv/packageFolder.ts': { source: String.raw`^HF_TOKEN\b`, flags: 'm' },
  'main/worlds/runTool.ts': 'patterns of the world packs that are shipped',
  'shared/leak.ts': {
    source: String.raw`(?:[:=#(\[,]\s*["']?|\b(?:ids?|no\.?|number)\s+)7(?![\w.])`,
    flags: 'u',
  },
  'shared/schema/prepare.ts':
    'patterns from elsewhere: 1,000 characters, judged before they are tried on 256',
  'renderer/parts/advice/planCheck.ts': { source: String.raw`(?<![A-Za-z0-9_])(rename)\s*\(`, flags: 'g' },
};

/** Counted in steps, so that a busy machine gives the same verdicts; only what is far too large runs out of time. */
const LIMITS = {
  timeout: 120_000,
  attackTimeout: null,
  incubationTimeout: null,
  recallLimit: 0,
  attackLimit: 10_000_000,
  incubationLimit: 10_000,
  maxNFASize: 1_500,
  maxIteration: 3,
  maxInitialGenerationSize: 100,
  maxGenerationSize: 30,
  maxAttackStringSize: 100_000,
};

/** Iterations for what looks back: it is harder to find fault with. */
const LOOKING_BACK = 5;

/** Without an open repeat a pattern looks at so many characters from each place, and no more. */
const isOpen = (source: string): boolean => /[*+]|\{\d+,\}/.test(source);

/**
 * What was cleared before is not judged again, which takes minutes: the hashes of those patterns, under one of what judged
 * them. `INTERJECT_RECHECK=all` judges every pattern anew and writes the list.
 */
const CLEARED = join(import.meta.dirname, 'clearedRegExps.txt');
const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
const hashOf = ({ source, flags }: Pattern): string => hash(`${source}/${flags}`);
function judgedBy(): string {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/recheck/package.json'), 'utf8')) as {
    version: string;
  };
  return hash(`${version} ${JSON.stringify({ ...LIMITS, LOOKING_BACK })}`);
}

async function verdictOn({ source, flags }: Pattern): Promise<string> {
  const maxIteration = /\(\?<[=!]/.test(source) ? LOOKING_BACK : LIMITS.maxIteration;
  const { status, ...more } = await check(source, flags, { ...LIMITS, maxIteration });
  return status === 'safe'
    ? status
    : `${status}: ${JSON.stringify('complexity' in more ? more.complexity : more)}`;
}

describe('regular expressions', () => {
  const { literals, built } = regExpsIn(join(root, 'src'));
  let made: ({ place: string } & Pattern)[] = [];
  beforeAll(() => {
    process.env['RECHECK_BACKEND'] = 'pure';
    const program = join(root, 'test/support/builtRegExps.ts');
    made = JSON.parse(
      execFileSync(process.execPath, ['--no-warnings', program], { encoding: 'utf8' }),
    ) as typeof made;
  });

  it('take no longer than a text is long, or stand in the table with what is cut before them', async () => {
    const examples = Object.entries(BUILT).flatMap(([file, example]) =>
      typeof example === 'string' ? [] : [{ file, ...example }],
    );
    const all = [
      ...literals,
      ...examples,
      ...made
        .map(({ place, ...pattern }) => ({ file: place.replace(/:\d+$/, ''), ...pattern }))
        .filter(({ file }) => typeof BUILT[file] !== 'string'),
    ];
    const open = all.filter(
      ({ file, source }) =>
        isOpen(source) && !BOUNDED.some((row) => row.file === file && source.startsWith(row.part)),
    );
    const unique = [...new Map(open.map((one) => [`${one.source}/${one.flags}`, one])).values()];
    const isWhole = process.env['INTERJECT_RECHECK'] === 'all';
    const [by, ...hashes] = readFileSync(CLEARED, 'utf8').trim().split('\n');
    const cleared = new Set(isWhole || by !== judgedBy() ? [] : hashes);
    const refused: string[] = [];
    for (const pattern of unique.filter((one) => !cleared.has(hashOf(one)))) {
      const verdict = await verdictOn(pattern);
      if (verdict !== 'safe') refused.push(`${pattern.file}: /${pattern.source}/${pattern.flags} ${verdict}`);
    }

    expect(unique.length).toBeGreaterThan(250);
    expect(refused).toEqual([]);
    if (isWhole) writeFileSync(CLEARED, `${[judgedBy(), ...unique.map(hashOf).toSorted()].join('\n')}\n`);
  }, 900_000);

  it('are each known by what builds them', () => {
    const unknown = built.filter(
      ({ file, line }) =>
        BUILT[file] === undefined && !made.some(({ place }) => place === `${file}:${String(line)}`),
    );

    expect(built.length).toBeGreaterThan(30);
    expect(unknown).toEqual([]);
  });

  it('stand in the table only while they stand in the source', () => {
    const gone = BOUNDED.filter(
      ({ file, part }) =>
        ![...literals, ...made.map((one) => ({ ...one, file: one.place.replace(/:\d+$/, '') }))].some(
          (one) => one.file === file && one.source.startsWith(part),
        ),
    );

    expect(gone).toEqual([]);
    expect(Object.keys(BUILT).filter((file) => !built.some((one) => one.file === file))).toEqual([]);
  });

  it.each([
    String.raw`(?<=\b(?:Bearer|Basic)\s+)[A-Za-z0-9+/._~=-]{8,}`,
    String.raw`\\+[nrt]`,
    String.raw`\s*\n\s*`,
    String.raw`^(a+)+$`,
  ])('are refused where they begin anew at every character: /%s/', async (source) => {
    expect(await verdictOn({ source, flags: 'gi' })).toContain('vulnerable');
  });
});
