import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { importCredentials, storedFromImport } from '../../../core/auth-modes/import-credentials.ts';
import { AUTH_MODES, modeOf } from '../../../core/auth-modes/index.ts';
import { projectFolder } from '../../support/source-files.ts';

const AT = new Date('2026-01-02T03:04:05.678Z');
const ownApp = { client_id: 'own-id', client_secret: 'own-secret' };
/** The maximum length of a secret, in characters. */
const SECRET = 16_384;
const expires_at = '2026-01-02T05:00:00+01:00';

interface Variant {
  readonly given: Readonly<Record<string, unknown>> & { readonly type: string };
  readonly optional: readonly string[];
  /** The credentials as the API shows them after the import, with normalized dates. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** The maximum length of each text; the texts of BASIC may also be empty. */
  readonly limits: Readonly<Record<string, number>>;
}

const oauth1 = { oauth_token: 'token', oauth_token_secret: 'secret' };
const oauth2 = { access_token: 'access', expires_at, config_override: ownApp };
const client = { client_id: 'id', client_secret: 'secret', token: 'token', expires_at };
const utc = '2026-01-02T04:00:00.000Z';

const VARIANTS: readonly Variant[] = [
  {
    given: { type: 'OAUTH1', ...oauth1 },
    optional: [],
    shown: { type: 'OAUTH1', ...oauth1, raw: oauth1 },
    limits: { oauth_token: SECRET, oauth_token_secret: SECRET },
  },
  {
    given: { type: 'OAUTH2', ...oauth2, refresh_token: 'refresh' },
    optional: ['refresh_token', 'expires_at', 'config_override'],
    shown: { type: 'OAUTH2', ...oauth2, expires_at: utc, raw: oauth2 },
    limits: { access_token: SECRET, refresh_token: SECRET },
  },
  {
    given: { type: 'BASIC', username: 'ada', password: 'password' },
    optional: [],
    shown: { type: 'BASIC', username: 'ada', password: 'password' },
    limits: { username: SECRET, password: SECRET },
  },
  {
    given: { type: 'API_KEY', apiKey: 'key' },
    optional: [],
    shown: { type: 'API_KEY', apiKey: 'key' },
    limits: { apiKey: SECRET },
  },
  {
    given: { type: 'OAUTH2_CC', ...client },
    optional: ['expires_at'],
    shown: { type: 'OAUTH2_CC', ...client, expires_at: utc, raw: client },
    limits: { client_id: 255, client_secret: SECRET, token: SECRET },
  },
  { given: { type: 'NONE' }, optional: [], shown: {}, limits: {} },
  {
    given: { type: 'TBA', token_id: 'id', token_secret: 'secret', config_override: ownApp },
    optional: [],
    shown: { type: 'TBA', token_id: 'id', token_secret: 'secret', config_override: ownApp },
    limits: { token_id: SECRET, token_secret: SECRET },
  },
  {
    given: { type: 'APP', app_id: '1', installation_id: '2' },
    optional: [],
    // The imported credentials contain no token; the mode fetches one before they are stored.
    shown: { type: 'APP', access_token: '', raw: { app_id: '1', installation_id: '2' } },
    limits: { app_id: 255, installation_id: 255 },
  },
];

function isTaken(given: unknown): boolean {
  return importCredentials.safeParse(given).success;
}

for (const { given, optional, shown, limits } of VARIANTS) {
  describe(`imported credentials of the type ${given.type}`, () => {
    it('are shown as they were imported', () => {
      const stored = storedFromImport(importCredentials.parse(given), AT);
      expect(modeOf(stored).present(stored, { withRefreshToken: false })).to.deep.equal(shown);
      expect(stored.receivedAt).to.equal(AT.toISOString());
    });

    it('require every member that is not optional, and accept no others', () => {
      expect(isTaken({ ...given, another: 'member' })).to.equal(false);
      for (const name of Object.keys(given)) {
        const { [name]: _, ...rest } = given;
        expect(isTaken(rest), name).to.equal(optional.includes(name));
        expect(isTaken({ ...given, [name]: null }), name).to.equal(false);
        expect(isTaken({ ...given, [name]: 1 }), name).to.equal(false);
      }
    });

    it('accept texts up to their limits', () => {
      for (const [name, limit] of Object.entries(limits)) {
        expect(isTaken({ ...given, [name]: 'x'.repeat(limit) }), name).to.equal(true);
        expect(isTaken({ ...given, [name]: 'x'.repeat(limit + 1) }), name).to.equal(false);
        expect(isTaken({ ...given, [name]: '' }), name).to.equal(given.type === 'BASIC');
      }
    });
  });
}

describe('imported credentials', () => {
  for (const type of ['APP_STORE', 'JWT', 'CUSTOM', 'BILL', 'TWO_STEP', 'SIGNATURE', 'oauth2', '']) {
    it(`are never of the type "${type}"`, () => expect(isTaken({ type })).to.equal(false));
  }

  it('accept an expiry only as a date and time with an offset', () => {
    const of = (expiry: string) => isTaken({ type: 'OAUTH2', access_token: 'a', expires_at: expiry });
    for (const good of ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.678+02:00']) expect(of(good), good).to.equal(true);
    for (const bad of ['2026-01-02', '2026-01-02T03:04:05', '1767322805', 'tomorrow', '2026-02-30T00:00:00Z', ''])
      expect(of(bad), bad).to.equal(false);
  });

  it('have an app of their own with ID, secret or both, and nothing else', () => {
    const of = (config_override: unknown) => isTaken({ type: 'TBA', token_id: 'a', token_secret: 'b', config_override });
    for (const good of [ownApp, { client_id: 'a' }, { client_secret: 'a' }]) expect(of(good)).to.equal(true);
    for (const bad of [{}, { ...ownApp, scope: 'x' }, { ...ownApp, client_id: '' }])
      expect(of(bad), JSON.stringify(bad)).to.equal(false);
    for (const [name, limit] of [['client_id', 255] as const, ['client_secret', SECRET] as const]) {
      expect(of({ ...ownApp, [name]: 'x'.repeat(limit) })).to.equal(true);
      expect(of({ ...ownApp, [name]: 'x'.repeat(limit + 1) })).to.equal(false);
    }
  });
});

it('the modes that can be imported are those that the README of auth modes names', () => {
  const readme = readFileSync(join(projectFolder, 'core/auth-modes/README.md'), 'utf8');
  const [, section = ''] = /## What can be imported\n([\s\S]*?)\. Each/.exec(readme) ?? [];
  const named = [...section.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name);
  expect(named).to.deep.equal(AUTH_MODES.flatMap(({ name, imported }) => (imported === undefined ? [] : name)).toSorted());
});
