// What a bench is fixed to before anything of it runs (stream `benches`).
import { BenchPlan } from '../bench/plan.ts';
import { defineKind, NOTED } from './kind.ts';

export const BENCH_STREAM = 'benches';

export const benchEvents = [defineKind('bench.planned', { plan: BenchPlan })(NOTED)] as const;
