import { expect } from 'chai';
import { pageWithSettings } from '../../../../core/server/pages/page-with-settings.ts';

const PAGE = '<!doctype html><html><head><title>a</title></head></html>';

describe('a built page', () => {
  for (const [baseUrl, base] of [
    ['http://localhost:3003', '/'],
    ['https://host.example/auth/svc', '/auth/svc/'],
    ['https://host.example/a"b&c', '/a%22b&amp;c/'],
  ] as const)
    it(`at ${baseUrl} has the base address ${base}`, () => {
      expect(pageWithSettings(PAGE, { baseUrl, settings: {} })).to.include(`<head>\n    <base href="${base}">`);
    });

  it('holds the settings as data that cannot close their element', () => {
    const settings = { name: '</script><script>alert(1)</script>', price: "$& $' $1" };
    const page = pageWithSettings(PAGE, { baseUrl: 'https://a.example', settings });
    expect(page.match(/<script/g)).to.have.length(1);
    const [, data = ''] = /<script type="application\/json" id="settings">(.*?)<\/script>/s.exec(page) ?? [];
    expect(JSON.parse(data)).to.deep.equal(settings);
  });
});
