import { useApp } from '../../app/context.ts';
import type { One, Reply } from '../../app/replies.ts';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { Failure } from '../../components/failure.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useAction } from '../../components/use-action.ts';
import { useForm } from '../../components/use-form.ts';
import { MEMBERS, ROLES } from './member-row.tsx';
import type { MadeLink } from './one-time-link.tsx';
import { t } from './texts.ts';

const INVITATIONS = 'api/ui/account/invitations';
const INITIAL = { email: '', role: 'developer' };

/** A row for an invited user who has not used the invitation link yet. */
export function Invitation({ email, role, expires_at: expiresAt }: Reply<'listMembers'>['data']['invitations'][number]) {
  const { client, resources } = useApp();
  const { run, isRunning, error } = useAction(async () => {
    await client.send('DELETE', `${INVITATIONS}/${encodeURIComponent(email)}`);
    resources.invalidate(MEMBERS);
  });
  return (
    <li>
      <div class="line-up">
        <span class="grow two">
          <b title={email}>{email}</b>
          <span class="soft">
            {t(role)} · {t('expires')} <RelativeTime at={expiresAt} />
          </span>
        </span>
        <button
          type="button"
          class="btn"
          aria-label={t('withdraw_of', { email })}
          disabled={isRunning}
          onClick={() => void run()}
        >
          {t('withdraw')}
        </button>
      </div>
      {error && <Failure error={error} />}
    </li>
  );
}

interface InviteProps {
  readonly onLink: (made: MadeLink) => void;
  readonly onClose: () => void;
}

/** The form that creates an invitation link, which the admin passes to the invited user. */
export function Invite({ onLink, onClose }: InviteProps) {
  const { client, resources } = useApp();
  const form = useForm({
    initial: INITIAL,
    check: ({ email }): { email?: string } => (email.includes('@') ? {} : { email: t('email_missing') }),
    async send(values) {
      const { data } = await client.send<One<{ link: string }>>('POST', INVITATIONS, values);
      onLink({ email: values.email, link: data.link, leadsTo: 'invitation' });
      resources.invalidate(MEMBERS);
      onClose();
    },
  });
  return (
    <Form form={form} texts={{ conflict: t('email_taken') }}>
      <TextField form={form} name="email" label={t('email')} type="email" />
      <SelectField form={form} name="role" label={t('role')} choices={ROLES.map((value) => ({ value, label: t(value) }))} />
      <DialogActions submit={t('make_invitation')} isSending={form.isSending} onCancel={onClose} />
    </Form>
  );
}
