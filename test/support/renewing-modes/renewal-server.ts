import { canary } from '../canaries.ts';
import { sessionResponse } from '../fake-aws.ts';
import type { ScriptedResponse } from '../scripted-server/behaviour.ts';
import { type Exchange, ScriptedServer } from '../scripted-server/scripted-server.ts';

const HOUR_MS = 3_600_000;

/** A provider that refreshes the credentials of every mode in `RENEWING`, and whose clock a test can set ahead. */
export class RenewalServer extends ScriptedServer<'token' | 'api'> {
  /** The milliseconds by which the server's clock is ahead of the real time. */
  aheadMs = 0;
  /** The last token that was issued for each mode. */
  readonly issued = new Map<string, string>();

  protected override endpointOf(url: URL): 'token' | 'api' {
    return url.pathname.startsWith('/renew/') ? 'token' : 'api';
  }

  protected override async work({ url, entry }: Exchange): Promise<ScriptedResponse> {
    const now = Date.now() + this.aheadMs;
    const expiresAt = new Date(now + HOUR_MS);
    const headers = { 'content-type': 'application/json', date: new Date(now).toUTCString() };
    if (entry.endpoint === 'api') return { status: 200, headers, body: JSON.stringify(this.#apiMembers(url, expiresAt)) };
    const [, , mode = ''] = url.pathname.split('/');
    const token = canary('renewing modes: issued token');
    this.issued.set(mode, token);
    if (mode === 'AWS_SIGV4') {
      const session = { id: 'ASIAEXAMPLE', secret: canary('renewing modes: AWS key'), sessionToken: token };
      return { ...sessionResponse(session, expiresAt), headers };
    }
    const refresh_token = canary('renewing modes: issued refresh token');
    const times = {
      ...(mode !== 'OAUTH2_CC' && { expires_in: HOUR_MS / 1000 }),
      ...(['APP', 'CUSTOM'].includes(mode) && { expires_at: expiresAt.toISOString() }),
    };
    const body = JSON.stringify({ access_token: token, token, refresh_token, token_type: 'bearer', ...times });
    return { status: 200, headers, body };
  }

  #apiMembers({ pathname }: URL, expiresAt: Date): object {
    if (pathname === '/introspect') return { active: true, exp: Math.floor(expiresAt.getTime() / 1000) };
    if (!pathname.startsWith('/.well-known/')) return {};
    return { issuer: `${this.url}/issuer`, token_endpoint: `${this.url}/renew/MCP_OAUTH2` };
  }

  /** Returns the number of token requests for one mode. */
  requestsOf(mode: string): number {
    return this.ledger.of('token').filter(({ target }) => target.split('/')[2] === mode).length;
  }
}

export async function startRenewalServer(): Promise<RenewalServer> {
  const server = new RenewalServer();
  await server.listen();
  return server;
}
