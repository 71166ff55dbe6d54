import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../../app/context.ts';
import type { One } from '../../app/replies.ts';
import { Failure } from '../failure.tsx';
import { TextField } from '../field.tsx';
import { Form } from '../form.tsx';
import { useAction } from '../use-action.ts';
import { useForm } from '../use-form.ts';
import { type RequestOptions, usePasskey } from './passkey.ts';
import { t } from './texts.ts';

export type FactorKind = 'totp' | 'passkey';

interface FactorFormProps {
  /** The factors that the member can use, in addition to recovery codes. */
  readonly factors: readonly FactorKind[];
  /** The text of the form's button. */
  readonly verb: string;
  /** Sends the second factor to the service. @param shown a code, or the response that a passkey has signed */
  readonly send: (shown: { readonly code: string } | { readonly passkey: object }) => Promise<void>;
  /** Closes the dialog; absent when the form is not in a dialog. */
  readonly onCancel?: (() => void) | undefined;
}

type Way = FactorKind | 'recovery';

/** Asks for a second factor: a passkey if there is one, else a code of the app or a recovery code. */
export function FactorForm({ factors, verb, send, onCancel }: FactorFormProps) {
  const [way, setWay] = useState<Way>(factors.includes('passkey') ? 'passkey' : (factors[0] ?? 'recovery'));
  const others = (['passkey', 'totp', 'recovery'] as const).filter((one) => one !== way && isOffered(one, factors));
  return (
    <div class="stack">
      {factors.length === 0 && <p class="soft">{t('no_factor_left')}</p>}
      {way === 'passkey' ? (
        <ByPasskey send={send} onCancel={onCancel} />
      ) : (
        <ByCode key={way} way={way} verb={verb} send={send} onCancel={onCancel} />
      )}
      {others.map((other) => (
        <button key={other} type="button" class="btn link" onClick={() => setWay(other)}>
          {t(other === 'passkey' ? 'use_passkey' : other === 'totp' ? 'use_app' : 'use_recovery')}
        </button>
      ))}
    </div>
  );
}

function isOffered(way: Way, factors: readonly FactorKind[]): boolean {
  return way === 'recovery' || factors.includes(way);
}

type ByProps = Pick<FactorFormProps, 'send' | 'onCancel'>;

function ByPasskey({ send, onCancel }: ByProps) {
  const { client } = useApp();
  const { run, isRunning, error } = useAction(async () => {
    const { data } = await client.send<One<RequestOptions>>('POST', 'api/ui/me/passkey-challenge');
    await send({ passkey: await usePasskey(data) });
  });
  return (
    <>
      {error && (
        <Failure error={error} texts={{ passkey_cancelled: t('passkey_cancelled'), invalid_login: t('passkey_failed') }} />
      )}
      <Buttons onCancel={onCancel}>
        {(look) => (
          <button type="button" class={look} disabled={isRunning} onClick={() => void run()}>
            {t('use_passkey')}
          </button>
        )}
      </Buttons>
    </>
  );
}

interface ByCodeProps extends ByProps {
  readonly way: 'totp' | 'recovery';
  readonly verb: string;
}

function ByCode({ way, verb, send, onCancel }: ByCodeProps) {
  const isTotp = way === 'totp';
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) => {
      if (isTotp ? /^\d{6}$/.test(code.replace(/\s/g, '')) : code.trim() !== '') return {};
      return { code: t(isTotp ? 'code_missing' : 'recovery_missing') };
    },
    send: ({ code }) => send({ code: code.trim() }),
    blamed: ({ code }): { code?: string } =>
      code === 'invalid_login' ? { code: t(isTotp ? 'code_wrong' : 'recovery_wrong') } : {},
  });
  return (
    <Form form={form}>
      <TextField
        form={form}
        name="code"
        label={t(isTotp ? 'code' : 'recovery')}
        help={t(isTotp ? 'code_help' : 'recovery_help')}
        type={isTotp ? 'numeric' : 'text'}
        autocomplete={isTotp ? 'one-time-code' : 'off'}
        isCode
      />
      <Buttons onCancel={onCancel}>
        {(look) => (
          <button type="submit" class={look} disabled={form.isSending}>
            {verb}
          </button>
        )}
      </Buttons>
    </Form>
  );
}

interface ButtonsProps extends Pick<FactorFormProps, 'onCancel'> {
  /** Renders the main button. @param look the CSS classes of the button */
  readonly children: (look: string) => ComponentChildren;
}

/** The form's buttons: in a dialog, at its end and with a Cancel button; on a page, one big button. */
function Buttons({ onCancel, children }: ButtonsProps) {
  if (onCancel === undefined) return <div class="actions">{children('btn primary big')}</div>;
  return (
    <div class="actions end">
      <button type="button" class="btn" onClick={onCancel}>
        {t('cancel')}
      </button>
      {children('btn primary')}
    </div>
  );
}
