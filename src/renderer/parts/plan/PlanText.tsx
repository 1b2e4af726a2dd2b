// Advice that was given, to read: a plan as its sentences, words as words.
import type { ReactNode } from 'react';
import { parsePlan } from '../../../shared/plan.ts';
import type { KnownTool } from '../advice/planCheck.ts';
import { LongText } from '../text/LongText.tsx';
import { PlanEditor } from './PlanEditor.tsx';

export function PlanText({ text, tools = [] }: { text: string; tools?: readonly KnownTool[] }): ReactNode {
  return parsePlan(text).calls.length === 0 ? (
    <LongText text={text} />
  ) : (
    <PlanEditor text={text} tools={tools} label="Earlier advice" isReadOnly onChange={() => undefined} />
  );
}
