import { expect } from 'chai';
import { declaredWebhook } from '../../test/support/declared-webhook.ts';
import { incomingJson } from '../../test/support/incoming-webhook.ts';

const { events } = await declaredWebhook('shopify');

const keysOf = (domain?: string) =>
  events(incomingJson({ id: 1 }, domain === undefined ? {} : { 'x-shopify-shop-domain': domain }))[0]?.connections;

describe('provider shopify', () => {
  it('looks for the store in the header, whatever its case', () => {
    const key = { by: 'connectionConfig', field: 'subdomain', value: 'my-store' };
    expect(keysOf('my-store.myshopify.com')).to.deep.equal([key]);
    expect(keysOf('My-Store.MyShopify.com')).to.deep.equal([key]);
  });

  for (const domain of [undefined, '', 'my-store', 'shop.example', '-x.myshopify.com', 'a.myshopify.com, b.myshopify.com']) {
    it(`names no connection for the store ${domain}`, () => {
      expect(keysOf(domain)).to.deep.equal([]);
    });
  }
});
