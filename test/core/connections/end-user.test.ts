import { expect } from 'chai';
import { readEndUser, tagsOfEndUser, withEndUserTags } from '../../../core/connections/end-user.ts';
import { ServiceError } from '../../../core/errors.ts';

const SOURCE = { code: 'invalid_body', path: ['tags'] } as const;

describe('an end user', () => {
  const whole = readEndUser(
    { id: 'u1', email: 'ada@example.com', display_name: 'Ada', tags: { plan: 'team' } },
    { id: 'o1', display_name: 'Acme' },
  );

  it('is stored as it is shown', () => {
    expect(whole).to.deep.equal({
      id: 'u1',
      email: 'ada@example.com',
      display_name: 'Ada',
      tags: { plan: 'team' },
      organization: { id: 'o1', display_name: 'Acme' },
    });
    expect(readEndUser({ id: 'u1' }, { id: 'o1' })).to.deep.equal({
      id: 'u1',
      email: null,
      display_name: null,
      tags: {},
      organization: { id: 'o1', display_name: null },
    });
  });

  it('becomes five tags, which do not include the end user’s own tags', () => {
    expect(tagsOfEndUser(whole)).to.deep.equal({
      end_user_id: 'u1',
      end_user_email: 'ada@example.com',
      end_user_display_name: 'Ada',
      organization_id: 'o1',
      organization_display_name: 'Acme',
    });
  });

  it('becomes no tag for a missing or empty value', () => {
    const user = readEndUser({ id: 'u1', display_name: '' }, { id: '' });
    expect(tagsOfEndUser(user)).to.deep.equal({ end_user_id: 'u1' });
  });

  it('does not replace the tags that the caller sets', () => {
    const tags = withEndUserTags(whole, { end_user_id: 'mine', org: 'acme' }, SOURCE);
    expect(tags).to.include({ end_user_id: 'mine', org: 'acme', organization_id: 'o1' });
  });

  it('becomes at most ten tags together with others', () => {
    const others = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));
    expect(Object.keys(withEndUserTags(whole, others(5), SOURCE))).to.have.length(10);
    expect(() => withEndUserTags(whole, others(6), SOURCE)).to.throw(ServiceError, 'at most 10 keys');
  });
});
