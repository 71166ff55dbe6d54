import { expect } from 'chai';
import { checkUsersInstallation } from '../../../../../core/auth-modes/building-blocks/installed-app/user-installations.ts';
import { createOutbound } from '../../../../../core/kit/outbound.ts';
import { serve } from '../../../../support/loopback-server.ts';
import { use } from '../../../../support/use.ts';
import { modeInput, NOW, tokenFailure } from '../token-endpoint/mode-input.ts';

const PAGE_MS = 40;
/** The time limit for reading all pages of the list together; only a few pages arrive within it. */
const TOTAL_MS = 4 * PAGE_MS;

describe('the list of a user’s installations', function () {
  const outbound = use(this, () => createOutbound({ allow: ['127.0.0.1/32'] }));

  it('is read for a limited time, however many pages there are', async () => {
    let pages = 0;
    await using server = await serve((_, response) => {
      pages += 1;
      const headers = { 'content-type': 'application/json', link: `</installations?page=${pages}>; rel="next"` };
      setTimeout(() => response.writeHead(200, headers).end('{"installations":[]}'), PAGE_MS);
    });
    const installation = {
      user_token_url: `${server.url}/token`,
      user_installations: { url: `${server.url}/installations`, list: 'installations', id: 'id' },
    };
    const deps = { outbound, now: () => NOW, tokenCallMs: TOTAL_MS };
    const claim = { accessToken: 'of-user', installationId: '1001' };
    const failure = await tokenFailure(checkUsersInstallation(deps, modeInput({ installation }), claim));
    expect(failure.name).to.equal('TokenFailure');
    expect(failure.kind).to.equal('unknown');
    // One more page may have been requested just before the limit.
    expect(pages).to.be.within(1, TOTAL_MS / PAGE_MS + 1);
  });
});
