import { expect } from 'chai';
import { seal, unseal } from '../../../core/demo-provider/tokens.ts';
import { KeyRing } from '../../../core/kit/key-ring.ts';
import { newServiceEnv } from '../../support/service-env.ts';

const newRing = () => KeyRing.parse(newServiceEnv().SVC_ENCRYPTION_KEYS);

const NOW = new Date('2026-01-01');
const LATER_SECONDS = NOW.getTime() / 1_000 + 60;
const CONTENT = {
  environmentId: 1,
  expiresAt: LATER_SECONDS,
  grantId: '7b0b4f0e-3a3c-4a52-9f0b-0d1f7a2c9e11',
  personId: 'ada',
  scope: 'notes',
  outcome: 'works',
  generation: 1,
} as const;

describe('tokens of the sandbox', () => {
  const keys = newRing();
  const refresh = seal(keys, 'refresh', CONTENT);
  const read = (token: string) => unseal({ keys, now: NOW }, 'refresh', token);

  it('contain their sealed content', () => expect(read(refresh)).to.deep.equal(CONTENT));

  const STRANGE: Readonly<Record<string, string>> = {
    'has expired': seal(keys, 'refresh', { ...CONTENT, expiresAt: NOW.getTime() / 1_000 }),
    'is of another kind': seal(keys, 'access', CONTENT),
    'is of another kind under the right prefix': seal(keys, 'access', CONTENT).replace('access', 'refresh'),
    'comes from another service': seal(newRing(), 'refresh', CONTENT),
    'was changed': `${refresh.slice(0, -4)}AAAA`,
    'was cut off': refresh.slice(0, -8),
    'is empty': 'sandbox_refresh_',
    'is no token': 'abc',
  };
  for (const [what, token] of Object.entries(STRANGE)) {
    it(`are unknown if one ${what}`, () => expect(read(token)).to.equal(undefined));
  }
});
