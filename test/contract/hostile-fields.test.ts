import { expect } from 'chai';
import type { JsonObject } from '#contract';
import { fillProviderUrl } from '../../core/auth-modes/provider-template.ts';
import { readCatalogue } from '../../core/catalogue/catalogue.ts';
import { placeholdersOf, TemplateError } from '../../core/kit/template.ts';
import { words } from '../support/words.ts';
import { APP_LINK, DIRS, exampleSource, urlTemplatesOf } from './catalogue-cases.ts';

const HOSTILE = [
  ...words`
    evil.example/ evil.example# evil.example? evil.example\ evil.example:443 user@evil.example a:b@evil.example @evil.example
    evil.example/.good.example //evil.example https://evil.example https://good.example@evil.example/ https://evil.example/#
    javascript:alert(1) file:///etc/passwd .. ../.. ..%2f.. %2e%2e ../../evil . 127.0.0.1 0x7f.1 2130706433 [::1] 169.254.169.254
    localhost. -evil evil-.example base64(a) xn-- % %00 &client_secret= ; ' " < common/../evil %00.example
  `,
  '',
  ' evil.example',
  'evil.example\r\nhost: a',
  'evil\u0000.example',
  'evil\uff0eexample',
  'evil\u3002example',
  '${accessToken}',
  '${connectionConfig.hostname}',
  'a'.repeat(300),
  'a'.repeat(20_000),
] as const;

/** Where a URL may lead: its host as the template writes it, each placeholder standing for whole labels. */
function hostShape(template: string): RegExp {
  const [, authority = ''] = /^https:\/\/([^/?]*)/.exec(template) ?? [];
  const literals = authority.split(/\$\{[^}]+\}/).map((literal) => literal.replaceAll('.', '\\.'));
  return new RegExp(`^${literals.join('[a-z0-9-]+(?:\\.[a-z0-9-]+)*')}$`);
}

function segments(path: string): number {
  return path.split('/').length;
}

/** The URL that a hostile value makes, or undefined when it is refused. */
function attempt(fill: () => URL): URL | undefined {
  try {
    return fill();
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

const { list } = await readCatalogue(DIRS);
const cases = list().flatMap((provider) =>
  urlTemplatesOf(provider.definition).flatMap(({ member, template }) =>
    placeholdersOf(template)
      .filter((placeholder) => placeholder !== APP_LINK)
      .map((placeholder) => ({ provider, member, template, placeholder })),
  ),
);

describe('hostile values of templated fields', () => {
  it('are tried on every URL that has a placeholder', () => expect(cases).to.have.length.of.at.least(8));

  for (const { provider, member, template, placeholder } of cases) {
    it(`never move ${member} of ${provider.slug} off its host by ${placeholder}`, () => {
      const source = exampleSource(provider);
      const [kind, field = ''] = placeholder.split('.');
      const isOfMap = kind === 'maps';
      const isOfConnection = isOfMap ? Object.hasOwn(source.connectionConfig, field) : kind === 'connectionConfig';
      const good = fillProviderUrl(template, source);
      for (const value of HOSTILE) {
        const config: JsonObject = {
          ...(isOfConnection ? source.connectionConfig : source.integrationConfig),
          [field]: value,
        };
        const hostile = isOfConnection ? { ...source, connectionConfig: config } : { ...source, integrationConfig: config };
        const url = attempt(() => fillProviderUrl(template, hostile));
        if (url === undefined) continue;
        expect([url.username, url.password, url.hash], value).to.deep.equal(['', '', '']);
        if (isOfMap) expect.fail(`"${value}" is in no map`);
        else if (template.startsWith('${')) {
          expect(url.origin, value).to.equal(new URL(value === '' ? good : value).origin);
        } else {
          expect(url.host, value).to.match(hostShape(template));
          expect(segments(url.pathname), value).to.equal(segments(good.pathname));
        }
      }
    });
  }
});
