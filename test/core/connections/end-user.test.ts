import { expect } from 'chai';
import { readEndUser, shownUser, tagsOfEndUser, userName, withEndUserTags } from '../../../core/connections/end-user.ts';
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

  it('is shown by its tags, or else by what is stored of it, which may be anything', () => {
    const tags = { end_user_id: 'u2', end_user_email: 'jo@example.com', organization_id: 'o2' };
    expect(shownUser(tags, whole)).to.deep.equal({
      displayName: 'Ada',
      email: 'jo@example.com',
      endUserId: 'u2',
      organization: 'o2',
    });
    expect(shownUser({}, whole)).to.include({ endUserId: 'u1', organization: 'Acme' });
    const unknown = { displayName: null, email: null, endUserId: null, organization: null };
    expect(shownUser({}, { id: 1, organization: null, email: '' })).to.deep.equal(unknown);
    expect(shownUser({}, null)).to.deep.equal(unknown);
  });

  it('gives a connection its name: the display name, else the e-mail address, else the ID', () => {
    const user = { displayName: 'Ada', email: 'ada@example.com', endUserId: 'u1', organization: 'Acme' };
    expect([
      userName(user),
      userName({ ...user, displayName: null }),
      userName({ ...user, displayName: null, email: null }),
      userName({ ...user, displayName: null, email: null, endUserId: null }),
    ]).to.deep.equal(['Ada', 'ada@example.com', 'u1', null]);
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
