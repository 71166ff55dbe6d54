import type { ProviderDefinition } from '#contract';
import { modeNamed } from '../../core/auth-modes/index.ts';

/** Says which providers each walk covers. Each bundled provider names in its proof at least one walk that covers it. */
export const WALKS = {
  /** The sandbox, which the service itself provides; `flows/sandbox` walks through it. */
  sandbox: ({ sandbox }) => sandbox === true,
  code: ({ auth_mode, sandbox }) => auth_mode === 'OAUTH2' && sandbox !== true,
  clientCredentials: ({ auth_mode }) => auth_mode === 'OAUTH2_CC',
  mcp: ({ auth_mode }) => auth_mode === 'MCP_OAUTH2',
  oauth1: ({ auth_mode }) => auth_mode === 'OAUTH1',
  installation: ({ installation }) => installation !== undefined,
  form: (definition) => isEntered(definition) && definition.token_response === undefined,
  signIn: (definition) => isEntered(definition) && definition.token_response !== undefined,
  /** Modes whose credentials only a redirect can obtain have their own walks. */
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
