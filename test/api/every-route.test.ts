import { expect } from 'chai';
import { sendRequest } from '../support/requests/api-request.ts';
import { apiOperations } from '../support/requests/operations.ts';
import { World } from '../support/requests/world.ts';
import { use } from '../support/use.ts';

/** Operations that an example alone cannot test, because they need a provider or a flow that has begun. */
const NOT_BY_EXAMPLE = [
  'GET /oauth/callback',
  'POST /oauth/callback',
  'POST /oauth/callback/:uniqueKey',
  'GET /oauth/callback/:uniqueKey',
  'GET /app-auth/connect',
  'GET /sandbox/authorize',
  'POST /sandbox/authorize',
];

// Other tests put hostile values into these requests. They would prove nothing if the requests were refused without these values,
// too.
describe('every route', function () {
  const world = use(this, () => World.open());

  for (const operation of apiOperations.filter(({ name }) => !NOT_BY_EXAMPLE.includes(name))) {
    it(`${operation.name} accepts the example request of its description`, async () => {
      const { request, client } = await world.requestFor(operation);
      const response = await sendRequest(client, request);
      expect(response.status, response.text).to.be.below(400);
    });
  }
});
