import { expect } from 'chai';
import * as z from 'zod';
import { importCredentials } from '../../../core/auth-modes/import-credentials.ts';
import { credentialsOf, fieldOf, missingIn, VARIANTS } from '../../../ui/dashboard/pages/connections/import-variants.ts';

interface Shape {
  readonly properties: Readonly<Record<string, Shape & { readonly const?: string }>>;
  readonly required?: readonly string[];
}

/** Returns the names of the fields as the form has them, with each field of `config_override` listed separately. */
function namesOf({ properties }: Shape): string[] {
  const { type: _, config_override: own, ...others } = properties;
  return [...Object.keys(others), ...Object.keys(own?.properties ?? {}).map((name) => `config_override.${name}`)];
}

describe('the forms for imported credentials', () => {
  const { oneOf } = z.toJSONSchema(importCredentials, { io: 'input' }) as unknown as { readonly oneOf: readonly Shape[] };
  const filled = (members: (typeof VARIANTS)[string], text: string) =>
    Object.fromEntries((members ?? []).map((one) => [fieldOf(one), text]));

  it('have the members that the service accepts', () => {
    expect(oneOf.map(({ properties }) => properties['type']?.const)).to.have.members(Object.keys(VARIANTS));
    for (const shape of oneOf) {
      const type = shape.properties['type']?.const ?? '';
      expect(
        VARIANTS[type]?.map(({ name }) => name),
        type,
      ).to.have.members(namesOf(shape));
      const needed = (shape.required ?? []).filter((name) => name !== 'type' && name !== 'config_override');
      const asked = VARIANTS[type]?.filter(({ isOptional, name }) => !isOptional && !name.includes('.'));
      expect(
        asked?.map(({ name }) => name),
        type,
      ).to.have.members(needed);
    }
  });

  it('produce what the service accepts, with only the required members and with all of them', () => {
    const at = '2026-12-31T09:00:00Z';
    for (const [type, members] of Object.entries(VARIANTS))
      for (const some of [members, members.filter(({ isOptional }) => !isOptional)]) {
        const values = { ...filled(members, ''), ...filled(some, 'text') };
        if (some.some(({ name }) => name === 'expires_at')) values['credentials.expires_at'] = at;
        expect(missingIn(members, values), type).to.deep.equal({});
        expect(importCredentials.safeParse(credentialsOf(type, members, values)).error, type).to.equal(undefined);
      }
  });

  it('name missing members; user name and password may be empty', () => {
    const missing = (type: string) => Object.keys(missingIn(VARIANTS[type] ?? [], filled(VARIANTS[type] ?? [], '')));
    expect(missing('OAUTH2')).to.deep.equal(['credentials.access_token']);
    expect(missing('BASIC')).to.deep.equal([]);
    expect(missing('TBA')).to.have.members([
      'credentials.token_id',
      'credentials.token_secret',
      'credentials.config_override.client_id',
    ]);
  });
});
