import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { createSession } from '../support/connect.ts';
import type { ClientResponse } from '../support/http-client.ts';
import { expectError } from '../support/std-error.ts';
import { storeConnection, storeIntegration } from '../support/stored.ts';
import { use } from '../support/use.ts';

type Members = Readonly<Record<string, string>>;

const members = (count: number): Members => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));
const key = (length: number): Members => ({ [`k${'x'.repeat(length)}`.slice(0, length)]: 'v' });
const value = (length: number): Members => ({ key: 'v'.repeat(length) });

/** Tags at the boundary of each limit and one step beyond it, and whether they are accepted. */
const TAGS: readonly (readonly [what: string, tags: Members, isTaken: boolean])[] = [
  ['no tags', {}, true],
  ['10 keys', members(10), true],
  ['11 keys', members(11), false],
  ['a key of no characters', { '': 'v' }, false],
  ['a key of 1 character', key(1), true],
  ['a key of 64 characters', key(64), true],
  ['a key of 65 characters', key(65), false],
  ['a value of no characters', value(0), false],
  ['a value of 1 character', value(1), true],
  ['a value of 255 characters', value(255), true],
  ['a value of 256 characters', value(256), false],
];

const END_USER_TAGS: readonly (readonly [what: string, tags: Members, isTaken: boolean])[] = [
  ['64 keys', members(64), true],
  ['65 keys', members(65), false],
  ['a value of 64 characters', value(64), true],
  ['a value of 65 characters', value(65), false],
];

const CREDENTIALS = { type: 'OAUTH2', access_token: 'example-access-token' };

describe('a limit', function () {
  const app = use(this, startApp);

  before(async () => {
    await storeIntegration(app.api, 'one');
    await storeConnection(app, { key: 'one', connectionId: 'stored' });
  });

  /** All requests that accept tags. */
  const TAKERS: Readonly<Record<string, (more: object) => Promise<ClientResponse>>> = {
    'an import': (more) => app.api.post('/connections', { provider_config_key: 'one', credentials: CREDENTIALS, ...more }),
    'a change of a connection': (more) => app.api.patch('/connections/stored?provider_config_key=one', more),
    'the old form of a change': (more) => app.api.patch('/v1/connections/stored', more),
    'a session': (more) => app.api.post('/connect/sessions', more),
    'a reconnect session': (more) =>
      app.api.post('/connect/sessions/reconnect', { connection_id: 'stored', integration_id: 'one', ...more }),
  };

  for (const [taker, send] of Object.entries(TAKERS)) {
    for (const [what, tags, isAccepted] of TAGS) {
      it(`of tags: ${taker} ${isAccepted ? 'takes' : 'refuses'} ${what}`, async () => {
        const response = await send({ tags });
        if (isAccepted) expect(response.status, response.text).to.be.oneOf([200, 201]);
        else expectError(response, 'invalid_body');
      });
    }

    for (const [what, tags, isAccepted] of END_USER_TAGS) {
      it(`of the deprecated tags of an end user: ${taker} ${isAccepted ? 'takes' : 'refuses'} ${what}`, async () => {
        const response = await send({ end_user: { id: 'user-1', tags } });
        if (isAccepted) expect(response.status, response.text).to.be.oneOf([200, 201]);
        else expectError(response, 'invalid_body');
      });
    }
  }

  for (const [what, tags, isAccepted] of TAGS.filter(([, tags]) => !('' in tags))) {
    it(`of tags: a filter ${isAccepted ? 'takes' : 'refuses'} ${what}`, async () => {
      const query = new URLSearchParams(Object.entries(tags).map(([name, one]): [string, string] => [`tags[${name}]`, one]));
      const response = await app.api.get(`/connections?${query}`);
      if (isAccepted) expect(response.status, response.text).to.equal(200);
      else expectError(response, 'invalid_query_params');
    });
  }

  it('of a connect link is thirty minutes', async () => {
    const { body } = await app.api.post('/connect/sessions', {});
    const validMs = Date.parse(body.data.expires_at) - app.clock.now().getTime();
    expect(validMs).to.be.within(30 * 60_000 - 2_000, 30 * 60_000 + 2_000);
    const token = await createSession(app);
    const visit = async () => (await app.client().get(`/oauth/connect/one?connect_session_token=${token}`)).status;
    await app.clock.advance(30 * 60_000 - 5_000, app.database.db);
    expect(await visit()).to.equal(302);
    await app.clock.advance(10_000, app.database.db);
    expect(await visit()).to.equal(401);
  });
});
