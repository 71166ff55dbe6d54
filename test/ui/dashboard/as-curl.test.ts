import { expect } from 'chai';
import { asCurl } from '../../../ui/dashboard/pages/logs/as-curl.ts';
import { PROXIED } from '../../support/dashboard/log-screens.ts';

const BASE_URL = 'https://svc.example';

describe('a proxied call as a command', () => {
  it('names its path, its connection and its integration', () => {
    expect(asCurl(PROXIED, BASE_URL)?.split(' \\\n  ')).to.deep.equal([
      "curl -g 'https://svc.example/proxy/tickets'",
      '-H "Authorization: Bearer $SVC_KEY"',
      "-H 'Provider-Config-Key: acme-desk'",
      "-H 'Connection-Id: 0b9f6f0e-6f0e-4c2b-9a51-21c97f3a51aa'",
    ]);
  });

  it('has the method, and nothing that a shell would run', () => {
    const facts = { method: 'DELETE', path: "/proxy/it's/$(id)" };
    const messages = PROXIED.messages.map((message) => ({ ...message, facts }));
    const command = asCurl({ ...PROXIED, messages }, BASE_URL);
    expect(command).to.contain("curl -g -X DELETE 'https://svc.example/proxy/it'\\''s/$(id)'");
  });

  for (const [name, part] of Object.entries({
    'of another kind': { type: 'refresh' },
    'without a connection': { connection_id: null },
    'of which the path is not known': { messages: [] },
  }))
    it(`is absent ${name}`, () => {
      expect(asCurl({ ...PROXIED, ...part }, BASE_URL)).to.equal(undefined);
    });
});
