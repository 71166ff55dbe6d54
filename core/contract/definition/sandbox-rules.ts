import type * as z from 'zod';
import { isSandboxPath } from '../templates.ts';
import type { ProviderDefinition } from './members.ts';
import { urlTemplatesOf } from './url-templates.ts';

/** Modes that can be played, and what reads URLs from elsewhere. */
const MODES = ['OAUTH2', 'API_KEY', 'BASIC'];
const OTHER_PLACES = ['issuer', 'plugin', 'integration_config', 'connection_config'] as const;

/** All URLs of a sandbox are the service's own, and nobody else's are: neither can be made to lead to the other. */
export function requireSandboxPaths(definition: ProviderDefinition, check: z.core.$RefinementCtx): void {
  const { sandbox = false, auth_mode: mode, proxy } = definition;
  for (const { path, template } of urlTemplatesOf(definition)) {
    if (isSandboxPath(template) === sandbox) continue;
    const message = sandbox ? 'of a sandbox must be a path below /sandbox/' : 'is a path: only a sandbox has its URLs here';
    check.addIssue({ code: 'custom', path, message });
  }
  if (!sandbox) return;
  if (!MODES.includes(mode))
    check.addIssue({ code: 'custom', path: ['auth_mode'], message: `a sandbox is one of ${MODES.join(', ')}` });
  for (const member of OTHER_PLACES.filter((name) => definition[name] !== undefined))
    check.addIssue({ code: 'custom', path: [member], message: `a sandbox has no ${member}` });
  if (proxy?.allowed_hosts !== undefined)
    check.addIssue({ code: 'custom', path: ['proxy', 'allowed_hosts'], message: 'a sandbox has no further hosts' });
}
