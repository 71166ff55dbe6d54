import { useState } from 'preact/hooks';
import { useApp, useParams } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { DestructiveDialog } from '../destructive-dialog.tsx';
import { Dialog } from '../dialog.tsx';
import { DialogActions } from '../dialog-actions.tsx';
import { SelectField } from '../field.tsx';
import { Form } from '../form.tsx';
import { logsPath } from '../logs-path.ts';
import { Menu, MenuItem } from '../menu.tsx';
import { dateFormat, localeOf } from '../times.ts';
import { useForm } from '../use-form.ts';
import { isExpired, type Key, type NewKey } from './plane.ts';
import { t } from './texts.ts';

/** The choices of how many seconds a key keeps working after being rolled. */
const OVERLAPS = { 0: 'overlap_none', 3600: 'overlap_hour', 86400: 'overlap_day', 604800: 'overlap_week' } as const;

interface KeyActionsProps {
  readonly path: string;
  readonly apiKey: Key;
  /** A text that says what revoking the key causes, for the confirmation. */
  readonly consequence: string;
  readonly mayRoll: boolean;
  readonly onMade: (made: NewKey) => void;
}

/** The menu with the actions on a key of an environment or of the account. */
export function KeyActions({ path, apiKey, consequence, mayRoll, onMade }: KeyActionsProps) {
  const { client, resources, toast } = useApp();
  // Undefined for a key of the account: such a key does nothing in an environment, so no log can be linked to.
  const { env } = useParams();
  const [asking, setAsking] = useState<'roll' | 'revoke' | undefined>();
  const close = () => setAsking(undefined);
  const revoke = async () => {
    await client.send('DELETE', `${path}/${apiKey.id}`);
    resources.invalidate(path);
    toast(t('revoked', { name: apiKey.name }));
  };
  return (
    <>
      <Menu button="⋯" label={t('actions_of', { name: apiKey.name })} class="btn quiet">
        {env !== undefined && (
          <MenuItem href={logsPath(env, { actor: 'api_key', actor_id: String(apiKey.id) })}>{t('what_it_did')}</MenuItem>
        )}
        {mayRoll && !isExpired(apiKey) && <MenuItem onClick={() => setAsking('roll')}>{t('roll')}</MenuItem>}
        <MenuItem isDangerous onClick={() => setAsking('revoke')}>
          {t('revoke')}
        </MenuItem>
      </Menu>
      {asking === 'roll' && <RollDialog path={path} apiKey={apiKey} onMade={onMade} onClose={close} />}
      {asking === 'revoke' && (
        <DestructiveDialog
          title={t('revoke_heading', { name: apiKey.name })}
          consequence={consequence}
          verb={t('revoke')}
          name={apiKey.name}
          act={revoke}
          onClose={close}
        />
      )}
    </>
  );
}

type RollDialogProps = Omit<KeyActionsProps, 'consequence' | 'mayRoll'> & { readonly onClose: () => void };

function RollDialog({ path, apiKey, onMade, onClose }: RollDialogProps) {
  const { client, resources } = useApp();
  const form = useForm({
    initial: { overlap: '3600' },
    async send({ overlap }) {
      const body = { overlap_seconds: Number(overlap) };
      const { data } = await client.send<Reply<'rollKey'>>('POST', `${path}/${apiKey.id}/roll`, body);
      resources.invalidate(path);
      onMade(data);
      onClose();
    },
  });
  return (
    <Dialog title={t('roll_heading', { name: apiKey.name })} onClose={onClose}>
      <Form form={form}>
        <p class="soft">{t('roll_consequence')}</p>
        {apiKey.expires_at !== null && <p class="soft">{t('roll_expiry', { time: timeOf(apiKey.expires_at) })}</p>}
        <SelectField
          form={form}
          name="overlap"
          label={t('overlap')}
          choices={Object.entries(OVERLAPS).map(([value, text]) => ({ value, label: t(text) }))}
        />
        <DialogActions submit={t('roll')} isSending={form.isSending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function timeOf(at: string): string {
  return dateFormat(localeOf(navigator.languages), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));
}
