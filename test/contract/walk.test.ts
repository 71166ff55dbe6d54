import { expect } from 'chai';
import { scopeNames } from '#contract';
import { fillTexts } from '../../core/auth-modes/building-blocks/provider-template.ts';
import { modeNamed } from '../../core/auth-modes/index.ts';
import { readCatalogue } from '../../core/catalogue/catalogue.ts';
import { loadPlugins } from '../../core/catalogue/plugins/load.ts';
import { joinPlugins } from '../../core/catalogue/plugins/plugins.ts';
import { comeBack, goToProvider } from '../../core/cli/rehearsal/connect.ts';
import { standardParams } from '../../core/cli/rehearsal/dialect.ts';
import { REDIRECT_URI, RehearsalStage } from '../../core/cli/rehearsal/stage.ts';
import { DIRS } from './catalogue-cases.ts';
import { WALKS } from './walks.ts';

const catalogue = await readCatalogue(DIRS);
const plugins = joinPlugins(catalogue, await loadPlugins(DIRS));

/** These walks are short: the test `cli/plugin-check` takes every provider through the complete walk of `plugin check`. */
for (const provider of catalogue.list().filter(({ definition }) => WALKS.code(definition))) {
  const { definition, slug } = provider;
  describe(`provider ${slug}, walked through`, () => {
    it('begins at its own host with state, redirect URI and, unless disabled, PKCE S256', async () => {
      await using stage = await RehearsalStage.open({ provider, plugins, documented: {} });
      await goToProvider(stage);
      const url = stage.provider.requests.at(-1)?.url ?? expect.fail('nobody was sent anywhere');
      const expected = stage.urlOf(definition.authorization_url);
      expect([url.protocol, url.host, url.pathname]).to.deep.equal(['https:', expected?.host, expected?.pathname]);
      const { authorization_param_names: names, omit_params, scope_separator: separator } = definition;
      const params = standardParams(Object.fromEntries(url.searchParams), names, omit_params?.authorization) ?? {};
      const standard = { response_type: 'code', redirect_uri: REDIRECT_URI, client_id: stage.integration.client.clientId };
      const omitted: readonly string[] = omit_params?.authorization ?? [];
      expect(params).to.include(Object.fromEntries(Object.entries(standard).filter(([name]) => !omitted.includes(name))));
      expect(params['state']).to.match(/^[\w-]{20,}$/);
      expect(params).to.include(fillTexts(definition.authorization_params, stage.source));
      expect(params['scope'] ?? '').to.equal(scopeNames(definition.default_scopes).join(separator ?? ' '));
      const hasCode = definition.callback?.grant !== 'client_credentials';
      const hasPkce = hasCode && definition.disable_pkce !== true;
      expect(params['code_challenge_method']).to.equal(hasPkce ? 'S256' : undefined);
      expect(params['code_challenge'] ?? '').to.match(hasPkce ? /^[\w-]{43}$/ : /^$/);
    });

    if (plugins.of(slug).auth?.exchange !== undefined) return;
    it('requests new tokens only from its token endpoint', async () => {
      await using stage = await RehearsalStage.open({ provider, plugins, documented: {} });
      const back = await goToProvider(stage);
      const { credentials, connectionConfig } = await comeBack(stage, back);
      const mode = modeNamed('OAUTH2');
      if (mode.isRefreshable?.(credentials) === true)
        await mode.refresh?.(stage.modeDeps, stage.inputWith(connectionConfig), credentials);
      const called = stage.provider.requests.map(({ url }) => url.origin + url.pathname).slice(1);
      const tokenUrl = stage.urlOf(definition.token_url);
      const refreshUrl = stage.urlOf(definition.refresh_url) ?? tokenUrl;
      expect(called).to.deep.equal([tokenUrl?.href, refreshUrl?.href].slice(0, called.length));
      expect(stage.tokens.complaints).to.deep.equal([]);
    });
  });
}
