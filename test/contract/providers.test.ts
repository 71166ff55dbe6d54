import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkFields, compilePattern, type ProviderDefinition, sandboxAt, scopeNames } from '#contract';
import { fillProviderUrl } from '../../core/auth-modes/building-blocks/provider-template.ts';
import { type Provider, readCatalogue } from '../../core/catalogue/catalogue.ts';
import { loadPlugins } from '../../core/catalogue/plugins/load.ts';
import { joinPlugins } from '../../core/catalogue/plugins/plugins.ts';
import { unknownPlaceholders } from '../../core/cli/rehearsal/known-placeholders.ts';
import { DIRS, enteredUrlsOf, exampleSource, fieldsOf, foldersOf, PLUGINS_DIR, PROVIDERS_DIR } from './catalogue-cases.ts';
import { type Facts, readFacts } from './facts.ts';
import { WALKS } from './walks.ts';

const catalogue = await readCatalogue(DIRS);
const plugins = joinPlugins(catalogue, await loadPlugins(DIRS));
const providers = catalogue.list();
/** All providers except the sandbox, whose hosts are those of the service itself. */
const foreign = providers.filter(({ definition }) => definition.sandbox !== true);

/**
 * Providers without PKCE, reviewed one by one. Amazon’s consent page and exchange accept no PKCE parameter (see its `docs`).
 * Slack accepts PKCE only from apps that were permanently turned into public clients, whose refresh tokens end after 30 days
 * (docs.slack.dev/authentication/using-pkce). TikTok’s exchange has three parameters, none of them a verifier
 * (business-api.tiktok.com/portal/docs?id=1739965703387137). Instagram’s exchange has no verifier either. Facebook documents PKCE
 * only for OpenID Connect, as a test (the pages of both are named in `docs` of their definitions).
 */
const WITHOUT_PKCE = ['amazon-selling-partner', 'facebook', 'instagram', 'slack', 'tiktok-ads'];

const facts = new Map<string, Facts>();
for (const { slug, directory } of providers) {
  const found = await readFacts(directory);
  if (found !== undefined) facts.set(slug, found);
}

/** The markup of every logo: a tile in one color with a hairline border and one mark or initial on it. */
const TILE = new RegExp(
  [
    '^<svg xmlns="http://www\\.w3\\.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="[^"]+">',
    ' {2}<rect width="64" height="64" rx="14" fill="#[\\da-f]{6}"/>',
    ' {2}<rect x="0\\.5" y="0\\.5" width="63" height="63" rx="13\\.5" fill="none" stroke="#ffffff" stroke-opacity="0\\.16"/>',
    ' {2}<(?:path [^<]+/|text [^<]+</text)>',
    '</svg>\n$',
  ].join('\n'),
);

describe('bundled providers and plugins', () => {
  it('are all in the catalogue, without errors', () => {
    expect(catalogue.faults).to.deep.equal([]);
    expect(plugins.faults).to.deep.equal([]);
    expect(providers).to.have.length.of.at.least(18);
  });

  it('contain only the expected files', async () => {
    for (const folder of await foldersOf(PROVIDERS_DIR)) await expectFiles(folder, ['provider.json', 'logo.svg']);
    for (const folder of await foldersOf(PLUGINS_DIR)) {
      await expectFiles(folder, ['plugin.ts', 'provider.json', 'logo.svg', 'README.md']);
    }
  });

  it('omit PKCE only if that was reviewed', () => {
    const without = providers.filter(({ definition }) => definition.disable_pkce === true).map(({ slug }) => slug);
    expect(without).to.deep.equal(WITHOUT_PKCE);
  });

  it('are each covered by the walk that their proof names', () => {
    for (const { slug, definition } of providers) {
      expect(
        Object.values(WALKS).some((isIts) => isIts(definition)),
        slug,
      ).to.equal(true);
    }
  });

  it('have their hosts stated twice, unless the user enters them', () => {
    for (const provider of foreign) {
      expect(facts.has(provider.slug), provider.slug).to.equal(Object.keys(hostsOf(provider)).length > 0);
    }
  });

  for (const [slug, { sources, hosts, checked }] of facts) {
    it(`send users and secrets of ${slug} to the documented hosts`, () => {
      expect(hostsOf(providerOf(slug))).to.deep.equal(hosts);
    });

    it(`have two sources for the hosts of ${slug}, including its documentation`, () => {
      expect(new Set(sources.map((source) => new URL(source).hostname)).size).to.be.at.least(2);
      const { hostname } = new URL(providerOf(slug).definition.docs);
      expect(sources.map((source) => new URL(source).hostname)).to.include(hostname);
      expect(Date.parse(checked)).to.be.below(Date.now());
    });
  }
});

for (const provider of providers) {
  describe(`provider ${provider.slug}`, () => {
    it('fills its URLs from the examples of its fields, and all of them are https:', () => {
      const definition = sandboxAt(provider.definition, 'https://svc.example');
      const source = { ...exampleSource(provider), definition };
      for (const { template } of enteredUrlsOf(definition)) {
        expect(fillProviderUrl(template, source).protocol).to.equal('https:');
      }
    });

    it('uses only placeholders that have a value', () => {
      expect(unknownPlaceholders(provider.definition)).to.deep.equal([]);
    });

    it('has examples and defaults that its own fields accept', () => {
      for (const [name, field, form] of fieldsOf(provider.definition)) {
        for (const value of [field.example, field.default_value]) {
          const faults = value === undefined ? [] : checkFields({ [name]: field }, { [name]: value });
          expect(faults, name).to.deep.equal([]);
        }
        if (field.visible_when !== undefined) expect(form).to.have.property(field.visible_when.field);
      }
    });

    it('has patterns that are fast on hostile values', () => {
      for (const [name, { pattern }] of fieldsOf(provider.definition)) {
        if (pattern === undefined) continue;
        for (const part of ['a', '0', '-', 'a.', ' ']) {
          const value = `${part.repeat(10_000 / part.length)}\u0001`;
          expect(
            fastestOfThree(() => compilePattern(pattern).test(value)),
            name,
          ).to.be.below(20);
        }
      }
    });

    it('requests by default only scopes that it offers', () => {
      const { default_scopes = [], available_scopes = [] } = provider.definition;
      const names = scopeNames(available_scopes);
      expect(names).to.include.members(scopeNames(default_scopes));
      expect(new Set(names).size).to.equal(names.length);
    });

    it('has a logo that is a picture and nothing else', async () => {
      const logo = String(await catalogue.logo(provider.slug));
      expect(logo).to.match(TILE);
      expect(logo.length).to.be.below(20_000);
      expect(logo.replace('http://www.w3.org/2000/svg', '')).to.not.match(
        /<script|<foreignObject|<image|<use|<style|<!|<\?|\son\w+\s*=|href|url\(|https?:|data:|javascript:/i,
      );
    });
  });
}

/** Returns the shortest time of three runs in milliseconds, since a busy machine rarely slows all three. */
function fastestOfThree(work: () => void): number {
  const runs = [1, 2, 3].map(() => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.min(...runs);
}

function providerOf(slug: string): Provider {
  const provider = catalogue.find(slug);
  if (provider === undefined) throw new Error(`there is no provider ${slug}`);
  return provider;
}

/**
 * Returns the hosts to which users and secrets are sent, except hosts that users enter as a whole, such as self-hosted servers.
 */
function hostsOf(provider: Provider): Record<string, string> {
  const source = exampleSource(provider);
  const { authorization_url: authorize, token_url: token, installation, proxy } = provider.definition;
  const templates = { authorize, token, user: installation?.user_token_url, api: proxy?.base_url };
  const written = Object.entries(templates).flatMap(([name, template]) =>
    template === undefined || isNamedAsAWhole(template, provider.definition) ? [] : [[name, template] as const],
  );
  return Object.fromEntries(written.map(([name, template]) => [name, fillProviderUrl(template, source).host]));
}

function isNamedAsAWhole(template: string, { connection_config = {}, integration_config = {} }: ProviderDefinition): boolean {
  const [, group, name = ''] =
    /^(?:https:\/\/)?\$\{(connectionConfig|integrationConfig|integration)\.([^}]+)\}/.exec(template) ?? [];
  if (group === 'integration') return true;
  const fields = group === 'integrationConfig' ? integration_config : connection_config;
  return group !== undefined && fields[name]?.format !== undefined;
}

async function expectFiles(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await access(join(folder, name));
  const readme = names.includes('README.md') ? await readFile(join(folder, 'README.md'), 'utf8') : '# ';
  expect(readme).to.match(/^# /);
}
