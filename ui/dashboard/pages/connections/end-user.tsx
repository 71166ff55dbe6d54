import { Monogram } from '../../../kit/logo.tsx';
import type { Reply } from '../../app/replies.ts';
import { accountName, connectionName } from '../../components/whose.ts';
import { t } from './texts.ts';

const DIVIDER = ' · ';

type Row = Reply<'listConnectionRows'>['data'][number];

/** The user of a connection by name, and in a second line what else is known of them. */
export function EndUser(row: Row) {
  const name = connectionName(row);
  const parts = partsOf(row, name);
  return (
    <span class="faced">
      <Monogram name={name} />
      <span class="two">
        <span dir="auto" title={name}>
          {name}
        </span>
        {parts.length > 0 && (
          <span class="small soft" title={parts.join(DIVIDER)}>
            {parts.map((part, index) => (
              <>
                {index > 0 && DIVIDER}
                <bdi>{part}</bdi>
              </>
            ))}
          </span>
        )}
      </span>
    </span>
  );
}

/**
 * Returns the parts of the second line: the e-mail address if it is not the name, the account at the provider if that says more,
 * and what an ID that stands for the name is.
 */
function partsOf(row: Row, name: string): readonly string[] {
  const { email, organization } = row;
  const account = unsaidAccount(row, name);
  const known = [email !== name && email, account && t('account', { name: account })];
  if (row.display_name || email) return known.filter(isText);
  const more = [organization && t('organization', { name: organization }), ...known].filter(isText);
  if (row.end_user_id === null) return more;
  return [t('end_user_id'), ...(more.length === 0 ? [t('nameless')] : more)];
}

function isText(part: string | null | undefined | false): part is string {
  return typeof part === 'string' && part !== '';
}

/** Returns the account's name; undefined when it is unknown, or the same as the shown name or e-mail address. */
function unsaidAccount({ provider_account: account, email }: Row, name: string): string | undefined {
  if (account === null) return undefined;
  const shown = accountName(account);
  const said = [name, email].map((one) => one?.toLowerCase());
  return said.includes(shown.toLowerCase()) ? undefined : shown;
}
