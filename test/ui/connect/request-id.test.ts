import { expect } from 'chai';
import { createApi } from '../../../ui/connect/flow/api.ts';
import { startTenant } from '../../support/tenant.ts';
import { use } from '../../support/use.ts';

describe('a call of the window that the service refuses', function () {
  const app = use(this, startTenant);

  it('shows the reference that identifies it in the log', async () => {
    const seen: (string | null)[] = [];
    const api = createApi({
      base: `${app.url}/`,
      token: () => 'svc_connect_session_of_nobody',
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        seen.push(response.headers.get('svc-request-id'));
        return response;
      },
      pause: async () => {},
      online: async () => {},
    });
    const error = await api.session().catch((fault) => fault);
    expect(error).to.deep.include({ code: 'session_expired', status: 401, requestId: seen[0] });
    expect(seen[0]).to.be.a('string').that.is.not.empty;
  });
});
