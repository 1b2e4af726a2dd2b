// The connection settings of a chat model. It carries a key, so it never leaves main and is never logged. Must not
// know: where the values come from or how they are used.

/** The two roles a model can have; each has an endpoint of its own. */
export type ModelRole = 'agent' | 'expert';

export type ModelConfig = {
  provider: 'openai' | 'azure';
  /** null is the provider's own address; Azure has none. */
  baseUrl: string | null;
  apiKey: string | null;
  /** Model name; for Azure the deployment. */
  model: string;
  apiVersion: string | null;
  /** `off`: its reasoning is never sent back to it. */
  reasoning?: 'off';
  /**
   * A command that prints an access token, which is sent instead of a key; absent where a key is used. Only this process's
   * own flags and variables can name one.
   */
  tokenCommand?: string;
  /** In place of that: the name under which the command that launched the episode hands its tokens over. */
  tokenFrom?: string;
  /** `apiKey` is an access token: it goes as a bearer, also to Azure. */
  isToken?: boolean;
};
