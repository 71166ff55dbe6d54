import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { ProviderDefinition } from '#contract';
import { exampleValues } from '../contract/catalogue-cases.ts';
import { enter, finish, returnFromProvider } from '../support/authorization.ts';
import { startIntegratedTenant } from '../support/integrated-app.ts';
import { use } from '../support/use.ts';

const FLOWS = 5;

function s256(verifier: string | undefined): string {
  return createHash('sha256')
    .update(verifier ?? '')
    .digest('base64url');
}

describe('PKCE (OAU-04)', function () {
  const app = use(this, startIntegratedTenant);

  it('is used for all providers except those whose definition says that they break on it', async () => {
    const challenges = new Set<string>();
    // PKCE protects an authorization code. With the grant `client_credentials` the callback brings only a consent, no code.
    const hasCode = ({ auth_mode, callback }: ProviderDefinition) =>
      auth_mode === 'OAUTH2' && callback?.grant !== 'client_credentials';
    const providers = app.services.catalogue.list().filter(({ definition }) => hasCode(definition));
    for (const { slug, definition } of providers) {
      await createFor(slug, exampleValues(definition.integration_config));
      const page = await enter(app, { key: slug, params: texts(exampleValues(asked(definition.connection_config))) });
      const { searchParams } = new URL(page.headers.get('location') ?? expect.fail(`${slug}: ${page.text}`));
      const challenge = searchParams.get('code_challenge');
      if (definition.disable_pkce === true) expect(challenge, slug).to.equal(null);
      else {
        expect(searchParams.get('code_challenge_method'), slug).to.equal('S256');
        expect(challenge, slug).to.match(/^[\w-]{43}$/);
        challenges.add(challenge ?? '');
      }
    }
    const without = providers.filter(({ definition }) => definition.disable_pkce === true);
    expect(challenges.size).to.equal(providers.length - without.length);
  });

  for (const pkce of ['required', 'ignored'] as const) {
    it(`sends a fresh verifier of 43 to 128 characters that matches the challenge (${pkce} by the provider)`, async () => {
      app.provider.settings.pkce = pkce;
      const seen = app.provider.ledger.of('token').length;
      const challenges: (string | null)[] = [];
      for (let flow = 0; flow < FLOWS; flow += 1) {
        const back = await returnFromProvider(app);
        challenges.push(app.provider.ledger.of('authorize').at(-1)?.params['code_challenge'] ?? null);
        expect((await finish(back)).status).to.equal(200);
      }
      const verifiers = app.provider.ledger
        .of('token')
        .slice(seen)
        .map(({ params }) => params['code_verifier']);
      expect(new Set(verifiers).size).to.equal(FLOWS);
      for (const verifier of verifiers) expect(verifier).to.match(/^[A-Za-z0-9._~-]{43,128}$/);
      expect(verifiers.map(s256)).to.deep.equal(challenges);
    });
  }

  async function createFor(slug: string, integrationConfig: object): Promise<void> {
    const { status, text } = await app.api.post('/integrations', {
      unique_key: slug,
      provider: slug,
      credentials: { type: 'OAUTH2', client_id: 'client', client_secret: app.provider.clientSecret, scopes: '' },
      integration_config: integrationConfig,
    });
    if (status !== 200) throw new Error(`${slug}: ${text}`);
  }
});

function texts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** Returns the fields that are set before an authorization, without those whose values are found out during it. */
function asked(fields: ProviderDefinition['connection_config'] = {}): NonNullable<ProviderDefinition['connection_config']> {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field.automated !== true));
}
