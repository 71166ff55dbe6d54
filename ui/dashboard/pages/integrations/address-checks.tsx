import { dateFormat, localeOf } from '../../components/times.ts';
import type { Status } from './shown-integration.ts';
import { t } from './texts.ts';

/** Says when the provider checked the webhook URL. Providers do so before they deliver to it. */
export function AddressChecks({ checks }: { readonly checks: Status['webhook_address'] }) {
  const { checked_at: checkedAt, verified_at: verifiedAt } = checks;
  if (verifiedAt !== null) {
    return (
      <p class="soft">
        {t('address_verified', { date: dayOf(verifiedAt) })} {t('address_verified_hint')}
      </p>
    );
  }
  return checkedAt === null ? null : <p class="soft">{t('address_checked', { date: dayOf(checkedAt) })}</p>;
}

function dayOf(time: string): string {
  return dateFormat(localeOf(navigator.languages), { dateStyle: 'medium' }).format(new Date(time));
}
