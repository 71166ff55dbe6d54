import * as z from 'zod';
import { ServiceError } from '../../errors.ts';
import { type Caller, memberOf } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import type { MemberCaller } from '../../tenants/members/caller.ts';
import { askForPasskey } from '../../tenants/members/factors/show-factor.ts';
import { passSession } from '../../tenants/members/member-sessions.ts';
import { requireFactor } from '../../tenants/members/sign-in.ts';
import { recoveryCodeUsed } from '../dashboard/recorded-change.ts';
import { meResponse, passkeyOptions, secondStep, shownFactor } from '../dashboard/schemas.ts';
import type { ApiServices } from '../services.ts';
import { deviceIn, recordSignIn, secondStepRecord, signedInReply, visitorOf } from './signing-in.ts';

const TAG = 'Signing in';
const NOT_AWAITED = { description: 'The member is already signed in.' };

const read = defineRoute({
  method: 'GET',
  path: '/api/ui/login/factor',
  operationId: 'getSecondStep',
  access: { dashboard: 'enter' },
  summary: 'Get the second factors that can finish the sign-in',
  tag: TAG,
  responses: { 200: secondStep, 409: NOT_AWAITED },
  async handle(services: ApiServices, { caller }) {
    return { body: { data: await secondStepRecord(services, awaitingOf(caller)) } };
  },
});

const askPasskey = defineRoute({
  method: 'POST',
  path: '/api/ui/me/passkey-challenge',
  operationId: 'askForPasskey',
  access: { dashboard: 'enter' },
  summary: 'Create a passkey challenge, to finish the sign-in or to confirm',
  tag: TAG,
  responses: {
    200: { ...passkeyOptions, description: 'The challenge that a passkey signs in the browser, once and within ten minutes.' },
    409: { description: 'The member has no passkey.' },
  },
  async handle(services: ApiServices, { caller }) {
    const options = await askForPasskey(services, memberOf(caller));
    if (options === undefined) throw new ServiceError('conflict', 'you have no passkey');
    return { body: { data: options } };
  },
});

const finish = defineRoute({
  method: 'POST',
  path: '/api/ui/login/factor',
  operationId: 'finishLogIn',
  access: { dashboard: 'enter' },
  summary: 'Finish the sign-in with a second factor',
  tag: TAG,
  body: z.union(shownFactor),
  bodyExample: { code: '287082' },
  responses: { 200: meResponse, 409: NOT_AWAITED },
  async handle(services: ApiServices, request) {
    const awaiting = awaitingOf(request.caller);
    const visitor = visitorOf(request);
    const device = deviceIn(services, request.headers);
    const signedIn = await requireFactor(services, awaiting, {
      ...{ shown: request.body, network: visitor.network, device },
      async finish(trx, factor) {
        const here = { ...services, db: trx };
        const session = await passSession(here, awaiting);
        return recordSignIn(here, session, {
          address: visitor.address,
          facts: { factor: factor.kind },
          before: (member) => recoveryCodeUsed(member, factor),
        });
      },
    });
    return signedInReply(services, signedIn);
  },
});

export const secondStepRoutes = [read, askPasskey, finish];

/** Returns the member whose second factor is outstanding. @throws ServiceError `conflict` if the member is already signed in */
function awaitingOf(caller: Caller): MemberCaller {
  const member = memberOf(caller);
  if (member.stage === 'factor') return member;
  throw new ServiceError('conflict', 'you are already signed in');
}
