import type { Knex } from 'knex';
import { openDatabase } from '../core/db/database.ts';
import { systemClock } from '../core/kit/clock.ts';
import { createLogger } from '../core/kit/logger.ts';
import { memberCookie } from '../core/server/access/cookies.ts';
import { openMemberSession } from '../core/tenants/members/member-sessions.ts';
import { insertMember } from '../core/tenants/members/member-store.ts';
import { type OurService, startOurService } from './service.ts';

const CONNECTIONS = 100_000;
const INTEGRATIONS = 300;
const USERS = 10_000;

export interface Lists {
  readonly environment: string;
  readonly connections: number;
  readonly integrations: number;
}

interface Filled {
  readonly service: OurService;
  readonly db: Knex;
  readonly lists: Lists;
  /** The session cookie of a member. */
  readonly cookie: string;
}

/** Starts a service whose lists are long, and signs a member in. @returns undefined if `core/start.js` does not exist */
export async function startFilled(stack: AsyncDisposableStack): Promise<Filled | undefined> {
  const service = await startOurService(stack, 'http://127.0.0.1:9');
  if (service === undefined) return undefined;
  const db = openDatabase({ url: service.databaseUrl, poolSize: 1, queryTimeoutMs: 0, log: createLogger({ level: 'silent' }) });
  stack.defer(() => db.destroy());
  const lists = await fillLists(db, service);
  return { service, db, lists, cookie: await signIn(db, service) };
}

/** Creates the integrations `many-0`, `many-1` … and gives them copies of the existing connection; `many-0` gets the most. */
async function fillLists(db: Knex, { api, connectionId }: OurService): Promise<Lists> {
  const urls = { authorization_url: 'https://a.example/authorize', token_url: 'https://a.example/token' };
  for (let n = 0; n < INTEGRATIONS; n += 1) {
    const made = await api.post('/integrations', {
      unique_key: `many-${n}`,
      display_name: `Integration ${n}`,
      provider: 'generic-oauth',
      credentials: { type: 'OAUTH2', client_id: 'bench', client_secret: 'bench-secret', scopes: 'read' },
      integration_config: { ...urls, api_base_url: 'https://a.example' },
    });
    if (made.status !== 200) throw new Error(`no integration: ${made.text}`);
  }
  // The higher the number of an integration, the fewer connections it gets.
  await db.raw(
    `insert into connections (environment_id, integration_id, connection_id, credentials, state, tags)
     select c.environment_id, i.ids[1 + floor(:integrations * power(random(), 3))], 'copy-' || n, c.credentials,
            case when n % 100 = 0 then 'needs_reauth' when n % 313 = 0 then 'degraded' else 'healthy' end,
            jsonb_build_object('end_user_id', 'user-' || n % :users, 'plan', 'plan-' || n % 3,
                               'end_user_display_name', 'Jane Doe ' || n, 'end_user_email', 'person' || n || '@acme.example')
     from connections c,
          (select array_agg(id order by id) as ids from integrations where unique_key like 'many-%') i,
          generate_series(1, :connections) n
     where c.connection_id = :connectionId`,
    { integrations: INTEGRATIONS, users: USERS, connections: CONNECTIONS, connectionId },
  );
  await db.raw('vacuum analyze');
  const { name } = await db('environments').first('name');
  return { environment: name, connections: CONNECTIONS, integrations: INTEGRATIONS };
}

/** Signs a new member in. @returns the session cookie */
async function signIn(db: Knex, { port, keys }: OurService): Promise<string> {
  const { id: accountId } = await db('accounts').first('id');
  const deps = { db, keys, clock: systemClock, log: createLogger({ level: 'silent' }) };
  const member = await insertMember(deps, { accountId, name: 'bench', email: 'bench@acme.example', role: 'viewer' });
  const visitor = { address: '127.0.0.1', userAgent: 'bench' };
  const { token } = await openMemberSession(deps, member.id, visitor);
  return memberCookie(token, { baseUrl: `http://127.0.0.1:${port}` }).split(';', 1)[0] ?? '';
}
