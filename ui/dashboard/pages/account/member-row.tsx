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

interface MemberRowProps {
  readonly member: Member;
  readonly onLink: (made: MadeLink) => void;
}

/** A row for a member, with the actions of an admin. */
export function MemberRow({ member, onLink }: MemberRowProps) {
  const { id: me } = useMe();
  const [isRemoving, setRemoving] = useState(false);
  const { client, resources, toast } = useApp();
  const path = `${MEMBERS}/${member.id}`;
  const [role, setRole] = useState<Role>(member.role);
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
          onChange={(event) => setRole(event.currentTarget.value as Role)}
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
            <MenuItem onClick={() => void makeLink.run()}>{t('password_link')}</MenuItem>
            <MenuItem isDangerous onClick={() => setRemoving(true)}>
              {t('remove_member')}
            </MenuItem>
          </Menu>
        )}
      </div>
      {error && <Failure error={error} texts={{ conflict: t('last_admin') }} />}
      {isRemoving && <RemoveMember member={member} onClose={() => setRemoving(false)} />}
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

function RemoveMember({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const { client, resources, toast } = useApp();
  const { run, isRunning, error } = useAction(async () => {
    await client.send('DELETE', `${MEMBERS}/${member.id}`);
    resources.invalidate(MEMBERS);
    toast(t('member_removed', { name: member.name }));
    onClose();
  });
  return (
    <Dialog title={t('remove_heading', { name: member.name })} onClose={onClose}>
      <p>{t('remove_consequence')}</p>
      {error && <Failure error={error} texts={{ conflict: t('last_admin') }} />}
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
