import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { dashboardDocument } from '../../core/api/dashboard/description.ts';
import { dashboardRoutes } from '../../core/api/routes.ts';
import { createIntegration } from '../../core/connections/integrations/integrations.ts';
import { isStream } from '../../core/server/route.ts';
import { createEnvironment } from '../../core/tenants/environments/environments.ts';
import { sessionStatement } from '../../core/tenants/members/member-session-store.ts';
import { ROLES, type Role, SETTING_PERMISSIONS } from '../../core/tenants/members/permissions.ts';
import { startApp } from '../support/app.ts';
import { withPassword } from '../support/dashboard/factors.ts';
import { signedInAs, type TestMember } from '../support/dashboard/members.ts';
import { FIELDS, type Heard, KINDS, type KindName, ROUTES } from '../support/dashboard/permissions.ts';
import { BEFORE } from '../support/dashboard/stages.ts';
import { makeFolders } from '../support/folders.ts';
import { resolveIn } from '../support/requests/operations.ts';
import { use } from '../support/use.ts';

const document = dashboardDocument('http://127.0.0.1');
const routes = dashboardRoutes.flatMap((route) => {
  const isGuarded = typeof route.access === 'object' && 'dashboard' in route.access && route.access.dashboard !== 'anyone';
  return isStream(route) || !isGuarded ? [] : [{ name: `${route.method} ${route.path}`, ...route }];
});
type GuardedRoute = (typeof routes)[number];

const ENVIRONMENTS = ['dev', 'live'] as const;
const isEndless = ({ responses }: GuardedRoute) => responses[200]?.type === 'text/event-stream';

/** Returns the field that a key in `FIELDS` begins with. A field may have several keys, for different values. */
const fieldOf = (line: string) => line.split(' ', 1)[0] ?? '';

/** Returns the names of the fields of a request body. The fields of an app's `credentials` are listed one by one. */
function fieldsOf({ method, path, name }: GuardedRoute): readonly string[] {
  const template = path.replaceAll(/:(\w+)/g, '{$1}');
  const body = document.paths[template]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema ?? {};
  const members = Object.entries(resolveIn(document, body)['properties'] ?? {});
  return members.flatMap(([member, schema]) => {
    const isApp = member === 'credentials' && name.includes('/integrations');
    return isApp ? Object.keys(resolveIn(document, schema)['properties'] ?? {}).map((one) => `${member}.${one}`) : [member];
  });
}

describe('what members may do (AUT-01): every route and every field that decides it', function () {
  this.timeout(180_000);
  const files = use(this, () =>
    makeFolders({ 'apps.json': JSON.stringify({ github: { client_id: 'a', client_secret: 'b', scopes: [] } }) }),
  );
  const app = use(this, () =>
    startApp({
      env: { SVC_RATE_LIMIT_FAILURES_PER_MINUTE: '0', SVC_REQUIRE_MFA: 'all', SVC_SHARED_APPS_FILE: `${files.path}/apps.json` },
    }),
  );
  const members = {} as Record<Role, TestMember>;
  const idOf = new Map<string, number>();

  before(async () => {
    for (const role of ROLES) members[role] = await signedInAs(app, role);
    const wanted = { accountId: app.accountId, name: 'live', isProduction: true };
    const { environment } = await createEnvironment(app.services, { ...wanted, callbackUrl: undefined }, undefined);
    idOf.set('dev', app.environmentId).set('live', environment.id);
    for (const env of ENVIRONMENTS)
      for (const key of ['used', 'okta']) await storeIntegration(env, key, key === 'okta' ? key : undefined);
    await app.services.db('integrations').where({ unique_key: 'used' }).delete();
  });

  const storeIntegration = (env: string, uniqueKey: string, provider = 'github') =>
    createIntegration(app.services, idOf.get(env) ?? 0, { uniqueKey, provider, authorize: () => undefined });

  async function confirm(role: Role, isConfirmed: boolean): Promise<void> {
    const until = isConfirmed ? new Date(app.clock.now().getTime() + 600_000) : null;
    await app.services.db('member_sessions').where({ member_id: members[role].member.id }).update({ confirmed_until: until });
  }

  /** Returns a URL whose path parameters name nothing that exists, apart from the environment and the integration, if given. */
  function addressOf({ path, method }: GuardedRoute, env: string, integration = 'none'): string {
    const { parameters = [] } = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? {};
    const query = parameters.filter((one) => one.in === 'query' && one.required).map(({ name }) => `${name}=none`);
    const filled = path
      .replace(':env', env)
      .replace('/environments/:name', method === 'PATCH' ? `/environments/${env}` : '/environments/none')
      .replace('/variables/:name', '/variables/TRACKER_REGION')
      .replace(':uniqueKey', integration)
      .replace(':event', 'post-connection-creation')
      .replaceAll(/:\w+/g, '999999');
    return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
  }

  async function heard(role: Role, route: GuardedRoute, address: string, body: unknown): Promise<Heard> {
    const response = await members[role].ui.call(route.method, address, body === undefined ? {} : { body });
    const { code, message } = response.body?.error ?? {};
    expect([401, 500], `${route.name}: ${response.text}`).not.to.include(code === 'invalid_login' ? 0 : response.status);
    if (code === 'password_needed') return 'password';
    return code === 'forbidden' && message.startsWith('your role') ? 'role' : 'in';
  }

  /** Asserts that each role, in both environments, gets the responses in `KINDS`, before and after confirming the password. */
  async function expectKind(kind: KindName, ask: (role: Role, env: string) => Promise<Heard>): Promise<void> {
    for (const role of ROLES) {
      const said: Heard[] = [];
      for (const env of ENVIRONMENTS) {
        for (const isConfirmed of [false, true]) {
          await confirm(role, isConfirmed);
          said.push(await ask(role, env));
        }
      }
      expect(said, role).to.deep.equal(KINDS[kind][role]);
    }
  }

  it('have a line for every route, and for each field of routes whose body decides', () => {
    expect([...Object.keys(ROUTES), ...Object.keys(FIELDS)].toSorted()).to.deep.equal(routes.map(({ name }) => name).toSorted());
    for (const route of routes.filter(({ name }) => name in FIELDS))
      expect(new Set(Object.keys(FIELDS[route.name] ?? {}).map(fieldOf)), route.name).to.have.keys(fieldsOf(route));
  });

  it('have a field for each setting that decides where credentials and data go', () => {
    const names = Object.values(FIELDS).flatMap((fields) => Object.keys(fields));
    const aliases = { hosts: 'integration_config', used_key: 'unique_key', oauth_app: 'credentials.client_id' };
    const settings = Object.keys(SETTING_PERMISSIONS).filter((one) => one !== 'variables');
    expect(names).to.include.members(settings.map((one) => (one in aliases ? aliases[one as keyof typeof aliases] : one)));
  });

  for (const route of routes.filter(({ name }) => name in ROUTES && name !== 'POST /api/ui/logout')) {
    const kind = ROUTES[route.name] ?? 'everybody';
    it(`${route.name} is for ${kind}`, async () => {
      if (isEndless(route)) return;
      await expectKind(kind, (role, env) => heard(role, route, addressOf(route, env), route.bodyExample));
    });
  }

  for (const [stage, open] of Object.entries(BEFORE)) {
    it(`opens only ${open.length} routes before ${stage}`, async () => {
      const person = await withPassword(app, 'admin');
      const awaits = stage === 'the second factor was shown';
      const refusal = awaits ? 'signed_out' : 'factor_needed';
      const session = () => app.services.db('member_sessions').where({ member_id: person.member.id });
      if (awaits) {
        const { token_hash, member_id } = await session().first();
        const mac = app.services.keys.authenticate(sessionStatement({ token_hash, member_id, awaits_factor: true }));
        await session().update({ awaits_factor: true, mac });
      }
      const opened: string[] = [];
      for (const route of routes.filter(({ name }) => name !== 'POST /api/ui/logout')) {
        const options = route.bodyExample === undefined ? {} : { body: route.bodyExample };
        const { body } = await person.ui.call(route.method, addressOf(route, 'dev'), options);
        if (body?.error?.code !== refusal) opened.push(route.name);
      }
      expect((await person.ui.post('/api/ui/logout')).status).to.equal(204);
      expect(['POST /api/ui/logout', ...opened]).to.have.members([...open]);
    });
  }

  for (const route of routes.filter(({ name }) => name in FIELDS)) {
    for (const [field, { kind, body }] of Object.entries(FIELDS[route.name] ?? {})) {
      it(`${route.name} with ${field} is for ${kind}`, async () => {
        await expectKind(kind, async (role, env) => {
          const unique = `k-${randomUUID()}`;
          const own = route.name.endsWith('/integrations/:uniqueKey') ? unique : undefined;
          if (own !== undefined) await storeIntegration(env, own, field.startsWith('credentials.') ? 'github-app' : 'github');
          if (route.path.endsWith('/connect-ui'))
            await app.services.db('environments').update({ allowed_origins: [], return_urls: [] });
          const sent = body === undefined ? { [field]: env === 'dev' } : body(own === undefined ? unique : `other-${unique}`);
          const answer = await heard(role, route, addressOf(route, env, own), sent);
          await app.services.db('environments').where({ name: 'live' }).update({ is_production: true });
          await app.services.db('environments').where({ name: 'dev' }).update({ is_production: false });
          return answer;
        });
      });
    }
  }
});
