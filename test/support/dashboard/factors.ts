import { createHmac, scryptSync } from 'node:crypto';
import { expect } from 'chai';
import type { MemberRow } from '../../../core/tenants/members/member-rows.ts';
import type { TestApp } from '../app.ts';
import { canary, rememberSecret } from '../canaries.ts';
import type { ClientResponse } from '../http-client.ts';
import { Authenticator } from './authenticator.ts';
import { changeStoredMember, dashboardClient, signedInAs, type TestMember } from './members.ts';

const STEP_S = 30;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Hashes a password in the format in which the service stores it, but at a low cost, so that tests stay fast. */
export function quickHash(password: string): string {
  const salt = Buffer.alloc(16, 7);
  const key = scryptSync(password, salt, 32, { N: 1_024, r: 8, p: 1 });
  return ['scrypt', 1_024, 8, 1, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Computes a TOTP (RFC 6238 §4) independently of the code under test. @param steps the number of time steps after `at` */
export function codeAt(secret: string, at: Date, steps = 0): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / 1_000 / STEP_S) + steps));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

export type App = Pick<TestApp, 'url' | 'services' | 'accountId' | 'clock' | 'database'>;

export interface PasswordMember extends TestMember {
  readonly password: string;
}

/** Creates a member who has a password and is signed in with a confirmed session. */
export async function withPassword(app: App, role: MemberRow['role'] = 'developer'): Promise<PasswordMember> {
  const password = canary('password of a member');
  const found = await signedInAs(app, role);
  await changeStoredMember(app.services, found.member.id, { password: quickHash(password) });
  return { ...found, password };
}

/** Signs in with e-mail address and password, as a browser without cookies does. */
export function logIn(app: App, { member, password }: PasswordMember, more: object = {}): Promise<ClientResponse> {
  return dashboardClient(app).post('/api/ui/login', { email: member.email, password, ...more });
}

/** Returns the session cookie that a response sets. */
export function cookieOf(response: ClientResponse): string {
  const cookie = response.headers.getSetCookie().find((one) => one.startsWith('svc_session='));
  return rememberSecret('session of the dashboard', cookie?.split(';', 1)[0] ?? '');
}

/** Signs a member in with the password. @returns the member, with a session in which the second factor is still missing */
export async function firstStep(app: App, person: PasswordMember, more: object = {}): Promise<TestMember> {
  const response = await logIn(app, person, more);
  expect(response.status, JSON.stringify(response.body)).to.equal(202);
  const cookie = cookieOf(response);
  return { member: person.member, cookie, ui: dashboardClient(app, cookie) };
}

export interface TotpMember extends PasswordMember {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  /** Advances the clock by one time step and returns the code of that step, which cannot have been used before. */
  code(): Promise<string>;
}

/** Enrolls an authenticator app for a member. @param given the member; default: a new one */
export async function withTotp(app: App, given?: PasswordMember): Promise<TotpMember> {
  const person = given ?? (await withPassword(app));
  const { body } = await person.ui.post('/api/ui/me/factors/totp');
  const secret = rememberSecret('secret of an app', body.data.secret);
  const code = async () => {
    await app.clock.advance(STEP_S * 1_000, app.database.db);
    return codeAt(secret, app.clock.now());
  };
  const enrolled = await person.ui.post('/api/ui/me/factors/totp/confirm', { code: await code() });
  expect(enrolled.status, JSON.stringify(enrolled.body)).to.equal(201);
  const recoveryCodes: string[] = enrolled.body.data.recovery_codes;
  for (const one of recoveryCodes) rememberSecret('recovery code', one);
  return { ...person, secret, recoveryCodes, code };
}

export async function beginPasskey({ ui }: TestMember): Promise<string> {
  return (await ui.post('/api/ui/me/factors/passkeys')).body.data.challenge;
}

export async function askForPasskey({ ui }: TestMember): Promise<string> {
  return (await ui.post('/api/ui/me/passkey-challenge')).body.data.challenge;
}

/** Enrolls a passkey for a member. */
export async function withPasskey<Person extends PasswordMember>(
  app: App,
  person: Person,
): Promise<Person & { readonly authenticator: Authenticator }> {
  const authenticator = new Authenticator();
  const passkey = authenticator.register({ challenge: await beginPasskey(person), origin: app.url });
  const enrolled = await person.ui.post('/api/ui/me/factors/passkeys/confirm', { name: 'Laptop', passkey });
  expect(enrolled.status, JSON.stringify(enrolled.body)).to.equal(201);
  return { ...person, authenticator };
}

/** Returns settings that give a service a host name, because browsers create no passkeys for IP addresses. */
export function byName(port: number): Readonly<Record<string, string>> {
  return { PORT: String(port), SVC_BASE_URL: `http://localhost:${port}` };
}

/** Takes the second step of a sign-in. @param shown the factor, such as a code or a passkey's assertion */
export function finish({ ui }: TestMember, shown: object): Promise<ClientResponse> {
  return ui.post('/api/ui/login/factor', shown);
}

/** Sends this many requests simultaneously. @returns the number of responses with each status */
export async function race(count: number, request: (at: number) => Promise<ClientResponse>): Promise<Record<number, number>> {
  const responses = await Promise.all(Array.from({ length: count }, (_, at) => request(at)));
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
