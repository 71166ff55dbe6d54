import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { CONNECT_FLAGS } from '../../core/cli/connect-settings.ts';
import { auditPage } from '../../core/journal/audit-trail/trail.ts';
import { systemClock } from '../../core/kit/clock.ts';
import { KeyRing } from '../../core/kit/key-ring.ts';
import { createLogger } from '../../core/kit/logger.ts';
import { insertEnvironment } from '../../core/tenants/environments/environment-store.ts';
import { openMemberSession } from '../../core/tenants/members/member-sessions.ts';
import { insertMember } from '../../core/tenants/members/member-store.ts';
import { CommandLine, runCommand } from '../support/command-line.ts';
import { connectUrl, createIntegration, createSession } from '../support/connect.ts';
import { changeStoredMember } from '../support/dashboard/members.ts';
import { cloneDatabase } from '../support/database.ts';
import { client } from '../support/http-client.ts';
import { startServices } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { use } from '../support/use.ts';
import { words } from '../support/words.ts';

/**
 * Five times the two seconds within which a command must take effect on every instance, because other tests run at the same time.
 */
const EFFECTIVE_MS = 10_000;
const KEY = ['--name', 'backend', '--scopes', 'environment:*'];

const ENVIRONMENT_MEMBERS = words`
  id uuid name callback_url webhook_url webhook_url_secondary webhook_secret on_new_connection on_refresh on_deletion
  allowed_origins return_urls brand
`;

const OUTCOMES: readonly (readonly [string, 1 | 2, readonly string[]])[] = [
  ['no command', 2, []],
  ['an unknown command', 2, ['toString']],
  ['an unknown flag', 2, ['env', 'get', '--nope']],
  ['an account without a verb', 2, ['account']],
  ['an account without a name', 2, ['account', 'create', '--name', '']],
  ['an environment where all are listed', 2, ['env', 'list', '--env', 'dev']],
  ['nothing to set', 2, ['env', 'set']],
  ['an address that is none', 2, ['env', 'set', '--webhook-url', 'ftp://example.com']],
  ['a switch that is neither on nor off', 2, ['env', 'set', '--on-refresh', 'yes']],
  ['a variable without a value', 2, ['env', 'set', '--variable', 'NAME']],
  ['an origin with a path', 2, ['env', 'set', '--allowed-origins', 'https://app.example/embed']],
  ['an origin with a wildcard', 2, ['env', 'set', '--allowed-origins', 'https://*.example']],
  ['an origin that is none', 2, ['env', 'set', '--allowed-origins', 'https://app.example,null']],
  ['a return URL by plain http', 2, ['env', 'set', '--return-urls', 'http://app.example/']],
  ['a return URL with a query', 2, ['env', 'set', '--return-urls', 'https://app.example/?a=b']],
  ['a return URL with a user name', 2, ['env', 'set', '--return-urls', 'https://a@app.example/']],
  ['a return URL that steps up', 2, ['env', 'set', '--return-urls', 'https://app.example/a/..']],
  ['a name that turns text around', 2, ['env', 'set', '--brand-name', 'Acme\u202e']],
  ['a colour by name', 2, ['env', 'set', '--brand-color', 'red']],
  ['a radius of 33', 2, ['env', 'set', '--brand-radius', '33']],
  ['an unknown theme', 2, ['env', 'set', '--brand-theme', 'blue']],
  ['a language that the window does not speak', 2, ['env', 'set', '--brand-language', 'sv']],
  ['a logo that is not there', 1, ['env', 'set', '--brand-logo', '/nowhere.png']],
  ['a logo that is no image', 1, ['env', 'set', '--brand-logo', 'package.json']],
  ['a public key that is no UUID', 2, ['env', 'set', '--public-key', 'key']],
  ['an HMAC key of 256 characters', 2, ['env', 'set', '--hmac-key', 'x'.repeat(256)]],
  ['a key without scopes', 2, ['api-keys', 'create', '--name', 'a']],
  ['an unknown scope', 2, ['api-keys', 'create', '--name', 'a', '--scopes', 'everything']],
  [
    'a key whose end has passed',
    2,
    ['api-keys', 'create', '--name', 'a', '--scopes', 'environment:*', '--expires-at', '2020-01-01'],
  ],
  ['an ID that is no number', 2, ['api-keys', 'revoke', '0x1']],
  ['a new password for nobody', 2, ['reset-password']],
  ['a new password for a stranger', 1, ['reset-password', 'nobody@acme.example']],
  ['second factors of nobody', 2, ['reset-factors']],
  ['second factors of a stranger', 1, ['reset-factors', 'nobody@acme.example']],
  ['a first admin of an account that is none', 2, ['setup-link', '--account', 'first']],
  ['an unknown environment', 1, ['env', 'get', '--env', 'nowhere']],
  ['an unknown key', 1, ['api-keys', 'revoke', '999999']],
  ['the name of another key', 1, ['api-keys', 'create', '--name', 'Default - Full access', '--scopes', 'environment:*']],
];

describe('the command line beside two running instances', function () {
  const database = use(this, cloneDatabase);
  const keys = newServiceEnv();
  const env = () => ({ ...keys, DATABASE_URL: database.url });
  const instances = use(this, () => startServices(2, { env: env() }));

  const commandLine = use(this, async () => new CommandLine());

  const svc = (...args: string[]) => commandLine.run(env(), ...args);
  const object = async (...args: string[]) => {
    const { code, stdout, stderr } = await svc(...args, '--json');
    expect(code, stderr).to.equal(0);
    return JSON.parse(stdout);
  };
  const statuses = (secret: string) =>
    Promise.all(instances.all.map(async ({ url }) => (await client(url, secret).get('/connections')).status));

  it('creates a key that works at once, and revokes it everywhere within two seconds', async () => {
    const { id, secret, scopes } = await object('api-keys', 'create', ...KEY);
    expect(scopes).to.deep.equal(['environment:*']);
    expect(await statuses(secret)).to.deep.equal([200, 200]);
    expect(await object('api-keys', 'revoke', String(id))).to.deep.equal({ id, revoked: true });
    const deadline = performance.now() + EFFECTIVE_MS;
    while ((await statuses(secret)).some((status) => status !== 401) && performance.now() < deadline) await wait(20);
    expect(await statuses(secret)).to.deep.equal([401, 401]);
    const { data } = await object('api-keys', 'list');
    expect(data.map((key: { id: number }) => key.id)).not.to.include(id);
  });

  it('ends with exit code 0, 1 or 2 in a separate process', async () => {
    for (const [code, ...args] of [[0, 'env', 'list'], [1, 'env', 'get', '--env', 'nowhere'], [2]] as const) {
      const { stdout, stderr, ...result } = await runCommand(env(), ...args);
      expect(result.code, stderr).to.equal(code);
      expect([stdout !== '', stderr !== '']).to.deep.equal([code === 0, code !== 0]);
    }
  });

  it('deletes the second factors of a member who has lost them, ends the sessions, and records it', async () => {
    const { db } = database;
    const deps = {
      db,
      keys: KeyRing.parse(keys.SVC_ENCRYPTION_KEYS),
      clock: systemClock,
      log: createLogger({ level: 'silent' }),
    };
    const member = await insertMember(deps, { accountId: 1, name: 'Ada', email: 'ada@acme.example', role: 'viewer' });
    await changeStoredMember(deps, member.id, { has_factor: true });
    const factor = { member_id: member.id, kind: 'totp', name: 'App', secret: Buffer.from('x'), created_at: new Date() };
    await db('member_factors').insert(factor);
    await openMemberSession(deps, member.id, { address: '192.0.2.1', userAgent: 'test' });
    expect(await object('reset-factors', ' Ada@acme.example')).to.deep.equal({ reset: 'ada@acme.example' });
    expect(await db('member_factors').where({ member_id: member.id })).to.deep.equal([]);
    expect(await db('member_sessions').where({ member_id: member.id })).to.deep.equal([]);
    expect((await db('members').where({ id: member.id }).first('has_factor')).has_factor).to.equal(false);
    const [entry] = (await auditPage(db, { accountId: 1 }, { limit: 1 })).entries;
    expect(entry).to.deep.include({ action: 'member.factor_reset' });
    expect(entry?.subject).to.deep.equal({ type: 'member', id: String(member.id), name: 'ada@acme.example' });
  });

  it('never shows the secret of a key again', async () => {
    const { secret } = await object('api-keys', 'create', '--name', 'shown-once', '--scopes', 'environment:*');
    expect((await svc('api-keys', 'list')).stdout)
      .to.contain('shown-once')
      .and.not.contain(secret);
  });

  it('shows an environment, changes it and clears an address with an empty value', async () => {
    expect((await object('env', 'list')).data).to.have.length(1);
    const before = await object('env', 'get');
    expect(before).to.have.all.keys(ENVIRONMENT_MEMBERS);
    const callback = 'https://app.example.com/callback';
    const changed = await object('env', 'set', '--callback-url', callback, '--on-refresh', 'off');
    expect(changed).to.deep.equal({ ...before, callback_url: callback, on_refresh: false });
    expect((await object('env', 'set', '--callback-url', '')).callback_url).to.match(/^http:.*\/oauth\/callback$/);
  });

  it('sets the allowed origins and the look of the pages', async () => {
    const before = await object('env', 'get');
    expect(before).to.deep.include({ allowed_origins: [], return_urls: [] });
    const flags = [
      '--allowed-origins',
      'https://App.example:443/, http://localhost:3000',
      '--return-urls',
      'https://app.example',
    ];
    const changed = await object(
      'env',
      'set',
      ...flags,
      '--brand-name',
      'Acme',
      '--brand-color',
      '#FFEE00',
      '--brand-radius',
      '0',
      '--brand-language',
      'pt-BR',
    );
    expect(changed).to.deep.equal({
      ...before,
      allowed_origins: ['https://app.example', 'http://localhost:3000'],
      return_urls: ['https://app.example/'],
      brand: {
        name: 'Acme',
        logo_url: null,
        color: '#ffee00',
        text_color: '#0e1118',
        contrast: 15.72,
        radius: 0,
        theme: 'system',
        language: 'pt-br',
      },
    });
    const cleared = [...CONNECT_FLAGS].flatMap((flag) => [`--${flag}`, '']);
    expect(await object('env', 'set', ...cleared)).to.deep.equal(before);
  });

  it('changes the callback URL of every running instance within two seconds', async () => {
    const [one] = instances.all;
    if (one === undefined) throw new Error('there is no instance');
    const service = { url: one.url, api: client(one.url, keys.SVC_BOOTSTRAP_API_KEY) };
    const provider = { url: 'https://api.example', authorizationUrl: 'https://auth.example/authorize' };
    await createIntegration(service, { ...provider, tokenUrl: 'https://auth.example/token', clientId: 'a', clientSecret: 'b' });
    const token = await createSession(service);
    const redirectUris = () =>
      Promise.all(
        instances.all.map(async ({ url }) => {
          const response = await client(url).get(connectUrl({ url }, { token }));
          return new URL(response.headers.get('location') ?? '').searchParams.get('redirect_uri');
        }),
      );
    await redirectUris();
    const callback = 'https://app.example.com/changed';
    await object('env', 'set', '--callback-url', callback);
    const deadline = performance.now() + EFFECTIVE_MS;
    while ((await redirectUris()).some((uri) => uri !== callback) && performance.now() < deadline) await wait(20);
    expect(await redirectUris()).to.deep.equal([callback, callback]);
    await object('env', 'set', '--callback-url', '');
  });

  it('creates an account that shares nothing with the first one', async () => {
    const made = await object('account', 'create', '--name', 'other');
    expect(made).to.have.all.keys('account_key');
    const [one] = instances.all;
    if (one === undefined) throw new Error('there is no instance');
    const account = client(one.url, made.account_key);
    const { data } = (await account.get('/environments')).body;
    expect(data.map(({ name }: { name: string }) => name)).to.deep.equal(['dev']);
    const key = await account.post('/environment/api-keys', { environment_id: data[0].id, display_name: 'first' });
    const api = client(one.url, key.body.data.secret);
    expect((await api.get('/connections')).body.connections).to.deep.equal([]);
    expect((await object('env', 'list')).data).to.have.length(1);
  });

  it('keeps a variable encrypted, and replaces it', async () => {
    await object('env', 'set', '--variable', 'TOKEN=first=value');
    await object('env', 'set', '--variable', 'TOKEN=second', '--variable', 'EMPTY=');
    const rows = await database.db('environment_variables').orderBy('name').select('name', 'value');
    expect(rows.map(({ name }) => name)).to.deep.equal(['EMPTY', 'TOKEN']);
    expect(await database.dump())
      .not.to.contain('first=value')
      .and.not.contain('second');
  });

  it('sets the deprecated public key and its HMAC key, which it keeps encrypted and never shows; empty clears both', async () => {
    const [publicKey, hmacKey] = [randomUUID(), 'h'.repeat(255)];
    const set = await object('env', 'set', '--public-key', publicKey, '--hmac-key', hmacKey);
    expect(set).to.have.all.keys(ENVIRONMENT_MEMBERS);
    expect(JSON.stringify(set)).not.to.contain(publicKey).and.not.contain(hmacKey);
    expect(await database.dump()).not.to.contain(hmacKey);
    const row = () => database.db('environments').where({ id: set.id }).first('public_key', 'hmac_key');
    expect(await row())
      .to.deep.include({ public_key: publicKey })
      .and.to.have.property('hmac_key')
      .that.is.instanceOf(Buffer);

    const other = await insertEnvironment(database.db, { accountId: 1, name: 'other' });
    const refused = await svc('env', 'set', '--public-key', publicKey, '--env', other.name);
    expect([refused.code, refused.stderr]).to.deep.equal([1, 'another environment already uses this public key\n']);
    await object('env', 'set', '--public-key', '', '--hmac-key', '');
    expect(await row()).to.deep.equal({ public_key: null, hmac_key: null });
    await database.db('environments').where({ id: other.id }).delete();
  });

  for (const [what, code, args] of OUTCOMES) {
    it(`ends with ${code} and one line for ${what}`, async () => {
      const { stdout, stderr, ...result } = await svc(...args);
      expect(result.code).to.equal(code);
      expect(stderr.trimEnd().split('\n'), stderr).to.have.length(1);
      expect(stdout).to.equal('');
    });
  }
});
