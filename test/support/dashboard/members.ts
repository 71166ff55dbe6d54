import { randomUUID } from 'node:crypto';
import { dashboardDocument } from '../../../core/api/dashboard/description.ts';
import { memberCookie } from '../../../core/server/access/cookies.ts';
import type { MemberRow } from '../../../core/tenants/members/member-rows.ts';
import { openMemberSession } from '../../../core/tenants/members/member-sessions.ts';
import { insertMember, updateMember } from '../../../core/tenants/members/member-store.ts';
import type { TestApp } from '../app.ts';
import { rememberSecret } from '../canaries.ts';
import { type CheckedClient, checkedClient } from '../checked-client.ts';

/** Headers by which the service distinguishes requests of the dashboard's pages from those of other sites. */
export const OF_OUR_PAGE = { 'sec-fetch-site': 'same-origin', 'x-svc-ui': '1' } as const;

const document = dashboardDocument('http://127.0.0.1');

/**
 * Creates a client that sends requests as a dashboard page does. It throws if a response violates the OpenAPI document of the
 * dashboard's private API.
 */
export function dashboardClient(app: Pick<TestApp, 'url'>, cookie?: string): CheckedClient {
  const headers = { ...OF_OUR_PAGE, ...(cookie !== undefined && { cookie }) };
  const client = checkedClient(app.url, { key: undefined, document });
  const call: CheckedClient['call'] = (method, path, options = {}) =>
    client.call(method, path, { ...options, headers: { ...headers, ...options.headers } });
  return {
    recorded: client.recorded,
    call,
    get: (path, options) => call('GET', path, options),
    delete: (path, options) => call('DELETE', path, options),
    post: (path, body, options) => call('POST', path, { ...options, body }),
    put: (path, body, options) => call('PUT', path, { ...options, body }),
    patch: (path, body, options) => call('PATCH', path, { ...options, body }),
  };
}

export interface TestMember {
  readonly member: MemberRow;
  readonly cookie: string;
  readonly ui: CheckedClient;
}

/** Creates a member with a session but without a password, because hashing one takes half a second. */
export async function signedInAs(
  app: Pick<TestApp, 'url' | 'services' | 'accountId'>,
  role: MemberRow['role'],
  { accountId = app.accountId }: { readonly accountId?: number } = {},
): Promise<TestMember> {
  const { services } = app;
  const email = `${role}-${randomUUID()}@acme.example`;
  const member = await insertMember(services, { accountId, name: `A ${role}`, email, role });
  return sessionOf(app, member);
}

/**
 * Changes a member's row by the service's code, which also renews its authentication code; the service refuses rows with a wrong
 * one.
 */
export async function changeStoredMember(
  services: Pick<TestApp['services'], 'db' | 'keys' | 'log'>,
  id: number,
  changes: Parameters<typeof updateMember>[2],
): Promise<void> {
  if (!(await updateMember(services, { id }, changes))) throw new Error('there is no such member');
}

/** Opens a session of a member, in addition to those that the member already has. */
export async function sessionOf(app: Pick<TestApp, 'url' | 'services'>, member: MemberRow): Promise<TestMember> {
  const visitor = { address: '127.0.0.1', userAgent: 'test' };
  const { token } = await openMemberSession(app.services, member.id, visitor);
  rememberSecret('session of the dashboard', token);
  const cookie = memberCookie(token, { baseUrl: app.url }).split(';', 1)[0] ?? '';
  return { member, cookie, ui: dashboardClient(app, cookie) };
}
