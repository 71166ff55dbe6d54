import type { Knex } from 'knex';
import { openDatabase } from '../core/db/database.ts';
import { systemClock } from '../core/kit/clock.ts';
import { createLogger } from '../core/kit/logger.ts';
import { memberCookie } from '../core/server/access/cookies.ts';
import { openMemberSession } from '../core/tenants/members/member-sessions.ts';
import { insertMember } from '../core/tenants/members/member-store.ts';
import { type OurService, startOurService } from './service.ts';

const INTEGRATIONS = 300;

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

interface FilledOptions {
  /** How many connections the environment gets; another one gets as many. */
  readonly connections: number;
  /** Default: an embedded database. */
  readonly databaseUrl?: string;
}

/** Starts a service whose lists are long, and signs a member in. @returns undefined if `core/start.js` does not exist */
export async function startFilled(
  stack: AsyncDisposableStack,
  { connections, databaseUrl }: FilledOptions,
): Promise<Filled | undefined> {
  const service = await startOurService(stack, 'http://127.0.0.1:9', databaseUrl ? { DATABASE_URL: databaseUrl } : {});
  if (service === undefined) return undefined;
  const db = openDatabase({ url: service.databaseUrl, poolSize: 1, queryTimeoutMs: 0, log: createLogger({ level: 'silent' }) });
  stack.defer(() => db.destroy());
  const lists = await fillLists(db, service, connections);
  return { service, db, lists, cookie: await signIn(db, service) };
}

/** Creates the integrations `many-0`, `many-1` … and gives them copies of the existing connection; `many-0` gets the most. */
async function fillLists(db: Knex, { api, connectionId }: OurService, connections: number): Promise<Lists> {
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
  await db.raw(ANOTHER_ENVIRONMENT);
  await db.raw(CONNECTIONS, { integrations: INTEGRATIONS, connections, connectionId });
  await db.raw(WORDS);
  await db.raw('vacuum analyze');
  const { name } = await db('environments').orderBy('id').first('name');
  return { environment: name, connections, integrations: INTEGRATIONS };
}

/** Another environment with the same integrations. */
const ANOTHER_ENVIRONMENT = `
  with other as (insert into environments (account_id, name) select account_id, 'other' from environments limit 1 returning id)
  insert into integrations (environment_id, unique_key, provider, display_name, client, mac)
  select other.id, unique_key, provider, display_name, client, mac from other, integrations where unique_key like 'many-%'`;

/** The higher the number of an integration, the fewer connections it gets. */
const CONNECTIONS = `
  insert into connections (environment_id, integration_id, connection_id, credentials, state, tags, is_searchable)
  select i.environment_id, i.ids[1 + floor(:integrations * power(random(), 3))], gen_random_uuid(), c.credentials,
         case when n % 100 = 0 then 'needs_reauth' when n % 313 = 0 then 'degraded' else 'healthy' end,
         jsonb_build_object('end_user_id', 'user-' || n / 2, 'plan', 'plan-' || n % 3, 'organization_id', 'org-' || n % 5000,
                            'end_user_display_name', first || ' ' || last,
                            'end_user_email', lower(first || '.' || last) || n || '@acme' || n % 5000 || '.example'),
         true
  from connections c,
       (select environment_id, array_agg(id order by id) as ids from integrations where unique_key like 'many-%' group by 1) i,
       generate_series(1, :connections) n,
       lateral (select ('{Jane,John,Mary,James,Linda,Robert,Susan,Karen,David,Nina,Ada,Grace}'::text[])[1 + n % 12] as first,
                       initcap(substr(translate(md5((n % 3000)::text), '0123456789', 'aeiouaeiou'), 1, 7)) as last) name
  where c.connection_id = :connectionId`;

/** The words that the service would have stored (`core/connections/search-words.ts`). */
const WORDS = `
  insert into connection_words (environment_id, connection_id, word)
  select distinct environment_id, id, word from connections,
    lateral (select tags ->> 'end_user_email' as email, lower(tags ->> 'end_user_display_name') as name) t,
    unnest(array[connection_id, tags ->> 'end_user_id', split_part(tags ->> 'end_user_id', '-', 2), tags ->> 'plan',
                 split_part(tags ->> 'plan', '-', 2), tags ->> 'organization_id', split_part(tags ->> 'organization_id', '-', 2),
                 split_part(name, ' ', 1), split_part(name, ' ', 2), email, substring(email from '[.](.*)'),
                 substring(email from '@(.*)'), 'example']) word
  where jsonb_exists(tags, 'plan')
  on conflict do nothing`;

/** Signs a new member in. @returns the session cookie */
async function signIn(db: Knex, { port, keys }: OurService): Promise<string> {
  const { id: accountId } = await db('accounts').first('id');
  const deps = { db, keys, clock: systemClock, log: createLogger({ level: 'silent' }) };
  const member = await insertMember(deps, { accountId, name: 'bench', email: 'bench@acme.example', role: 'viewer' });
  const visitor = { address: '127.0.0.1', userAgent: 'bench' };
  const { token } = await openMemberSession(deps, member.id, visitor);
  return memberCookie(token, { baseUrl: `http://127.0.0.1:${port}` }).split(';', 1)[0] ?? '';
}
