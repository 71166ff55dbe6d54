import { useState } from 'preact/hooks';
import { useApp, useMe } from '../../app/context.ts';
import type { One, Reply, Role } from '../../app/replies.ts';
import { Badge } from '../../components/badge.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Failure } from '../../components/failure.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { useAction } from '../../components/use-action.ts';
import type { MadeLink } from './one-time-link.tsx';
import { t } from './texts.ts';

export const MEMBERS = 'api/ui/account/members';
export const ROLES: readonly Role[] = ['viewer', 'developer', 'admin'];

type Member = Reply<'listMembers'>['data']['members'][number];
export type SignInSettings = Reply<'getInstance'>['data']['sign_in'];

interface MemberRowProps {
  readonly member: Member;
  /** How people sign in here; undefined while that is not known. */
  readonly signIn: SignInSettings | undefined;
  readonly onLink: (made: MadeLink) => void;
}

/** A row for a member, with the actions of an admin. */
export function MemberRow({ member, signIn, onLink }: MemberRowProps) {
  const { id: me } = useMe();
  const [isRemoving, setRemoving] = useState(false);
  const { client, resources, toast } = useApp();
  const path = `${MEMBERS}/${member.id}`;
  // A choice that is not saved yet. It is dropped when the role changes, here or elsewhere.
  const [choice, setChoice] = useState<{ readonly from: Role; readonly to: Role } | undefined>();
  const role = choice?.from === member.role ? choice.to : member.role;
  const change = useAction(async () => {
    await client.send('PATCH', path, { role });
    resources.invalidate(MEMBERS);
    toast(t('role_changed', { name: member.name }));
  });
  const makeLink = useAction(async () => {
    const { data } = await client.send<One<{ link: string }>>('POST', `${path}/password-link`);
    onLink({ email: member.email, link: data.link, leadsTo: 'password' });
  });
  const error = change.error ?? makeLink.error;
  return (
    <li>
      <div class="line-up">
        <Names {...member} isMe={member.id === me} />
        <select
          class="input"
          aria-label={t('role_of', { name: member.name })}
          value={role}
          disabled={member.id === me || change.isRunning}
          onChange={(event) => setChoice({ from: member.role, to: event.currentTarget.value as Role })}
        >
          {ROLES.map((one) => (
            <option key={one} value={one}>
              {t(one)}
            </option>
          ))}
        </select>
        {role !== member.role && (
          <button type="button" class="btn" onClick={() => void change.run()}>
            {t('save')}
          </button>
        )}
        {member.id !== me && (
          <Menu button="⋯" label={t('actions_of', { name: member.name })} class="btn quiet">
            {signIn?.passwords !== false && <MenuItem onClick={() => void makeLink.run()}>{t('password_link')}</MenuItem>}
            <MenuItem isDangerous onClick={() => setRemoving(true)}>
              {t('remove_member')}
            </MenuItem>
          </Menu>
        )}
      </div>
      {role !== member.role && <GroupNote signIn={signIn} isAboutAdmins={[role, member.role].includes('admin')} />}
      {error && <Failure error={error} />}
      {isRemoving && <RemoveMember member={member} signIn={signIn} onClose={() => setRemoving(false)} />}
    </li>
  );
}

function Names({
  name,
  email,
  has_factor: hasFactor,
  isMe,
}: Pick<Member, 'name' | 'email' | 'has_factor'> & { readonly isMe: boolean }) {
  return (
    <span class="grow two">
      <span class="who">
        <b class="clip" dir="auto" title={name}>
          {name}
        </b>
        {isMe && <Badge tone="idle">{t('you')}</Badge>}
        {hasFactor && <Badge tone="ok">{t('has_factor')}</Badge>}
      </span>
      <span class="soft" title={email}>
        {email}
      </span>
    </span>
  );
}

type GroupNoteProps = Pick<MemberRowProps, 'signIn'> & { readonly isAboutAdmins: boolean };

/** Says that a group at the identity provider decides who is an admin, where that is so. */
function GroupNote({ signIn, isAboutAdmins }: GroupNoteProps) {
  const { name = '', admin_group: group = null } = signIn?.provider ?? {};
  if (!isAboutAdmins || group === null) return null;
  return <p class="soft">{t('group_decides', { name, group })}</p>;
}

type RemoveMemberProps = Pick<MemberRowProps, 'member' | 'signIn'> & { readonly onClose: () => void };

function RemoveMember({ member, signIn, onClose }: RemoveMemberProps) {
  const { client, resources, toast } = useApp();
  const { run, isRunning, error } = useAction(async () => {
    await client.send('DELETE', `${MEMBERS}/${member.id}`);
    resources.invalidate(MEMBERS);
    toast(t('member_removed', { name: member.name }));
    onClose();
  });
  const provider = signIn?.provider;
  return (
    <Dialog title={t('remove_heading', { name: member.name })} onClose={onClose}>
      <p>{t('remove_consequence')}</p>
      {provider != null && mayJoin(provider) && <p>{t('comes_back', { name: provider.name })}</p>}
      {error && <Failure error={error} />}
      <div class="actions end">
        <button type="button" class="btn" onClick={onClose}>
          {t('cancel')}
        </button>
        <button type="button" class="btn primary danger" disabled={isRunning} onClick={() => void run()}>
          {t('remove_member')}
        </button>
      </div>
    </Dialog>
  );
}

/** Returns whether a sign-in at the identity provider can make somebody a member, by the e-mail's domain or the group of admins. */
function mayJoin({ allowed_domains: domains, admin_group: group }: NonNullable<SignInSettings['provider']>): boolean {
  return domains.length > 0 || group !== null;
}
