import { Dialog } from '../../components/dialog.tsx';
import { Failure } from '../../components/failure.tsx';
import { OidcLink } from '../../components/oidc-link.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { ENTRY, type Entry, type One } from '../replies.ts';
import { t } from '../texts/en.ts';
import { useResource } from '../use-resource.ts';

/** Confirms the identity of a member without a password: by a new sign-in at the identity provider, which leads back here. */
export function ConfirmElsewhere({ onCancel }: { readonly onCancel: () => void }) {
  const { value, error, reload } = useResource<One<Entry>>(ENTRY);
  const oidc = value?.data.oidc;
  return (
    <Dialog title={t('confirm_elsewhere_heading')} onClose={onCancel}>
      {value === undefined && (error ? <Failure error={error} onRetry={reload} /> : <Skeleton rows={1} />)}
      {oidc && <p class="soft">{t('confirm_elsewhere_lead', { name: oidc.name })}</p>}
      {oidc === null && <p>{t('confirm_nowhere')}</p>}
      <div class="actions end">
        <button type="button" class="btn" onClick={onCancel}>
          {t('cancel')}
        </button>
        {oidc && <OidcLink name={oidc.name} back={location.pathname + location.search} isAnew class="btn primary" />}
      </div>
    </Dialog>
  );
}
