import { expect } from 'chai';
import { isHmacValid } from '../../core/catalogue/webhooks/verify-signature.ts';
import { declaredWebhook, strangeConnections } from '../../test/support/declared-webhook.ts';
import { incomingJson, incomingWebhook } from '../../test/support/incoming-webhook.ts';

/** The test values in GitHub's documentation, "Validating webhook deliveries". */
const DOCUMENTED = {
  secret: "It's a Secret to Everybody",
  body: 'Hello, World!',
  header: 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
};

const rules = await declaredWebhook('github');
const keysOf = (payload: unknown) => rules.events(incomingJson(payload))[0]?.connections;

describe('webhooks of github', () => {
  it('verifies the documented example', () => {
    const [rule] = rules.signature;
    if (rule.scheme !== 'hmac') throw new Error('the digest is an HMAC');
    const webhook = incomingWebhook({ headers: { 'x-hub-signature-256': DOCUMENTED.header }, body: DOCUMENTED.body });
    expect(isHmacValid(rule, webhook, DOCUMENTED.secret)).to.equal(true);
    expect(isHmacValid(rule, { ...webhook, rawBody: Buffer.from('Hello, World?') }, DOCUMENTED.secret)).to.equal(false);
  });

  it('looks for the installation first, then for the IDs in the metadata, then for the owner', () => {
    const payload = {
      installation: { id: 1 },
      repository: { id: 2, owner: { id: 4 } },
      organization: { id: 3 },
      sender: { id: 5 },
    };
    expect(keysOf(payload)).to.deep.equal([
      { by: 'connectionConfig', field: 'installation_id', value: '1' },
      { by: 'metadataContains', field: 'repository_ids', value: '2' },
      { by: 'metadataContains', field: 'organization_ids', value: '3' },
      { by: 'connectionConfig', field: 'user_id', value: '4' },
    ]);
  });

  it('finds the payload in a form, GitHub’s default content type', () => {
    expect(rules.payloadField).to.equal('payload');
  });

  it('names no connection for what it does not understand', () => {
    expect(strangeConnections(rules)).to.deep.equal([]);
  });
});
