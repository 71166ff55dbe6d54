import { expect } from 'chai';
import { contrast, rgbOf } from '../../../core/kit/color.ts';
import { fill, pickLanguage } from '../../../core/kit/language.ts';
import { monogram } from '../../../core/kit/monogram.ts';
import { textsOfFailure } from '../../../ui/connect/flow/failures.ts';
import { returnAddress } from '../../../ui/connect/flow/return-address.ts';
import { entriesOf, search } from '../../../ui/connect/flow/search.ts';
import { brandProperties, schemeOf } from '../../../ui/kit/brand.ts';
import { form, integration } from './fake-window.ts';

describe('the search of the picker', () => {
  const labels: Readonly<Record<string, string>> = { ticketing: 'Vorgänge', other: '' };
  const entries = entriesOf(
    [
      integration('jira', { display_name: 'Jira', categories: ['other', 'ticketing'] }),
      integration('jira-reports', { display_name: 'Jira', provider: 'atlassian' }),
      integration('cafe', { display_name: 'Café Büro' }),
    ],
    (category) => labels[category] ?? category,
  );
  const found = (query: string) => search(entries, query).map((entry) => entry.integration.unique_key);

  it('matches name, ID, provider and category, ignoring case and accents', () => {
    expect(found('JI')).to.deep.equal(['jira', 'jira-reports']);
    expect(found('cafe buro')).to.deep.equal(['cafe']);
    expect(found('atlas')).to.deep.equal(['jira-reports']);
    expect(found('ticket jira')).to.deep.equal(['jira']);
    expect(found('vorgange')).to.deep.equal(['jira']);
    expect(found('none')).to.deep.equal([]);
    expect(found(' ')).to.have.length(3);
  });

  it('labels entries with meaningful categories', () => {
    expect(entries.map((entry) => entry.labels)).to.deep.equal([['Vorgänge'], [], []]);
  });

  it('marks entries with the same name', () => {
    expect(entries.map(({ isTwin }) => isTwin)).to.deep.equal([true, true, false]);
  });
});

describe('the texts of a failure', () => {
  const unreachable = (field: object) => {
    const fields = [{ path: ['params', 'one'], title: 'One', ...field }] as const;
    return textsOfFailure('provider_unreachable', form('desk', { fields })).text;
  };

  it('mention the address only if the form asks for one', () => {
    expect(unreachable({ format: 'hostname' })).to.equal('error_address_unreachable');
    expect(unreachable({ suffix: '.acme.test' })).to.equal('error_address_unreachable');
    expect(unreachable({ secret: true })).to.equal('error_provider_unreachable');
    expect(textsOfFailure('provider_unreachable', null).text).to.equal('error_provider_unreachable');
  });

  it('speak of typed details only if there were any', () => {
    expect(textsOfFailure('credentials_rejected', form('desk', { way: 'form' })).text).to.equal('error_credentials_rejected');
    expect(textsOfFailure('credentials_rejected', form('desk', { way: 'sign_in' })).text).to.equal('error_access_rejected');
  });

  it('treat an unknown code as an internal error', () => {
    expect(textsOfFailure('constructor', null)).to.include({ text: 'error_server_error', action: 'try_again' });
  });
});

describe('the return URL of a link', () => {
  for (const url of [null, 'javascript:alert(1)', 'http://app.example/', 'data:text/html,x', 'no address']) {
    it(`rejects ${url}`, () => expect(returnAddress(url, 'closed')).to.equal(null));
  }

  it('keeps its own query', () => {
    expect(returnAddress('https://a.example/x?y=%20~1#z', 'connected', 'desk')).to.equal(
      'https://a.example/x?y=%20~1&svc_status=connected&integration=desk#z',
    );
    expect(returnAddress('http://localhost:3000/', 'failed')).to.equal('http://localhost:3000/?svc_status=failed');
  });
});

describe('a brand', () => {
  const ratio = (one = '', other = '') => contrast(rgbOf(one) ?? [0, 0, 0], rgbOf(other) ?? [0, 0, 0]);

  for (const color of ['#ffee00', '#000000', '#ffffff', '#3350d4', '#808080', '#ff0000', '#0f766e']) {
    it(`is readable in ${color}`, () => {
      const made = brandProperties({ color, radius: null });
      for (const [scheme, ground] of [
        ['light', '#ffffff'],
        ['dark', '#13161d'],
      ]) {
        expect(ratio(made[`--on-brand-${scheme}`], made[`--brand-${scheme}`]), scheme).to.be.at.least(4.5);
        expect(ratio(made[`--brand-text-${scheme}`], ground), scheme).to.be.at.least(4.5);
      }
    });
  }

  it('sets no properties for missing or invalid values', () => {
    expect(brandProperties({ color: null, radius: null })).to.deep.equal({});
    expect(brandProperties({ color: 'red;}', radius: 1_000 })).to.deep.equal({ '--radius': '32px' });
  });

  it('yields its color scheme to that of the page around', () => {
    expect(schemeOf('dark', 'light')).to.equal('dark');
    expect(schemeOf(null, 'light')).to.equal('light');
    expect(schemeOf('system', 'light')).to.equal(undefined);
  });

  it('has initials in place of a logo', () => {
    expect(['Acme Desk', 'github', '株式会社', '', 'a'].map(monogram)).to.deep.equal(['AD', 'GI', '株式', '?', 'A']);
  });
});

describe('languages', () => {
  for (const [wanted, found] of [
    [['de-AT', 'en'], 'de'],
    [['xx', 'de'], 'de'],
    [['pt'], 'pt-br'],
    [['pt-PT', 'en'], 'pt-br'],
    [['PT-BR'], 'pt-br'],
    [['xx'], undefined],
    [[''], undefined],
  ] as const) {
    it(`for ${wanted.join(', ')}: ${found}`, () => expect(pickLanguage(wanted)).to.equal(found));
  }

  it('fill in each placeholder once, and keep unknown ones', () => {
    expect(fill('{name} is {b}', { name: '{b}', b: 1 })).to.equal('{b} is 1');
    expect(fill('{other}', {})).to.equal('{other}');
  });
});
