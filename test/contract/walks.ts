import type { ProviderDefinition } from '#contract';
import { modeNamed } from '../../core/auth-modes/index.ts';

/** Which providers each walk drives. Whoever comes with the service is driven by at least one: that is what its proof says. */
export const WALKS = {
  /** What the service plays itself: `flows/sandbox` walks through the real thing. */
  sandbox: ({ sandbox }) => sandbox === true,
  code: ({ auth_mode, sandbox }) => auth_mode === 'OAUTH2' && sandbox !== true,
  clientCredentials: ({ auth_mode }) => auth_mode === 'OAUTH2_CC',
  mcp: ({ auth_mode }) => auth_mode === 'MCP_OAUTH2',
  oauth1: ({ auth_mode }) => auth_mode === 'OAUTH1',
  installation: ({ installation }) => installation !== undefined,
  form: (definition) => isEntered(definition) && definition.token_response === undefined,
  signIn: (definition) => isEntered(definition) && definition.token_response !== undefined,
  /** What only a redirect fetches has walks of its own. */
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
