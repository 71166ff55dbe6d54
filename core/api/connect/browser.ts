import * as z from 'zod';
import { browserSession } from '../../connect/flows/browser-session.ts';
import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import type { Caller } from '../../server/access/caller.ts';
import { CONNECT_SESSION } from '../examples.ts';
import { connectionId } from '../schemas.ts';
import type { ApiServices } from '../services.ts';

/** How a browser that connects an account authenticates: with the token of a connect session in the query. */
export const BROWSER = { session: 'query' } as const;

/** The query parameters of every endpoint at which a browser connects an account. */
export const browserQuery = z.strictObject({
  connect_session_token: z
    .string()
    .max(255)
    .optional()
    .meta({ description: 'token of a session that allows the integration', example: CONNECT_SESSION.token }),
  params: z
    .record(z.string(), z.string().max(4096))
    .optional()
    .meta({ description: 'connection configuration, as `params[field]=value`', example: { subdomain: 'acme' } }),
  public_key: z
    .string()
    .max(255)
    .optional()
    .meta({ description: 'deprecated alternative to the session token', example: 'example-public-key' }),
  hmac: z
    .string()
    .max(255)
    .optional()
    .meta({ description: 'deprecated: signature of a request with `public_key`', example: 'a'.repeat(64) }),
  connection_id: connectionId.optional().describe('deprecated: connection ID for a request with `public_key`'),
});

interface BrowserRequest {
  readonly uniqueKey: string;
  readonly query: z.output<typeof browserQuery>;
}

/** Returns the session that a browser connects with. @throws ServiceError as `browserSession` does */
export function sessionOfBrowser(
  services: ApiServices,
  caller: Caller,
  { uniqueKey, query }: BrowserRequest,
): Promise<ConnectSession> {
  if (caller.kind === 'session' || caller.kind === 'public_key')
    return browserSession(services, { caller, uniqueKey, hmac: query.hmac, connectionId: query.connection_id });
  throw new Error(`a caller of kind ${caller.kind} cannot connect an account`);
}
