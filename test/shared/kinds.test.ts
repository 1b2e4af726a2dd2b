import { expect, it } from 'vitest';
import { z } from 'zod';
import { coverRecorded } from '../../src/shared/episode/cover.ts';
import { SYSTEM } from '../../src/shared/events/actor.ts';
import { defineKind, DESK_STEP, factsOf, NOTED } from '../../src/shared/events/kind.ts';
import { Text } from '../../src/shared/events/textSchema.ts';
import { KINDS, LogEvent } from '../../src/shared/events/vocabulary.ts';
import { searchTexts } from '../../src/main/log/searchIndex.ts';

it('a kind that leaves out a fact, or names a field it does not have, does not compile', () => {
  const define = defineKind('thing.noted', { text: Text.nullable(), by: z.string() });
  const { isCopied: _left, ...rest } = NOTED;
  // @ts-expect-error whether a fork copies it is left out
  define(rest);
  // @ts-expect-error there is no such field
  define({ ...NOTED, words: ['texts'] });

  // @ts-expect-error a step of the desk says whether it settles a wait and is a person's work
  define(DESK_STEP);

  expect(factsOf(define(NOTED))).toMatchObject({ texts: ['text'], stored: ['text'], hasDefaults: false });
});

it('every kind has its facts', () => {
  expect(Object.keys(KINDS)).toHaveLength(LogEvent.options.length);
});

it('what a file says of an episode beside its steps is covered where its outcome is', () => {
  const event = LogEvent.parse({
    kind: 'episode.imported',
    episode: 'e1',
    format: 'chat',
    version: null,
    source: { name: 'a.jsonl', sha256: '00', bytes: 1, index: 0 },
    companions: [],
    task: null,
    not_recorded: [],
    diagnostics: [],
    extra: { reward: 1, label: 'complete' },
  });

  const covered = coverRecorded({ seq: 1, stream: 'e1', n: 1, at: 1, actor: SYSTEM, event });

  expect(JSON.stringify(covered)).not.toContain('complete');
  expect(covered.event).toEqual({ ...event, extra: {} });
});

it('a remark and a last word of reviewers are found by their words', () => {
  const at = { queue: 'q', item: 'i', privilege: [], timing: { first_seen_at: null, active_ms: null } };
  const about = { target: { on: 'trajectory', episode: 'e1' }, dimension: 'd', schema_version: 1, ...at };
  const remark = LogEvent.parse({
    kind: 'annotation.given',
    annotation: 'a',
    value: { type: 'free_text', text: 'It never looked.' },
    ...about,
  });
  const lastWord = LogEvent.parse({
    kind: 'adjudication.given',
    adjudication: 'a',
    value: null,
    reason: 'The second reviewer is right.',
    ...about,
  });

  expect(searchTexts(remark)).toEqual({ kind: 'note', texts: ['It never looked.'] });
  expect(searchTexts(lastWord)).toEqual({ kind: 'note', texts: ['The second reviewer is right.'] });
});
