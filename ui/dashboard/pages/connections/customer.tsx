import { Monogram } from '../../../kit/logo.tsx';
import type { Reply } from '../../app/replies.ts';
import { accountName, connectionName } from '../../components/whose.ts';
import { t } from './texts.ts';

type Row = Reply<'listConnectionRows'>['data'][number];

/** Whose a connection is, and of which account where that says more: it is called one, since the search does not look into it. */
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
        {/* Below each other where there is no room for both: an account after a long address would never be seen. */}
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

/** Undefined: none is known, or it is the name or the address. */
function unsaidAccount(row: Row): string | undefined {
  if (row.provider_account === null) return undefined;
  const account = accountName(row.provider_account);
  const said = [connectionName(row), row.email].map((one) => one?.toLowerCase());
  return said.includes(account.toLowerCase()) ? undefined : account;
}
