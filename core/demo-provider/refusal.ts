import type { Knex } from 'knex';
import type { Reply } from '../server/route.ts';
import { type Environment, environmentById } from '../tenants/environments/environment-store.ts';

/** The reason why the sandbox rejects a request, in the form that OAuth clients read. */
export class DemoRefusal extends Error {
  override readonly name = 'DemoRefusal';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Returns the error response of RFC 6749 §5.2. */
export function refusalReply({ status, code, message }: DemoRefusal): Reply {
  const headers = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return { status, headers, body: { error: code, error_description: message } };
}

/**
 * Requires an environment that is not for production. This is checked for each request, so that a sandbox connection that has
 * somehow got into a production environment does nothing there.
 */
export async function requirePlayground(db: Knex, environmentId: number): Promise<Environment> {
  const environment = await environmentById(db, environmentId);
  if (environment === undefined) throw new DemoRefusal(403, 'access_denied', 'the environment has been deleted');
  if (environment.isProduction)
    throw new DemoRefusal(403, 'access_denied', 'the sandbox does nothing for production environments');
  return environment;
}
