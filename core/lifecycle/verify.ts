import type { ModeInput, StoredCredentials } from '../auth-modes/auth-mode.ts';
import { credentialHeaders } from '../auth-modes/credential-headers.ts';
import { fillProviderUrl } from '../auth-modes/provider-template.ts';
import { ServiceError } from '../errors.ts';
import { type Outbound, OutboundError } from '../kit/outbound.ts';

/**
 * Makes the definition's verification call, if it has one: proves that new credentials work before anything is written.
 *
 * @throws ServiceError `connection_test_failed` when the provider refuses them, `provider_unavailable` when it cannot be asked
 */
export async function verifyCredentials(outbound: Outbound, input: ModeInput, credentials: StoredCredentials): Promise<void> {
  const { proxy } = input.definition;
  if (proxy?.verification === undefined || proxy.base_url === undefined) return;
  const base = fillProviderUrl(proxy.base_url, input);
  const headers = { ...credentialHeaders(input, credentials), ...proxy.verification.headers };
  let lastStatus = 0;
  for (const endpoint of proxy.verification.endpoints) {
    lastStatus = await statusOf(outbound, new URL(join(base, endpoint)), { method: proxy.verification.method ?? 'GET', headers });
    if (lastStatus >= 200 && lastStatus < 300) return;
  }
  if (lastStatus >= 500 || lastStatus === 429)
    throw new ServiceError('provider_unavailable', `the provider answered ${lastStatus}; try again`);
  throw new ServiceError('connection_test_failed', `the provider refused the credentials (${lastStatus})`);
}

async function statusOf(
  outbound: Outbound,
  url: URL,
  request: { method: string; headers: Record<string, string> },
): Promise<number> {
  try {
    return (await outbound.call(url, request)).status;
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    throw new ServiceError('provider_unavailable', 'the provider could not be reached to verify the credentials', { cause });
  }
}

function join(base: URL, path: string): string {
  return `${base.href.replace(/\/$/, '')}/${path.replace(/^\//, '')}`;
}
