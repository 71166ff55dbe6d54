import type { ProviderDefinition } from '#contract';
import { modeNamed } from '../../core/auth-modes/index.ts';

/**
 * For each walk, whether it covers a definition. A walk is a test that connects to providers and calls them, with fake servers in
 * their place. The `proof` of each bundled provider, which the API shows, names a walk that covers it.
 */
export const WALKS = {
  /** The sandbox: the demo provider, which the service itself plays; the test `flows/sandbox` walks through it. */
  sandbox: ({ sandbox }) => sandbox === true,
  code: ({ auth_mode, sandbox }) => auth_mode === 'OAUTH2' && sandbox !== true,
  clientCredentials: ({ auth_mode }) => auth_mode === 'OAUTH2_CC',
  mcp: ({ auth_mode }) => auth_mode === 'MCP_OAUTH2',
  oauth1: ({ auth_mode }) => auth_mode === 'OAUTH1',
  installation: ({ installation }) => installation !== undefined,
  form: (definition) => isEntered(definition) && definition.token_response === undefined,
  signIn: (definition) => isEntered(definition) && definition.token_response !== undefined,
  /**
   * Covers providers whose credentials can be imported, except in modes that have another walk: `OAUTH2_CC`, and modes with a
   * redirect.
   */
  imported: ({ auth_mode, sandbox }) => {
    if (sandbox === true) return false;
    const { begin, imported } = modeNamed(auth_mode);
    return imported !== undefined && auth_mode !== 'OAUTH2_CC' && (begin === undefined || auth_mode === 'APP');
  },
} as const satisfies Record<string, (definition: ProviderDefinition) => boolean>;

function isEntered({ auth_mode }: ProviderDefinition): boolean {
  const { form, imported } = modeNamed(auth_mode);
  return form !== undefined && imported === undefined;
}
