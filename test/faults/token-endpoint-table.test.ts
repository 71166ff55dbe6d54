import { expect } from 'chai';
import { ConnectedInstallation } from '../support/connected-installation.ts';
import { ELSEWHERE, TOKEN_ENDPOINT_BEHAVIOURS } from '../support/token-endpoint-behaviours.ts';
import { use } from '../support/use.ts';

const EXPIRED_SECONDS = 3601;
/** The status that a reader of the connection gets in each state after its token has expired. */
const READ_STATUS = { healthy: 200, needs_reauth: 424, degraded: 503 } as const;

describe('a connection whose token endpoint, at a refresh,', function () {
  const setup = use(this, () => ConnectedInstallation.open({ rotation: 'strict' }));

  it('is tested with forty behaviours', () => {
    expect(new Set(TOKEN_ENDPOINT_BEHAVIOURS.map(([does]) => does))).to.have.property('size', 40);
  });

  for (const [does, behaviour, shown] of TOKEN_ENDPOINT_BEHAVIOURS) {
    it(`${does} is ${shown}`, async () => {
      const callsBefore = setup.provider.ledger.of('token').length;
      setup.provider.next('token', behaviour);
      await setup.advance(EXPIRED_SECONDS);
      const { status, body } = await setup.read();
      const [state = '', cause = null] = shown.split(': ');
      expect({ status, ...(await health()) }).to.deep.equal({
        status: READ_STATUS[state as keyof typeof READ_STATUS],
        state,
        cause,
      });
      if (state === 'healthy') expect(setup.provider.grants.isLive(body.credentials.access_token)).to.equal(true);
      expect(setup.provider.ledger.of('token')).to.have.lengthOf(callsBefore + 1);

      // The connection works again: responses other than a refusal have used up no token, and after a refusal it revives once the
      // provider accepts its token.
      expect(await setup.read('&force_refresh=strict')).to.have.property('status', 200);
      expect(await health()).to.deep.equal({ state: 'healthy', cause: null });
    });
  }

  it('redirects does not follow the redirect', () => {
    const followed = setup.provider.ledger.of('api').filter(({ target }) => target === ELSEWHERE);
    expect(followed).to.deep.equal([]);
  });

  async function health() {
    const { connectionId, key } = setup.connected;
    const { body } = await setup.app.api.get(`/connections/${connectionId}/health?provider_config_key=${key}`);
    const { state, cause } = body.data;
    return { state, cause };
  }
});
