// The configuration a client is made from, under the name this room's callers use.
import type { ModelConfig as Shared } from '../../shared/modelConfig.ts';

export type LlmConfig = Shared;
