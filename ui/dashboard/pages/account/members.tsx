import { useState } from 'preact/hooks';
import type { Reply } from '../../app/replies.ts';
import { useResource } from '../../app/use-resource.ts';
import { Card } from '../../components/card.tsx';
import { Failure } from '../../components/failure.tsx';
import { FormButton } from '../../components/form-button.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { AdminPage } from './account-page.tsx';
import { INSTANCE } from './instance.tsx';
import { Invitation, Invite } from './invitations.tsx';
import { MEMBERS, MemberRow } from './member-row.tsx';
import { type MadeLink, OneTimeLink } from './one-time-link.tsx';
import { t } from './texts.ts';

/** The page of the members and the invited users. */
export function Members() {
  return <AdminPage>{() => <People />}</AdminPage>;
}

function People() {
  const { value, error, reload } = useResource<Reply<'listMembers'>>(MEMBERS);
  const signIn = useResource<Reply<'getInstance'>>(INSTANCE).value?.data.sign_in;
  const [made, setMade] = useState<MadeLink | undefined>();
  if (value === undefined) return error === undefined ? <Skeleton rows={5} /> : <Failure error={error} onRetry={reload} />;
  const { members, invitations } = value.data;
  return (
    <div class="stack">
      {made && <OneTimeLink {...made} />}
      <Card
        title={t('members')}
        isFlush
        aside={
          signIn?.passwords !== false && (
            <FormButton label={t('invite')}>{(close) => <Invite onLink={setMade} onClose={close} />}</FormButton>
          )
        }
      >
        <ul class="rows">
          {members.map((member) => (
            <MemberRow key={member.id} member={member} signIn={signIn} onLink={setMade} />
          ))}
        </ul>
      </Card>
      {invitations.length > 0 && (
        <Card title={t('invitations')} isFlush>
          <ul class="rows">
            {invitations.map((invitation) => (
              <Invitation key={invitation.email} {...invitation} />
            ))}
          </ul>
        </Card>
      )}
      {signIn?.passwords === false && <p class="soft">{t('no_invitations', { name: signIn.provider?.name ?? t('sso_name') })}</p>}
    </div>
  );
}
