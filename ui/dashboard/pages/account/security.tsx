import { useState } from 'preact/hooks';
import { useApp, useMe } from '../../app/context.ts';
import { ME, type Reply } from '../../app/replies.ts';
import { useResource } from '../../app/use-resource.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { AddFactor } from '../../components/factors/add-factor.tsx';
import { FACTORS } from '../../components/factors/added.ts';
import { RecoveryCodes } from '../../components/factors/recovery-codes.tsx';
import { Failure } from '../../components/failure.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useAction } from '../../components/use-action.ts';
import { AccountPage } from './account-page.tsx';
import { PasswordForm } from './password-form.tsx';
import { t } from './texts.ts';

type Factors = Reply<'listMyFactors'>['data'];
type Factor = Factors['factors'][number];

/** The page with the member's second factors and password. */
export function Security() {
  const { has_password: hasPassword } = useMe();
  return (
    <AccountPage>
      <div class="stack">
        <Card title={t('factor_card')} isFlush>
          {hasPassword ? <SecondFactor /> : <p class="body soft">{t('factor_elsewhere')}</p>}
        </Card>
        <Card title={t('password_card')}>{hasPassword ? <PasswordForm /> : <p class="soft">{t('no_password')}</p>}</Card>
      </div>
    </AccountPage>
  );
}

function SecondFactor() {
  const { resources } = useApp();
  const { value, error, reload } = useResource<Reply<'listMyFactors'>>(FACTORS);
  if (value === undefined)
    return <div class="body">{error === undefined ? <Skeleton rows={3} /> : <Failure error={error} onRetry={reload} />}</div>;
  const { factors, recovery_codes_left: left, no_passkeys: noPasskeys } = value.data;
  const changed = () => {
    resources.invalidate(FACTORS);
    resources.invalidate(ME);
  };
  return (
    <>
      <p class="body soft">{t(factors.length === 0 ? 'factor_none' : 'factor_lead')}</p>
      {factors.length > 0 && (
        <ul class="rows">
          {factors.map((factor) => (
            <FactorRow key={factor.id} factor={factor} isLast={factors.length === 1} onChange={changed} />
          ))}
          {left !== null && <CodesRow left={left} onChange={changed} />}
        </ul>
      )}
      <div class="body">
        <AddFactor hasApp={factors.some(({ kind }) => kind === 'totp')} noPasskeys={noPasskeys} onDone={changed} />
      </div>
    </>
  );
}

interface FactorRowProps {
  readonly factor: Factor;
  readonly isLast: boolean;
  readonly onChange: () => void;
}

function FactorRow({ factor, isLast, onChange }: FactorRowProps) {
  const { id, kind, name, created_at: createdAt, last_used_at: usedAt } = factor;
  const [isRemoving, setRemoving] = useState(false);
  const { client, toast } = useApp();
  const { run, isRunning, error } = useAction(async () => {
    await client.send('DELETE', `${FACTORS}/${id}`);
    toast(t('factor_removed', { name }));
    onChange();
  });
  return (
    <li>
      <div class="line-up">
        <span class="grow two">
          <b class="clip" dir="auto" title={name}>
            {name}
          </b>
          <span class="soft">
            {t(`kind_${kind}`)} · {t('added')} <RelativeTime at={createdAt} />
            {usedAt !== null && (
              <>
                {' '}
                · {t('used')} <RelativeTime at={usedAt} />
              </>
            )}
          </span>
        </span>
        <button type="button" class="btn" aria-label={t('remove_factor_of', { name })} onClick={() => setRemoving(true)}>
          {t('remove_factor')}
        </button>
      </div>
      {isRemoving && (
        <Dialog title={t('remove_factor_heading', { name })} onClose={() => setRemoving(false)}>
          <p>{t(isLast ? 'remove_last_factor' : 'remove_one_factor')}</p>
          {error && <Failure error={error} />}
          <div class="actions end">
            <button type="button" class="btn" onClick={() => setRemoving(false)}>
              {t('cancel')}
            </button>
            <button type="button" class="btn primary danger" disabled={isRunning} onClick={() => void run()}>
              {t('remove_factor')}
            </button>
          </div>
        </Dialog>
      )}
    </li>
  );
}

interface CodesRowProps {
  readonly left: number;
  readonly onChange: () => void;
}

/** The number of unused recovery codes below which the member should create new ones. */
const FEW_CODES = 4;

function CodesRow({ left, onChange }: CodesRowProps) {
  const { client } = useApp();
  const [codes, setCodes] = useState<readonly string[] | undefined>();
  const { run, isRunning, error } = useAction(async () => {
    const { data } = await client.send<Reply<'makeRecoveryCodes'>>('POST', 'api/ui/me/recovery-codes');
    setCodes(data.recovery_codes);
  });
  const saved = () => {
    setCodes(undefined);
    onChange();
  };
  return (
    <li>
      <div class="line-up">
        <span class="grow two">
          <b>{t('recovery_codes')}</b>
          {left < FEW_CODES ? (
            <Badge tone="warn">{t.count('codes_left', left)}</Badge>
          ) : (
            <span class="soft">{t.count('codes_left', left)}</span>
          )}
        </span>
        <button type="button" class="btn" disabled={isRunning} onClick={() => void run()}>
          {t('make_codes')}
        </button>
      </div>
      {error && <Failure error={error} />}
      {codes && <RecoveryCodes codes={codes} onDone={saved} />}
    </li>
  );
}
