import { Monogram } from '../../../kit/logo.tsx';
import type { Reply } from '../../app/replies.ts';
import { accountName, connectionName } from '../../components/whose.ts';
import { t } from './texts.ts';

type Row = Reply<'listConnectionRows'>['data'][number];

/**
 * The user of a connection, and its account if that says more. The account is labelled as an account, since the search does not
 * find it.
 */
export function Customer(row: Row) {
  const name = connectionName(row);
  const { email } = row;
  const account = unsaidAccount(row);
  return (
    <span class="faced">
      <Monogram name={name} />
      <span class="two">
        <span dir="auto" title={name}>
          {name}
        </span>
        {/* These wrap when there is no room for both: after a long e-mail address the account would never be visible. */}
        <span class="about small faint">
          {email !== name && <Part text={email} />}
          {account && <Part text={t('account', { name: account })} />}
        </span>
      </span>
    </span>
  );
}

function Part({ text }: { readonly text: string | null }) {
  return (
    text && (
      <span class="clip" dir="auto" title={text}>
        {text}
      </span>
    )
  );
}

/** Returns the account's name; undefined when it is unknown, or the same as the shown name or e-mail address. */
function unsaidAccount(row: Row): string | undefined {
  if (row.provider_account === null) return undefined;
  const account = accountName(row.provider_account);
  const said = [connectionName(row), row.email].map((one) => one?.toLowerCase());
  return said.includes(account.toLowerCase()) ? undefined : account;
}
